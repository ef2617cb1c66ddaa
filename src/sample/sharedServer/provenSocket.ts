// Connections to the shared sample server, each proven before anything is sent over it: between two of them another
// program can have taken the port.
import { randomBytes } from "node:crypto";
import net from "node:net";
import { controlPaths } from "./control.ts";
import { computeProof, isSameText } from "./secret.ts";

/** Loopback connections succeed or fail immediately, except that Windows is slow to refuse them. */
const connectTimeoutMs = 1_000;
/**
 * A busy extension host may take this long to answer. If it were taken for another program, there would be a second server
 * with the same changes; another program that never answers only delays the start.
 */
const answerTimeoutMs = 15_000;
/** Maximum answer length in bytes. A proof with its headers is much shorter. */
const maxAnswer = 2_000;

/** Something listens, but it has not proven to be the sample server of these windows. */
export class ForeignServerError extends Error {
  constructor(port: number) {
    super(`Port ${port} is used by a program other than the sample server`);
  }
}

/**
 * Returns a connection to the sample server on a local port, after it has proven who it is. Rejects with
 * ForeignServerError if something else answers, or as `net.connect` does.
 */
export function openProvenSocket(port: number, secret: string): Promise<net.Socket> {
  const challenge = randomBytes(32).toString("hex");
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: "127.0.0.1", port, noDelay: true });
    let answer = "";
    const finish = (error?: Error): void => {
      clearTimeout(limit);
      socket.off("readable", read).off("error", finish).off("close", onClose);
      if (!error) return resolve(socket);
      socket.on("error", () => undefined).destroy();
      reject(error);
    };
    const read = (): void => {
      answer += String((socket.read() as Buffer | null) ?? "");
      const proof = readProof(answer);
      if (proof === undefined) return;
      const isProven = isSameText(proof, computeProof(secret, port, challenge));
      finish(isProven ? undefined : new ForeignServerError(port));
    };
    const onClose = (): void => {
      // A server that stops closes its connections without an answer.
      finish(answer === "" ? new Error("The connection was closed") : new ForeignServerError(port));
    };
    let limit = setTimeout(() => finish(new Error("No connection")), connectTimeoutMs);
    socket.on("readable", read).on("error", finish).on("close", onClose);
    socket.once("connect", () => {
      clearTimeout(limit);
      // A program that accepts the connection but does not answer in this time is not our server.
      limit = setTimeout(() => finish(new ForeignServerError(port)), answerTimeoutMs);
      socket.write(
        `GET ${controlPaths.proof}${challenge} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      );
    });
  });
}

/** The proof in an answer: empty if it has none, undefined if its end is missing. */
function readProof(answer: string): string | undefined {
  const isOtherAnswer = !answer.startsWith("HTTP/1.1 200 ".slice(0, answer.length));
  if (isOtherAnswer || answer.length > maxAnswer) return "";
  const end = answer.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const length = Number(/^content-length: *(\d+)\r$/im.exec(answer.slice(0, end + 1))?.[1] ?? 0);
  const body = answer.slice(end + 4);
  if (body.length < length) return undefined;
  return /^\{"proof":"([\da-f]{64})"\}$/.exec(body)?.[1] ?? "";
}
