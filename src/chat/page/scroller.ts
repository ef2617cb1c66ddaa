// Keeps the newest in view as long as the user wants it, and never moves what the user went back to read.
import { element, icon } from "../../shared/page/dom.ts";
import type { ScrollPosition } from "../messages.ts";

/** Pixels from the end that still count as being there. */
const near = 8;

export class Scroller {
  /** Goes to the end; to be seen only when the end is not. */
  readonly toEnd: HTMLButtonElement;
  readonly #log: HTMLElement;
  readonly #changed: (position: ScrollPosition) => void;
  /** What comes into view for the first time gets its real height then, and a panel may change its size. */
  readonly #sizes = new ResizeObserver(() => {
    if (!this.#paused) this.keepUp();
  });
  /** Whether the view scrolls along with new content. */
  #follows = true;
  #paused = false;
  /** Where the view was at the last scroll event. */
  #top = 0;
  /** The user has done something since the view was last moved here: going up may be theirs. */
  #isTouched = false;
  /** What was saved last. */
  #saved: ScrollPosition | undefined;
  /** Where the user was before, until enough has come to go there. */
  #wanted: ScrollPosition | undefined;

  constructor(log: HTMLElement, label: string, changed: (position: ScrollPosition) => void) {
    this.#log = log;
    this.#changed = changed;
    this.toEnd = element("button", { class: "to-end", title: label, label }, icon("arrow-down"));
    this.toEnd.type = "button";
    this.toEnd.hidden = true;
    this.toEnd.addEventListener("click", () => {
      this.follow();
      this.keepUp();
    });
    this.#sizes.observe(log);
    log.addEventListener("scroll", () => this.#scrolled());
    for (const type of ["wheel", "keydown", "pointerdown"]) {
      const touched = (): void => {
        this.#isTouched = true;
        this.forget();
      };
      log.addEventListener(type, touched, { passive: true });
    }
  }

  /** Whether the view scrolls along with new content. */
  get follows(): boolean {
    return this.#follows;
  }

  /** A part of the log whose height may change. */
  watch(part: HTMLElement): void {
    this.#sizes.observe(part);
  }

  /** Goes where the user was before, as soon as that is there. */
  restore(position: ScrollPosition): void {
    this.#follows = position === "end";
    this.#wanted = position;
  }

  /** Changes the log so that `next` is seen where `before` was. */
  keepInPlace(before: HTMLElement, next: HTMLElement, change: () => void): void {
    const { top } = before.getBoundingClientRect();
    // Laid out at once: where its height is a guess at first, the browser keeps what comes after it in place instead.
    next.style.contentVisibility = "visible";
    change();
    this.#log.scrollTop += next.getBoundingClientRect().top - top;
  }

  /** Stops scrolling along with new content. */
  release(): void {
    this.forget();
    this.#follows = false;
  }

  /** Stays wherever the view is now. */
  forget(): void {
    this.#wanted = undefined;
  }

  /** From now on what comes is followed, wherever the user was. */
  follow(): void {
    this.forget();
    this.#follows = true;
  }

  /** More is being added: no need to follow it bit by bit. Until keepUp(). */
  pause(): void {
    this.#paused = true;
  }

  /** Called when something was added: follows it, though not past the beginning of `start`. */
  keepUp(start?: HTMLElement): void {
    const log = this.#log;
    this.#paused = false;
    if (this.#wanted !== undefined && this.#wanted !== "end") {
      this.#goTo(this.#wanted);
    } else if (this.#follows) {
      const end = log.scrollHeight - log.clientHeight;
      const top = start ? start.getBoundingClientRect().top - log.getBoundingClientRect().top : end;
      this.#isTouched = false;
      log.scrollTop = start ? Math.min(end, log.scrollTop + top - near) : end;
      this.#follows = this.#isAtEnd();
    }
    this.#update();
  }

  /** The user opened or closed something: what is in view stays. */
  stay(): void {
    this.#follows = this.#isAtEnd();
    this.#update();
    this.#save();
  }

  /**
   * Only a user goes up; what comes below moves nothing. But many steps at once are laid out after they were added, and
   * then the view moves by itself, either way.
   */
  #scrolled(): void {
    const { scrollTop } = this.#log;
    if (this.#isAtEnd()) this.#follows = true;
    else if (scrollTop < this.#top && this.#isTouched) this.#follows = false;
    this.#top = scrollTop;
    this.#update();
    this.#save();
  }

  #save(): void {
    if (this.#wanted !== undefined) return;
    const position = this.#follows ? "end" : this.#position();
    // A view that follows scrolls with every step, and what is saved goes to VS Code.
    if (position === "end" && this.#saved === "end") return;
    this.#saved = position;
    this.#changed(position);
  }

  /** What is far from the view has no exact height, so a place is told by the child of the log that it is in. */
  #position(): ScrollPosition {
    const children = [...this.#log.children] as HTMLElement[];
    const top = this.#log.scrollTop;
    // What is hidden lies nowhere.
    const isAbove = ({ hidden, offsetTop }: HTMLElement): boolean => !hidden && offsetTop <= top;
    const child = Math.max(0, children.findLastIndex(isAbove));
    return { child, offset: Math.round(top - (children[child]?.offsetTop ?? 0)) };
  }

  #goTo({ child, offset }: Exclude<ScrollPosition, "end">): void {
    const target = this.#log.children[child];
    if (!(target instanceof HTMLElement)) return;
    // Laid out in full, so that the offset into it means what it meant.
    target.style.contentVisibility = "visible";
    this.#log.scrollTop = target.offsetTop + offset;
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#log;
    return scrollTop + clientHeight >= scrollHeight - near;
  }

  #update(): void {
    this.toEnd.hidden = this.#isAtEnd();
  }
}
