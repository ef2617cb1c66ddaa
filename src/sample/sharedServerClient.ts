// What windows ask a sample server on this machine that they may share: who it is, when it ends, to end.
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { controlPaths } from "./control.ts";

/** Loopback connects at once, or is refused; Windows takes its time to refuse. */
const connectTimeoutMs = 1_000;
/** A busy extension host may take this long to answer. */
const answerTimeoutMs = 5_000;
/** An identity is much shorter. */
const maxAnswer = 1_000;

/** What listens on a port: our shared server, another program, or nothing. */
export type Occupant = "ours" | "foreign" | "nobody";

/** Who answers at a port of this machine. Never throws. */
export async function probe(port: number, identity: string): Promise<Occupant> {
  const answer = await ask(port, "GET", controlPaths.identity);
  if (answer === undefined) return "nobody";
  return answer.body === JSON.stringify({ sampleServer: identity }) ? "ours" : "foreign";
}

/** Ends our server at a port, if there is one, and waits until it is gone. Throws if it goes on. */
export async function askToStop(port: number, identity: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await probe(port, identity)) !== "ours") return;
    if (attempt % 20 === 0) await ask(port, "POST", controlPaths.stop, identity);
    await sleep(50);
  }
  throw new Error(`The sample server on port ${port} goes on`);
}

/** Calls `onEnd` once when the server at a port ends; returns what stops watching. Undefined if nothing listens there. */
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

/** One short exchange; undefined if nothing listens there, or no longer. */
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
        // Whoever takes a connection and says nothing in this time is no server of ours.
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
      // What is not HTTP is another program's.
      end(error.code?.startsWith("HPE_") ? { body: "" } : undefined);
    });
    request.end();
  });
}
