import type { IncomingMessage } from "node:http";
import type { Auth } from "./auth.ts";
import type { Reply } from "./replies.ts";
import type { State } from "./state.ts";
import type { StreamEvent } from "./streams.ts";

/** A request that matched a route. `json` parses the body and throws a reply if it is not JSON. */
export interface Call {
  state: State;
  auth: Auth;
  request: IncomingMessage;
  params: Record<string, string>;
  json: () => unknown;
}

/** What a route returns: a complete reply or the events of a stream. */
export type Answer = Reply | { events: Iterable<StreamEvent> };
