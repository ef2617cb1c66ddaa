import type { Notice } from "../itemPage.ts";
import { errorNotice } from "./documentParts.ts";
import { element, replaceChildren } from "./dom.ts";
import { rememberFocus } from "./focus.ts";
import type { Host } from "./vscodeApi.ts";

export interface ItemPageFrameOptions {
  name: string;
  /** The line below the name. */
  place: string;
  /** The buttons beside the name. */
  tools: HTMLElement[];
  body: HTMLElement[];
}

/** The page of an item around its own parts: head, progress, notice, status for screen readers, scroll position. */
export class ItemPageFrame {
  readonly element = element("main", { class: "page" });
  readonly #host: Host<{ type: "accept" }, { scroll: number }>;
  readonly #bar = element("div", { class: "bar" });
  readonly #notice = element("div");
  readonly #status = element("div", { class: "visually-hidden", role: "status" });
  readonly #disposal = new AbortController();
  /** The position before the reload; undefined once it is restored. */
  #scrollTo: number | undefined;

  constructor(
    host: Host<{ type: "accept" }, { scroll: number }>,
    { name, place, tools, body }: ItemPageFrameOptions,
  ) {
    this.#host = host;
    this.#scrollTo = host.state.scroll;
    this.#bar.hidden = true;
    const titles = element(
      "div",
      { class: "titles" },
      element("h1", { text: name }),
      element("p", { class: "place", text: place }),
    );
    const head = element(
      "header",
      { class: "page-head" },
      titles,
      element("div", { class: "page-tools" }, ...tools),
    );
    this.element.append(this.#bar, head, this.#notice, ...body, this.#status);
  }

  /** Call it when the element is in the document; `first` gets the focus. */
  start(first: HTMLElement): void {
    const { signal } = this.#disposal;
    window.addEventListener(
      "scroll",
      () => {
        if (this.#scrollTo === undefined) this.#host.save({ scroll: window.scrollY });
      },
      { signal, passive: true },
    );
    rememberFocus(first, signal);
  }

  set isBusy(isBusy: boolean) {
    this.#bar.hidden = !isBusy;
  }

  /** Shows that the page waits and tells screen readers why, or that it no longer waits. */
  setBusy(reason: string | undefined): void {
    this.isBusy = reason !== undefined;
    this.status = reason ?? "";
  }

  /** Tells screen readers. */
  set status(text: string) {
    this.#status.textContent = text;
  }

  set notice(notice: Notice | undefined) {
    const accept = (): void => this.#host.post({ type: "accept" });
    replaceChildren(this.#notice, notice && errorNotice(notice, accept));
  }

  /** Scrolls to where the page was before the reload, once. */
  restoreScroll(): void {
    if (this.#scrollTo === undefined) return;
    window.scrollTo({ top: this.#scrollTo });
    this.#scrollTo = undefined;
  }

  /** Leaves the page where it is. */
  forgetScroll(): void {
    this.#scrollTo = undefined;
  }

  dispose(): void {
    this.#disposal.abort();
  }
}
