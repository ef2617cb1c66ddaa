// The footer of a form: the button that sends, its progress, and what can be copied.
import { element, textButton } from "../dom.ts";

export interface ActionOptions {
  texts: { send: string; cancel: string };
  /** The status while a request runs. */
  formatSending: (seconds: number) => string;
  send: () => void;
  cancel: () => void;
  copies: readonly { title: string; copy: () => void }[];
}

export class Actions {
  readonly element = element("footer", { class: "actions" });
  readonly #options: ActionOptions;
  readonly #bar = element("div", { class: "bar" });
  readonly #status = element("div", { class: "status", role: "status" });
  readonly #send: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #timer: number | undefined;

  constructor(options: ActionOptions) {
    const { texts, send, cancel, copies } = options;
    this.#options = options;
    this.#send = textButton(texts.send, "primary-button", send);
    this.#cancel = textButton(texts.cancel, "secondary-button", cancel);
    this.#cancel.hidden = true;
    this.#bar.hidden = true;
    const copy = element(
      "div",
      { class: "copy" },
      ...copies.map(({ title, copy }) => textButton(title, "link-button", copy)),
    );
    this.element.append(
      this.#bar,
      element("div", { class: "row" }, this.#send, this.#cancel, this.#status, copy),
    );
  }

  get sendButton(): HTMLButtonElement {
    return this.#send;
  }

  get isSending(): boolean {
    return this.#timer !== undefined;
  }

  /** Shows that a request has been running for so many ms; updates the time by itself. */
  showSending(elapsed: number): void {
    const since = Date.now() - elapsed;
    const tell = (): void => {
      this.setStatus(this.#options.formatSending(Math.floor((Date.now() - since) / 1000)));
    };
    this.stopSending();
    this.#timer = window.setInterval(tell, 1000);
    this.#bar.hidden = false;
    this.#send.hidden = true;
    this.#cancel.hidden = false;
    tell();
    this.#cancel.focus();
  }

  stopSending(): void {
    window.clearInterval(this.#timer);
    this.#timer = undefined;
    this.#bar.hidden = true;
    this.#send.hidden = false;
    this.#cancel.hidden = true;
    this.setStatus("");
  }

  setStatus(text: string): void {
    this.#status.textContent = text;
  }

  dispose(): void {
    window.clearInterval(this.#timer);
  }
}
