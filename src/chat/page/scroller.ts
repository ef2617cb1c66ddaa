// Scrolls along with new content, unless the user has scrolled up.
import type { ScrollPosition } from "../chatPage.ts";

/** Distance from the end that counts as the end, in pixels. */
const near = 8;

interface ScrollerOptions {
  log: HTMLElement;
  /** The position to save has changed. */
  changed: (position: ScrollPosition) => void;
  /** The view may have come to the end, or left it. */
  moved: (isAtEnd: boolean) => void;
}

export class Scroller {
  readonly #log: HTMLElement;
  readonly #changed: (position: ScrollPosition) => void;
  readonly #moved: (isAtEnd: boolean) => void;
  /** Content gets its real height when it first comes into view, and a panel may be resized. */
  readonly #sizes = new ResizeObserver(() => {
    if (!this.#paused) this.keepUp();
  });
  /** Whether the view scrolls along with new content. */
  #follows = true;
  #paused = false;
  /** Scroll position at the last scroll event. */
  #top = 0;
  /** The user has interacted since the last programmatic scroll, so scrolling up may be theirs. */
  #isTouched = false;
  /** The last saved position. */
  #saved: ScrollPosition | undefined;
  /** The position to restore when enough content is there. */
  #wanted: ScrollPosition | undefined;

  constructor({ log, changed, moved }: ScrollerOptions) {
    this.#log = log;
    this.#changed = changed;
    this.#moved = moved;
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

  /** Follows height changes of a part of the log. */
  watch(part: HTMLElement): void {
    this.#sizes.observe(part);
  }

  /** Restores a position as soon as its content is there. */
  restore(position: ScrollPosition): void {
    this.#follows = position === "end";
    this.#wanted = position;
  }

  /** Changes the log and keeps `next` where `before` was. */
  keepInPlace(before: HTMLElement, next: HTMLElement, change: () => void): void {
    const { top } = before.getBoundingClientRect();
    // Forces layout: with an estimated height the browser would anchor the content after it instead.
    next.style.contentVisibility = "visible";
    change();
    this.#log.scrollTop += next.getBoundingClientRect().top - top;
  }

  /** Stops scrolling along with new content. */
  release(): void {
    this.forget();
    this.#follows = false;
  }

  /** Drops the position to restore. */
  forget(): void {
    this.#wanted = undefined;
  }

  /** Starts scrolling along with new content. */
  follow(): void {
    this.forget();
    this.#follows = true;
  }

  /** Pauses scrolling while content is added, until `keepUp`. */
  pause(): void {
    this.#paused = true;
  }

  /** Scrolls to new content, but not beyond the beginning of `start`. */
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

  /** Keeps the view after the user has opened or closed something. */
  stay(): void {
    this.#follows = this.#isAtEnd();
    this.#update();
    this.#save();
  }

  /**
   * Only a user scrolls up. But the layout of many new steps can move the view too, so `#isTouched` is checked.
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
    // Avoids a save for every step.
    if (position === "end" && this.#saved === "end") return;
    this.#saved = position;
    this.#changed(position);
  }

  /** Relative to a child of the log, because content far from the view has no exact height. */
  #position(): ScrollPosition {
    const children = [...this.#log.children] as HTMLElement[];
    const top = this.#log.scrollTop;
    // Hidden elements have no position.
    const isAbove = ({ hidden, offsetTop }: HTMLElement): boolean => !hidden && offsetTop <= top;
    const child = Math.max(0, children.findLastIndex(isAbove));
    return { child, offset: Math.round(top - (children[child]?.offsetTop ?? 0)) };
  }

  #goTo({ child, offset }: Exclude<ScrollPosition, "end">): void {
    const target = this.#log.children[child];
    if (!(target instanceof HTMLElement)) return;
    // Fully laid out, so that the offset into it is still valid.
    target.style.contentVisibility = "visible";
    this.#log.scrollTop = target.offsetTop + offset;
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#log;
    return scrollTop + clientHeight >= scrollHeight - near;
  }

  #update(): void {
    this.#moved(this.#isAtEnd());
  }
}
