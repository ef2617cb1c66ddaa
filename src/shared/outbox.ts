// How a host posts to its page: numbered, little in flight, and a whole snapshot whenever the page says it is ready.

/** One post. Numbers go up by one; a page that meets a gap says `ready` again. A snapshot may take several posts. */
export interface Post<ToPage> {
  post: number;
  /** True for the first post of a snapshot: the page forgets what it shows and starts anew. */
  snapshot: boolean;
  messages: ToPage[];
}

/** What a page says about posts, beside its feature's own messages. */
export type PostReply = { type: "ready" } | { type: "shown"; post: number };

/** How many posts may be in flight: a step need not wait until the one before it is shown. */
const maxPostsInFlight = 8;

/** What is in flight holds no more messages, so that a page never has too much to do at once. */
const maxMessagesInFlight = 500;

/** Nor more weight, unless a single message has it; in characters, roughly. */
const maxWeightInFlight = 1_000_000;

/**
 * What came after the snapshot and waits holds no more messages and no more weight: a page that is hidden takes none. What
 * is over that is given up, since a snapshot has it.
 */
const maxMessagesWaiting = 10_000;
const maxWeightWaiting = 16_000_000;

interface Load {
  messages: number;
  weight: number;
}

interface Waiting<ToPage> {
  message: ToPage;
  weight: number;
}

/**
 * The host's end. What comes while enough is in flight waits and goes together in the next post, so a slow page gets fewer
 * and larger posts and a fast one gets each message at once. When too much waits, all of it is dropped, and the next post
 * has a number too many: the page notices the gap and asks for a snapshot.
 */
export class Outbox<ToPage> {
  readonly #deliver: (post: Post<ToPage>) => void;
  readonly #weigh: (message: ToPage) => number;
  #snapshot: Waiting<ToPage>[] = [];
  /** How much of the snapshot is posted. */
  #snapshotPosted = 0;
  /** What came after the snapshot. */
  #waiting: Waiting<ToPage>[] = [];
  #waitingWeight = 0;
  /** Whether messages were dropped that the page has to get in a snapshot. */
  #isIncomplete = false;
  /** The posts that are not shown yet, by number and in order. */
  readonly #inFlight = new Map<number, Load>();
  #number = 0;
  #isReady = false;

  constructor(deliver: (post: Post<ToPage>) => void, weigh: (message: ToPage) => number = () => 1) {
    this.#deliver = deliver;
    this.#weigh = weigh;
  }

  /** How many messages wait until what is in flight is shown. */
  get waiting(): number {
    return this.#snapshot.length - this.#snapshotPosted + this.#waiting.length;
  }

  /** Posts a message, or keeps it for the next post. Before the page is ready it is dropped: the snapshot has it. */
  post(message: ToPage): void {
    if (!this.#isReady || this.#isIncomplete) return;
    const weight = this.#weigh(message);
    this.#waiting.push({ message, weight });
    this.#waitingWeight += weight;
    this.#sendWaiting();
    const { length } = this.#waiting;
    if (length > maxMessagesWaiting || (length > 1 && this.#waitingWeight > maxWeightWaiting)) {
      this.#forget();
      this.#isIncomplete = true;
    }
  }

  /** The page is there, for the first time or again, and shows nothing yet. */
  ready(snapshot: ToPage[]): void {
    this.#isReady = true;
    this.#inFlight.clear();
    this.#forget();
    this.#snapshot = snapshot.map((message) => ({ message, weight: this.#weigh(message) }));
    this.#send(true);
    this.#sendWaiting();
  }

  /** The page is gone for good: what is posted from now on is dropped. */
  close(): void {
    this.#isReady = false;
    this.#inFlight.clear();
    this.#forget();
  }

  /** The page has shown a post. */
  shown(post: number): void {
    if (!this.#inFlight.delete(post)) return;
    if (this.#isIncomplete) this.#showGap();
    else this.#sendWaiting();
  }

  #forget(): void {
    this.#snapshot = [];
    this.#snapshotPosted = 0;
    this.#waiting = [];
    this.#waitingWeight = 0;
    this.#isIncomplete = false;
  }

  /** The page shows posts after all: with this one it finds that some are missing. */
  #showGap(): void {
    this.#number += 2;
    this.#inFlight.clear();
    this.#deliver({ post: this.#number, snapshot: false, messages: [] });
  }

  #sendWaiting(): void {
    while (this.waiting > 0 && this.#send(false));
  }

  /** Posts what there is room for; false if there is none. With nothing in flight there is always room for one message. */
  #send(snapshot: boolean): boolean {
    if (this.#inFlight.size >= maxPostsInFlight) return false;
    const [messages, weight] = this.#loadInFlight();
    const post: Load = { messages: 0, weight: 0 };
    const isSnapshotLeft = this.#snapshot.length > 0;
    const [source, start] = isSnapshotLeft
      ? [this.#snapshot, this.#snapshotPosted]
      : [this.#waiting, 0];
    for (let at = start; at < source.length; at++) {
      const { weight: added } = source[at]!;
      const fits =
        messages + post.messages < maxMessagesInFlight &&
        weight + post.weight + added <= maxWeightInFlight;
      if (!fits && messages + post.messages > 0) break;
      post.messages++;
      post.weight += added;
    }
    if (post.messages === 0 && !snapshot) return false;
    this.#number++;
    this.#inFlight.set(this.#number, post);
    const taken = isSnapshotLeft ? this.#takeSnapshot(post.messages) : this.#takeWaiting(post);
    this.#deliver({
      post: this.#number,
      snapshot,
      messages: taken.map(({ message }) => message),
    });
    return true;
  }

  /** A snapshot can be long: what is posted is not moved out of it, but left behind. */
  #takeSnapshot(count: number): Waiting<ToPage>[] {
    const taken = this.#snapshot.slice(this.#snapshotPosted, this.#snapshotPosted + count);
    this.#snapshotPosted += count;
    if (this.#snapshotPosted === this.#snapshot.length) {
      this.#snapshot = [];
      this.#snapshotPosted = 0;
    }
    return taken;
  }

  #takeWaiting({ messages, weight }: Load): Waiting<ToPage>[] {
    this.#waitingWeight -= weight;
    return this.#waiting.splice(0, messages);
  }

  #loadInFlight(): [messages: number, weight: number] {
    let [messages, weight] = [0, 0];
    for (const load of this.#inFlight.values()) {
      messages += load.messages;
      weight += load.weight;
    }
    return [messages, weight];
  }
}
