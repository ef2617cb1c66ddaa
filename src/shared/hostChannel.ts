import type { ItemsPost } from "./pageProtocol.ts";

/** Maximum posts in flight, so that an item need not wait until the one before is shown. */
const maxPostsInFlight = 8;

/** Maximum load in flight, so that a page stays responsive. A single item may exceed it. */
const maxLoadInFlight = 1_000_000;

/** Maximum load of new items that wait, because a hidden page takes none. Beyond it, all items begin again. */
const maxLoadWaiting = 20_000_000;

/** The cost of an item for a page beside its text, in characters. */
const itemLoad = 2_000;

/** A channel of any kind, as the panel of its page sees it. */
export interface PostedChannel {
  /** Posts to a page from now on, once it is ready. */
  connect(post: (message: object) => void): void;
  /** The page has loaded, maybe once more. */
  ready(): void;
  /** The page has shown the oldest post in flight. */
  shown(): void;
  /** The page is closed. */
  disconnect(): void;
}

/**
 * Items that a page shows one after the other, beside its host's state. A page that is new gets all of them. While enough
 * is in flight, items wait and go together in the next post: a slow page gets fewer and larger posts, a fast one gets each
 * item at once.
 */
export class HostChannel<Item> implements PostedChannel {
  readonly #listAll: () => Iterable<Item>;
  #post: ((post: ItemsPost<Item>) => void) | undefined;
  #isReady = false;
  /** Items that are not posted yet, with their loads. */
  #waiting: { item: Item; load: number }[] = [];
  /** How many of them are from before the page's time, and the load of the others. */
  #past = 0;
  #newLoad = 0;
  /** True after items were dropped: all must begin again. */
  #isIncomplete = false;
  /** The loads of the posts that the page has not shown yet, the oldest first. */
  #inFlight: number[] = [];

  /** `listAll` returns all items that a new page needs. */
  constructor(listAll: () => Iterable<Item>) {
    this.#listAll = listAll;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  connect(post: (post: ItemsPost<Item>) => void): void {
    this.#post = post;
  }

  /** Posts an item, or lets it wait. Before the page is ready it is dropped: `listAll` has it. */
  append(item: Item): void {
    if (!this.#isReady || this.#isIncomplete) return;
    this.#newLoad += this.#wait(item);
    this.#postWaiting();
    if (this.#newLoad <= maxLoadWaiting) return;
    this.#forget();
    this.#isIncomplete = true;
  }

  ready(): void {
    this.#isReady = true;
    this.#inFlight = [];
    this.restart();
  }

  /** All items begin again. */
  restart(): void {
    if (!this.#isReady) return;
    this.#forget();
    for (const item of this.#listAll()) this.#wait(item);
    this.#past = this.#waiting.length;
    // Says what to drop, so it is posted whatever is in flight.
    this.#postNext(true);
    this.#postWaiting();
  }

  shown(): void {
    if (this.#inFlight.shift() === undefined) return;
    if (this.#isIncomplete) this.restart();
    else this.#postWaiting();
  }

  disconnect(): void {
    this.#isReady = false;
    this.#post = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#waiting = [];
    this.#past = 0;
    this.#newLoad = 0;
    this.#isIncomplete = false;
  }

  #wait(item: Item): number {
    const load = itemLoad + JSON.stringify(item).length;
    this.#waiting.push({ item, load });
    return load;
  }

  #postWaiting(): void {
    while (this.#waiting.length > 0 && this.#inFlight.length < maxPostsInFlight) {
      if (!this.#postNext(false)) break;
    }
  }

  /** Posts as many items as the limit allows, past and new ones apart; false if none. With nothing in flight it is one. */
  #postNext(isFirst: boolean): boolean {
    const before = this.#inFlight.reduce((sum, load) => sum + load, 0);
    const end = this.#past > 0 ? this.#past : this.#waiting.length;
    let [load, count] = [0, 0];
    for (; count < end; count++) {
      const sum = load + this.#waiting[count]!.load;
      if (before + sum > maxLoadInFlight && before + load > 0) break;
      load = sum;
    }
    if (count === 0 && !isFirst) return false;
    if (this.#past > 0) this.#past -= count;
    else this.#newLoad -= load;
    const items = this.#waiting.splice(0, count).map(({ item }) => item);
    this.#inFlight.push(load);
    this.#post?.({ type: "items", isFirst, isUpToDate: this.#past === 0, items });
    return true;
  }
}
