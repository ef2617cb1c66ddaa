// How the windows of one VS Code talk about the sample server that they share: who serves there, watching it, ending it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { json, problem } from "./replies.ts";
import type { Reply } from "./replies.ts";

/** A server that several windows share. */
export interface Control {
  /** The same for all windows that share a server, and for no others. */
  identity: string;
  /** Ends the server; called once the answer to whoever asked for it is sent. */
  stop(): void;
}

/** Paths beside the API's own. */
export const controlPaths = {
  identity: "/sample-server",
  /** An answer that lasts as long as the server. */
  watch: "/sample-server/watch",
  stop: "/sample-server/stop",
} as const;

/** The answer to a request to one of the control paths, `answered` for one that lasts; undefined for other paths. */
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
      // Another VS Code's server is not stopped by mistake.
      if (request.headers["x-sample-server"] !== control.identity) {
        throw problem(409, "Conflict", "This is the sample server of another VS Code");
      }
      response.once("finish", () => control.stop());
      return { status: 204, type: "text/plain; charset=utf-8", body: "" };
    default:
      return undefined;
  }
}
