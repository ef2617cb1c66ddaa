import type { IncomingMessage } from "node:http";
import type { Reply } from "./replies.ts";
import type { State } from "./state.ts";
import type { StreamEvent } from "../agents/streams.ts";

/** A request. `json` parses the body and throws a reply if it is not JSON. */
export interface ServerRequest {
  state: State;
  method: string;
  path: string;
  message: IncomingMessage;
  body: Buffer;
  json: () => unknown;
}

/** A request that matched a route. `params` are the parts of its path. */
export interface Call extends ServerRequest {
  params: Record<string, string>;
}

/** The result of a route: a complete reply or the events of a stream. */
export type Answer = Reply | { events: Iterable<StreamEvent> };

/** A method and a path with `:name` parts, and what handles its requests. */
export interface Route {
  method: string;
  path: RegExp;
  handle: (call: Call) => Answer;
}

/** Changes to the server. Tests use them to imitate other servers. */
export interface Extension {
  /** Changes the initial state. */
  prepare?: (state: State) => void;
  /** More routes. They come first, so that they can replace the server's own. */
  routes?: Route[];
  /** Wraps the handling of every request. `next` throws the error replies. */
  handle?: (request: ServerRequest, next: (request: ServerRequest) => Answer) => Answer;
  /** Writes the events of streams. Default: JSON.stringify. */
  formatEvent?: (data: StreamEvent["data"]) => string;
}
