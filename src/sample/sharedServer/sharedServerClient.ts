// Client for the control endpoints of a shared sample server: identify, watch, stop, and get a token.
import http from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { controlPaths } from "./control.ts";
import { ForeignServerError, openProvenSocket } from "./provenSocket.ts";
import { bearerToken } from "./secret.ts";

/** A busy extension host may take this long to answer. */
const answerTimeoutMs = 5_000;

/** The listener on a port: our shared server (`ours`), another program (`foreign`), or none (`nobody`). */
type Occupant = "ours" | "foreign" | "nobody";

/** Returns what listens on a local port. Never throws. */
export async function probe(port: number, secret: string): Promise<Occupant> {
  try {
    (await openProvenSocket(port, secret)).destroy();
    return "ours";
  } catch (error) {
    return error instanceof ForeignServerError ? "foreign" : "nobody";
  }
}

/** Stops our server on a port, if there is one, and waits until it has stopped. Throws if it keeps running. */
export async function askToStop(port: number, secret: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if ((await probe(port, secret)) !== "ours") return;
    if (attempt % 20 === 0) {
      const response = await request(port, secret, "POST", controlPaths.stop);
      response?.destroy();
    }
    await sleep(50);
  }
  throw new Error(`The sample server on port ${port} is still running`);
}

/**
 * Calls `onEnd` once when our server on a port stops. Returns a function that stops watching, or undefined if it does not
 * run there.
 */
export async function watch(
  port: number,
  secret: string,
  onEnd: () => void,
): Promise<(() => void) | undefined> {
  let isLeft = false;
  const response = await request(port, secret, "GET", controlPaths.watch);
  if (response?.statusCode !== 200) return undefined;
  response.socket.unref();
  response.resume();
  response.once("error", () => undefined);
  response.once("close", () => {
    if (!isLeft) onEnd();
  });
  return () => {
    isLeft = true;
    response.destroy();
  };
}

/** The token with which other programs may use our server on a port. Undefined if it does not run there. */
export async function readProgramToken(port: number, secret: string): Promise<string | undefined> {
  const response = await request(port, secret, "GET", controlPaths.token);
  if (response?.statusCode !== 200) return undefined;
  const body = await text(response).catch(() => "");
  return /^\{"token":"([\da-f]{64})"\}$/.exec(body)?.[1];
}

/** Sends a request over a proven connection. Returns undefined if our server does not answer. */
async function request(
  port: number,
  secret: string,
  method: string,
  path: string,
): Promise<http.IncomingMessage | undefined> {
  const socket = await openProvenSocket(port, secret).catch(() => undefined);
  if (!socket) return undefined;
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${bearerToken(secret)}`, "content-length": "0" };
    const options = { host: "127.0.0.1", port, method, path, headers };
    const sent = http.request({ ...options, createConnection: () => socket });
    const limit = setTimeout(() => sent.destroy(), answerTimeoutMs);
    const end = (response?: http.IncomingMessage) => {
      clearTimeout(limit);
      resolve(response);
    };
    sent.once("response", end);
    sent.on("error", () => end());
    sent.end();
  });
}
