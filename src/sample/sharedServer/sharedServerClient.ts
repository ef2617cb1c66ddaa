// Client for the control endpoints of a shared sample server: identify, watch and stop.
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { controlPaths } from "./control.ts";

/** Loopback connections succeed or fail immediately, except that Windows is slow to refuse them. */
const connectTimeoutMs = 1_000;
/** A busy extension host may take this long to answer. */
const answerTimeoutMs = 5_000;
/** Maximum answer length in characters. An identity is much shorter. */
const maxAnswer = 1_000;

/** What listens on a port: our shared server (`ours`), another program (`foreign`), or nothing (`nobody`). */
type Occupant = "ours" | "foreign" | "nobody";

/** Returns what listens on a local port. Never throws. */
export async function probe(port: number, identity: string): Promise<Occupant> {
  const answer = await ask(port, "GET", controlPaths.identity);
  if (answer === undefined) return "nobody";
  return answer.body === JSON.stringify({ sampleServer: identity }) ? "ours" : "foreign";
}

/** Stops our server on a port, if there is one, and waits until it has stopped. Throws if it keeps running. */
export async function askToStop(port: number, identity: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await probe(port, identity)) !== "ours") return;
    if (attempt % 20 === 0) await ask(port, "POST", controlPaths.stop, identity);
    await sleep(50);
  }
  throw new Error(`The sample server on port ${port} goes on`);
}

/**
 * Calls `onEnd` once when the server on a port stops. Returns a function that stops watching, or undefined if nothing
 * listens.
 */
export function watch(port: number, onEnd: () => void): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    let isLeft = false;
    const request = http.get({ host: "127.0.0.1", port, path: controlPaths.watch, agent: false });
    const limit = setTimeout(() => request.destroy(), answerTimeoutMs);
    const leave = () => {
      isLeft = true;
      request.destroy();
    };
    request.once("socket", (socket) => socket.unref());
    request.once("response", (response) => {
      clearTimeout(limit);
      response.resume();
      response.once("error", () => undefined);
      response.once("close", () => {
        if (!isLeft) onEnd();
      });
      resolve(leave);
    });
    request.on("error", () => {
      clearTimeout(limit);
      resolve(undefined);
    });
  });
}

/** Sends a request. Returns undefined if nothing listens or the connection is lost. */
function ask(
  port: number,
  method: string,
  path: string,
  identity = "",
): Promise<{ body: string } | undefined> {
  return new Promise((resolve) => {
    const headers = { "x-sample-server": identity, "content-length": "0" };
    const request = http.request({ host: "127.0.0.1", port, method, path, headers, agent: false });
    const end = (answer: { body: string } | undefined) => {
      clearTimeout(limit);
      request.destroy();
      resolve(answer);
    };
    let limit = setTimeout(() => end(undefined), connectTimeoutMs);
    request.once("socket", (socket) => {
      socket.once("connect", () => {
        clearTimeout(limit);
        // A program that accepts the connection but does not answer in this time is not our server.
        limit = setTimeout(() => end({ body: "" }), answerTimeoutMs);
      });
    });
    request.once("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        body = (body + text).slice(0, maxAnswer);
      });
      response.once("end", () => end({ body }));
      response.once("error", () => end(undefined));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // A parse error means that another program listens on this port.
      end(error.code?.startsWith("HPE_") ? { body: "" } : undefined);
    });
    request.end();
  });
}
