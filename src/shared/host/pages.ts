// Panels whose page shows its host's state and calls the host.
import type { Calls } from "../pageProtocol.ts";
import { connectPage, type PageHost } from "./connectPage.ts";
import {
  KeyedPanels,
  type ConnectedContent,
  type PanelOptions,
  type TabContent,
} from "./keyedPanels.ts";

/** The host of one page. */
export interface Page<All extends Calls> extends TabContent, PageHost<All> {}

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
    const page = create();
    return { content: page, ...connectPage(page, post, this.#options) };
  }
}
