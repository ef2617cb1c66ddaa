// Endpoints with which VS Code windows identify, watch and stop the sample server that they share.
import type { IncomingMessage, ServerResponse } from "node:http";
import { json, problem } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";

/** A server that several windows share. */
export interface Control {
  /** Identifies the group of windows that share a server. */
  identity: string;
  /** Stops the server. Called after the reply to the stop request is sent. */
  stop(): void;
}

/** Paths that real servers do not have. */
export const controlPaths = {
  identity: "/sample-server",
  /** A response that stays open as long as the server runs. */
  watch: "/sample-server/watch",
  stop: "/sample-server/stop",
} as const;

/** Returns the reply for a control path, `answered` for a response that stays open, or undefined for other paths. */
export function serveControl(
  control: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Reply | "answered" | undefined {
  switch (`${request.method ?? ""} ${request.url ?? ""}`) {
    case `GET ${controlPaths.identity}`:
      return json({ sampleServer: control.identity });
    case `GET ${controlPaths.watch}`:
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
      response.flushHeaders();
      return "answered";
    case `POST ${controlPaths.stop}`:
      // Ports can be reused, so a window could reach the server of another VS Code.
      if (request.headers["x-sample-server"] !== control.identity) {
        throw problem(409, "Conflict", "This is the sample server of another VS Code");
      }
      response.once("finish", () => control.stop());
      return { status: 204, type: "text/plain; charset=utf-8", body: "" };
    default:
      return undefined;
  }
}
