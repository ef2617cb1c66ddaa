import type { StatePost } from "./pageProtocol.ts";

/** A state of any kind, as the panel of its page sees it. */
export interface PostedState {
  /** Posts to a page from now on, once it is ready. */
  connect(post: (message: object) => void): void;
  /** The page has loaded, maybe once more. */
  ready(): void;
  /** The page has shown the last post. */
  shown(): void;
  /** The page is closed. */
  disconnect(): void;
}

/**
 * The state of a page, owned by its host. The page gets what has changed, with one post in flight: what changes before it
 * has been shown goes together in the next one.
 */
export class HostState<State extends object> implements PostedState {
  #current: State;
  #post: ((post: StatePost<State>) => void) | undefined;
  /** The keys whose values the page lacks; undefined while no page is ready. */
  #changed: Set<keyof State> | undefined;
  #isInFlight = false;

  constructor(initial: State) {
    this.#current = initial;
  }

  get current(): Readonly<State> {
    return this.#current;
  }

  update(change: Partial<State>): void {
    this.#current = { ...this.#current, ...change };
    for (const key of Object.keys(change)) this.#changed?.add(key as keyof State);
    this.#postChanges();
  }

  /** Changes what the open page has already: only a page that is new is told. */
  note(change: Partial<State>): void {
    this.#current = { ...this.#current, ...change };
  }

  connect(post: (post: StatePost<State>) => void): void {
    this.#post = post;
  }

  ready(): void {
    this.#changed = new Set();
    this.#isInFlight = true;
    this.#post?.({ type: "state", isWhole: true, changes: this.#current, removed: [] });
  }

  shown(): void {
    this.#isInFlight = false;
    this.#postChanges();
  }

  disconnect(): void {
    this.#post = undefined;
    this.#changed = undefined;
  }

  #postChanges(): void {
    if (this.#isInFlight || !this.#changed?.size) return;
    const changes: Partial<State> = {};
    const removed: (keyof State)[] = [];
    for (const key of this.#changed) {
      if (this.#current[key] === undefined) removed.push(key);
      else changes[key] = this.#current[key];
    }
    this.#changed.clear();
    this.#isInFlight = true;
    this.#post?.({ type: "state", isWhole: false, changes, removed });
  }
}
