// Posts messages from a host to its page: numbered, with flow control, and a snapshot whenever the page is ready.

/** One post. Numbers increase by one; a page that sees a gap sends `ready` again. A snapshot can take several posts. */
export interface Post<ToPage> {
  post: number;
  /** True for the first post of a snapshot: the page discards its content. */
  snapshot: boolean;
  messages: ToPage[];
}

/** Messages from a page about posts. */
export type PostReply = { type: "ready" } | { type: "shown"; post: number };

/** Maximum posts in flight, so that a message need not wait until the previous one is shown. */
const maxPostsInFlight = 8;

/** Maximum messages in flight, so that a page stays responsive. */
const maxMessagesInFlight = 500;

/** Maximum size in flight, in characters (estimated). A single message may exceed it. */
const maxWeightInFlight = 1_000_000;

/**
 * Limits for waiting messages after the snapshot, because a hidden page takes none. Beyond them the messages are dropped;
 * a new snapshot contains them.
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
 * The host's side. While enough is in flight, messages wait and are sent together in the next post: a slow page gets fewer
 * and larger posts, a fast one gets each message at once. If too much waits, all of it is dropped and a post number is
 * skipped: the page notices the gap and requests a snapshot.
 */
export class Outbox<ToPage> {
  readonly #deliver: (post: Post<ToPage>) => void;
  readonly #weigh: (message: ToPage) => number;
  #snapshot: Waiting<ToPage>[] = [];
  /** Number of snapshot messages that have been posted. */
  #snapshotPosted = 0;
  /** Messages posted after the snapshot was taken. */
  #waiting: Waiting<ToPage>[] = [];
  #waitingWeight = 0;
  /** True after messages were dropped; the page then needs a new snapshot. */
  #isIncomplete = false;
  /** Posts that the page has not shown yet, by number. */
  readonly #inFlight = new Map<number, Load>();
  #number = 0;
  #isReady = false;

  constructor(deliver: (post: Post<ToPage>) => void, weigh: (message: ToPage) => number = () => 1) {
    this.#deliver = deliver;
    this.#weigh = weigh;
  }

  get waiting(): number {
    return this.#snapshot.length - this.#snapshotPosted + this.#waiting.length;
  }

  /** Posts or queues a message. Before the page is ready it is dropped, since the snapshot will contain it. */
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

  /** Call when the page has loaded or reloaded. */
  ready(snapshot: ToPage[]): void {
    this.#isReady = true;
    this.#inFlight.clear();
    this.#forget();
    this.#snapshot = snapshot.map((message) => ({ message, weight: this.#weigh(message) }));
    this.#send(true);
    this.#sendWaiting();
  }

  /** Call when the page is closed; later messages are dropped. */
  close(): void {
    this.#isReady = false;
    this.#inFlight.clear();
    this.#forget();
  }

  /** Call when the page has shown a post. */
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

  /** Posts an empty message with a gap in the numbers, so that the page asks for a snapshot. */
  #showGap(): void {
    this.#number += 2;
    this.#inFlight.clear();
    this.#deliver({ post: this.#number, snapshot: false, messages: [] });
  }

  #sendWaiting(): void {
    while (this.waiting > 0 && this.#send(false));
  }

  /** Posts as many messages as the limits allow; false if none. With nothing in flight, one message is always posted. */
  #send(snapshot: boolean): boolean {
    if (this.#inFlight.size >= maxPostsInFlight) return false;
    const [messages, weight] = this.#loadInFlight();
    const load: Load = { messages: 0, weight: 0 };
    const isSnapshotLeft = this.#snapshot.length > 0;
    const [source, start] = isSnapshotLeft
      ? [this.#snapshot, this.#snapshotPosted]
      : [this.#waiting, 0];
    for (let at = start; at < source.length; at++) {
      const { weight: added } = source[at]!;
      const fits =
        messages + load.messages < maxMessagesInFlight &&
        weight + load.weight + added <= maxWeightInFlight;
      if (!fits && messages + load.messages > 0) break;
      load.messages++;
      load.weight += added;
    }
    if (load.messages === 0 && !snapshot) return false;
    this.#number++;
    this.#inFlight.set(this.#number, load);
    const taken = isSnapshotLeft ? this.#takeSnapshot(load.messages) : this.#takeWaiting(load);
    this.#deliver({
      post: this.#number,
      snapshot,
      messages: taken.map(({ message }) => message),
    });
    return true;
  }

  /** Takes the next snapshot messages without shifting the array, which can be long. */
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
