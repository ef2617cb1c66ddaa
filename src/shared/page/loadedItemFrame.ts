import type { LoadMessage, Notice } from "../itemPage.ts";
import { iconButton } from "./dom.ts";
import { ItemPageFrame, type ItemPageFrameOptions } from "./itemPageFrame.ts";
import type { Host } from "./vscodeApi.ts";

interface LoadedItemFrameOptions extends ItemPageFrameOptions {
  texts: { refresh: string; asking: string };
  /** Parts that are of no use, and hidden, while the item is gone. */
  hiddenWhenGone?: HTMLElement[];
}

/** The frame of a page whose item is read from the server: with a Refresh button, and for an item that is gone. */
export class LoadedItemFrame extends ItemPageFrame {
  readonly refresh: HTMLButtonElement;
  readonly #asking: string;
  readonly #hiddenWhenGone: HTMLElement[];

  constructor(
    host: Host<{ type: "accept" } | { type: "refresh" }, { scroll: number }>,
    { texts, hiddenWhenGone = [], ...options }: LoadedItemFrameOptions,
  ) {
    const refresh = iconButton("refresh", texts.refresh, () => host.post({ type: "refresh" }));
    super(host, { ...options, tools: [...options.tools, refresh] });
    this.refresh = refresh;
    this.#asking = texts.asking;
    this.#hiddenWhenGone = hiddenWhenGone;
  }

  override start(first: HTMLElement = this.refresh): void {
    super.start(first);
  }

  /** Shows that the item is being read, or why it could not be. */
  show(message: LoadMessage): void {
    if (message.type === "asking") {
      this.setBusy(this.#asking);
      return;
    }
    this.setBusy(undefined);
    this.#setGone(message.isGone);
    this.notice = message.notice;
  }

  /** The item was read, but cannot be used. */
  showHidden(notice: Notice): void {
    this.#setGone(true);
    this.notice = notice;
  }

  /** The item was read: it is no longer waited for, and is there. */
  showRead(): void {
    this.setBusy(undefined);
    this.#setGone(false);
    this.notice = undefined;
  }

  #setGone(isGone: boolean): void {
    const { activeElement } = document;
    const losesFocus = isGone && this.#hiddenWhenGone.some((part) => part.contains(activeElement));
    for (const part of this.#hiddenWhenGone) part.hidden = isGone;
    if (losesFocus) this.refresh.focus();
  }
}
