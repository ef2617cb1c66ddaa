// Connects the host of a page to its webview: posts its state, checks and answers its calls.
import * as v from "valibot";
import type { PostedChannel } from "../hostChannel.ts";
import type { PostedState } from "../hostState.ts";
import {
  answerCall,
  fromPage,
  InvalidCallError,
  type Calls,
  type FromPage,
  type Handlers,
  type ToPage,
} from "../pageProtocol.ts";
import type { Log } from "./log.ts";

export interface PageHost<All extends Calls> {
  readonly state: PostedState;
  /** For what only ever grows, beside the state. */
  readonly channel?: PostedChannel;
  readonly handlers: Handlers<All>;
}

interface ConnectOptions<All extends Calls> {
  /** For the log. */
  viewType: string;
  calls: All;
  log: Log;
}

interface PageConnection {
  /** Takes a message of the page, which is not checked yet. */
  receive: (message: unknown) => Promise<void>;
  /** The page is closed: VS Code throws on access to it. */
  disconnect: () => void;
}

export function connectPage<All extends Calls>(
  page: PageHost<All>,
  post: (message: object) => void,
  options: ConnectOptions<All>,
): PageConnection {
  let isOpen = true;
  page.state.connect(post);
  page.channel?.connect(post);
  return {
    receive: async (message) => {
      const checked = v.safeParse(fromPage, message);
      if (!checked.success) {
        options.log.info(`Dropped an invalid message of ${options.viewType}'s page`);
      } else if (checked.output.type === "call") {
        const answer = await answerPage(page.handlers, checked.output, options);
        if (isOpen) post(answer);
      } else if (checked.output.type === "itemsShown") page.channel?.shown();
      else {
        page.state[checked.output.type]();
        if (checked.output.type === "ready") page.channel?.ready();
      }
    },
    disconnect: () => {
      isOpen = false;
      page.state.disconnect();
      page.channel?.disconnect();
    },
  };
}

async function answerPage<All extends Calls>(
  handlers: Handlers<All>,
  call: Extract<FromPage, { type: "call" }>,
  { calls, viewType, log }: ConnectOptions<All>,
): Promise<Extract<ToPage<object>, { type: "answer" }>> {
  try {
    const answer = await answerCall(calls, handlers, call);
    return { type: "answer", id: call.id, answer, hasFailed: false };
  } catch (error) {
    if (error instanceof InvalidCallError) {
      log.info(`Dropped an invalid call of ${viewType}'s page (${error.message})`);
    } else log.error(`A call of ${viewType}'s page failed`, error);
    return { type: "answer", id: call.id, hasFailed: true };
  }
}
