// Endpoints with which VS Code windows identify, watch and stop the sample server that they share, and get a token of it
// for other programs.
import type { IncomingMessage, ServerResponse } from "node:http";
import { json, problem } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import { bearerToken, computeProof, isSameText } from "./secret.ts";

/** A server that several windows share. */
export interface Control {
  /** The secret of the windows that share it. */
  secret: string;
  /** Stops the server. Called after the reply to the stop request is sent. */
  stop?(): void;
}

/** Paths that real servers do not have. */
export const controlPaths = {
  /** Followed by a challenge of 64 hexadecimal digits. */
  proof: "/sample-server/proof/",
  /** A response that stays open as long as the server runs. */
  watch: "/sample-server/watch",
  stop: "/sample-server/stop",
  /** The token for other programs of the user. */
  token: "/sample-server/token",
} as const;

/**
 * Returns the reply for a control path, `answered` for a response that stays open, or undefined for other paths. Throws
 * 401 for everything but a challenge if the request has neither the windows' token nor `programToken`, for which there are
 * no control paths.
 */
export function serveControl(
  control: Control,
  programToken: string,
  request: IncomingMessage,
  response: ServerResponse,
): Reply | "answered" | undefined {
  const { method, url = "", headers, socket } = request;
  const challenge = url.startsWith(controlPaths.proof) ? url.slice(controlPaths.proof.length) : "";
  if (method === "GET" && /^[\da-f]{64}$/.test(challenge)) {
    return json({ proof: computeProof(control.secret, socket.localPort ?? 0, challenge) });
  }
  const hasToken = (token: string) => isSameText(headers.authorization ?? "", `Bearer ${token}`);
  if (!hasToken(bearerToken(control.secret))) {
    if (hasToken(programToken)) return undefined;
    throw problem(401, "Unauthorized", "This sample server answers only the VS Code that runs it");
  }
  switch (`${method} ${url}`) {
    case `GET ${controlPaths.watch}`:
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
      response.flushHeaders();
      return "answered";
    case `POST ${controlPaths.stop}`:
      response.once("finish", () => control.stop?.());
      return { status: 204, type: "text/plain; charset=utf-8", body: "" };
    case `GET ${controlPaths.token}`:
      return json({ token: programToken });
    default:
      return undefined;
  }
}
