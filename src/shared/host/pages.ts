// Panels whose page shows its host's state and calls the host.
import * as v from "valibot";
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
import {
  KeyedPanels,
  type ConnectedContent,
  type PanelOptions,
  type TabContent,
} from "./keyedPanels.ts";

/** The host of one page. */
export interface Page<All extends Calls> extends TabContent {
  readonly state: PostedState;
  readonly handlers: Handlers<All>;
}

interface PagesOptions<All extends Calls, Shown> extends PanelOptions<() => Shown> {
  calls: All;
}

/** The pages of one kind. */
export class Pages<All extends Calls, Shown extends Page<All>> extends KeyedPanels<
  Shown,
  () => Shown
> {
  readonly #options: PagesOptions<All, Shown>;

  constructor(options: PagesOptions<All, Shown>) {
    super(options);
    this.#options = options;
  }

  protected override createContent(
    create: () => Shown,
    post: (message: object) => void,
  ): ConnectedContent<Shown> {
    const { viewType, log } = this.#options;
    const page = create();
    let isOpen = true;
    page.state.connect(post);
    return {
      content: page,
      receive: async (message) => {
        const checked = v.safeParse(fromPage, message);
        if (!checked.success) log.info(`Dropped an invalid message of ${viewType}'s page`);
        else if (checked.output.type === "call") {
          const answer = await this.#answer(page, checked.output);
          if (isOpen) post(answer);
        } else page.state[checked.output.type]();
      },
      disconnect: () => {
        isOpen = false;
        page.state.disconnect();
      },
    };
  }

  async #answer(
    { handlers }: Shown,
    call: Extract<FromPage, { type: "call" }>,
  ): Promise<Extract<ToPage<object>, { type: "answer" }>> {
    const { calls, viewType, log } = this.#options;
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
}
