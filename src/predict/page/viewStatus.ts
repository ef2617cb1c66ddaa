import { element } from "../../shared/page/dom.ts";

/** Milliseconds for which a message is shown. */
const messageMs = 3_000;

/** The line that says what a view shows and, for a moment, what has just happened. */
export class ViewStatus {
  readonly element = element("span", { class: "quiet", role: "status" });
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  set text(text: string) {
    this.dispose();
    this.#text = text;
    this.element.textContent = text;
  }

  /** Shows a message, then what the view shows again. */
  announce(message: string): void {
    this.dispose();
    this.element.textContent = message;
    this.#timer = setTimeout(() => (this.element.textContent = this.#text), messageMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
