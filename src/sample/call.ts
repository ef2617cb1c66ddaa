import type { IncomingMessage } from "node:http";
import type { Auth } from "./auth.ts";
import type { Reply } from "./replies.ts";
import type { State } from "./state.ts";
import type { StreamEvent } from "./streams.ts";

/** A request that found its route. `json` reads the body and refuses what is not JSON. */
export interface Call {
  state: State;
  auth: Auth;
  request: IncomingMessage;
  params: Record<string, string>;
  json: () => unknown;
}

/** What a route gives: a whole reply, or the events of a stream. */
export type Answer = Reply | { events: Iterable<StreamEvent> };
