// Keeps the newest in view as long as the user wants it, and never moves what the user went back to read.
import { element, icon } from "../../shared/page/dom.ts";

/** Pixels from the end that still count as being there. */
const NEAR = 8;

export class Scroller {
  /** Goes to the end; to be seen only when the end is not. */
  readonly toEnd: HTMLButtonElement;
  readonly #log: HTMLElement;
  readonly #changed: (position: number | "end") => void;
  /** Whether the view follows what comes. */
  #follows = true;
  /** Where the user was when the page was last shown, until enough has come to go there. */
  #wanted: number | undefined;

  constructor(log: HTMLElement, label: string, changed: (position: number | "end") => void) {
    this.#log = log;
    this.#changed = changed;
    this.toEnd = element("button", { class: "to-end", title: label, label }, icon("arrow-down"));
    this.toEnd.type = "button";
    this.toEnd.hidden = true;
    this.toEnd.addEventListener("click", () => this.goToEnd());
    log.addEventListener("scroll", () => this.stay());
    // A wheel or a key that goes up counts from its first pixel.
    log.addEventListener("wheel", (event) => {
      this.#wanted = undefined;
      if (event.deltaY < 0) this.#follows = false;
    });
    log.addEventListener("keydown", () => (this.#wanted = undefined));
    log.addEventListener("pointerdown", () => (this.#wanted = undefined));
  }

  restore(position: number | "end"): void {
    this.#follows = position === "end";
    this.#wanted = position === "end" ? undefined : position;
  }

  goToEnd(): void {
    this.#wanted = undefined;
    this.#follows = true;
    this.keepUp();
  }

  /** Called when something was added: follows it, though not past the beginning of `start`. */
  keepUp(start?: HTMLElement): void {
    if (this.#wanted !== undefined) {
      this.#log.scrollTop = this.#wanted;
      if (Math.abs(this.#log.scrollTop - this.#wanted) < NEAR) this.#wanted = undefined;
    } else if (this.#follows) {
      const end = this.#log.scrollHeight - this.#log.clientHeight;
      this.#log.scrollTop = start ? Math.min(end, start.offsetTop - NEAR) : end;
      this.#follows = this.#isAtEnd();
    }
    this.#update();
  }

  /** What is in view stays: the user went there, or opened or closed something. */
  stay(): void {
    this.#follows = this.#isAtEnd();
    this.#update();
    if (this.#wanted === undefined) this.#changed(this.#follows ? "end" : this.#log.scrollTop);
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#log;
    return scrollTop + clientHeight >= scrollHeight - NEAR;
  }

  #update(): void {
    this.toEnd.hidden = this.#isAtEnd();
  }
}
