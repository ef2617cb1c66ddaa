// The footer of the form: the button that sends, its progress, and the request to copy.
import { element, textButton } from "../../../shared/page/dom.ts";
import type { FormTextFormatter } from "./formatTexts.ts";

export interface ActionHandlers {
  send: () => void;
  cancel: () => void;
  copy: (as: "sql" | "json" | "curl") => void;
}

export class Actions {
  readonly element = element("footer", { class: "actions" });
  readonly #formatter: FormTextFormatter;
  readonly #bar = element("div", { class: "bar" });
  readonly #status = element("div", { class: "status", role: "status" });
  readonly #send: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #timer: number | undefined;

  constructor(formatter: FormTextFormatter, handlers: ActionHandlers) {
    const { texts } = formatter;
    this.#formatter = formatter;
    this.#send = textButton(texts.send, "primary-button", handlers.send);
    this.#cancel = textButton(texts.cancel, "secondary-button", handlers.cancel);
    this.#cancel.hidden = true;
    this.#bar.hidden = true;
    const copy = element(
      "div",
      { class: "copy" },
      textButton(texts.copySql, "link-button", () => handlers.copy("sql")),
      textButton(texts.copyJson, "link-button", () => handlers.copy("json")),
      textButton(texts.copyCurl, "link-button", () => handlers.copy("curl")),
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
      this.setStatus(this.#formatter.sending(Math.floor((Date.now() - since) / 1000)));
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
