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

interface Load {
  messages: number;
  weight: number;
}

/**
 * The host's end. What comes while enough is in flight waits and goes together in the next post, so a slow page gets fewer
 * and larger posts and a fast one gets each message at once.
 */
export class Outbox<ToPage> {
  readonly #deliver: (post: Post<ToPage>) => void;
  readonly #weigh: (message: ToPage) => number;
  #waiting: ToPage[] = [];
  /** The posts that are not shown yet, by number and in order. */
  readonly #inFlight = new Map<number, Load>();
  #number = 0;
  #isReady = false;

  constructor(deliver: (post: Post<ToPage>) => void, weigh: (message: ToPage) => number = () => 1) {
    this.#deliver = deliver;
    this.#weigh = weigh;
  }

  /** Posts a message, or keeps it for the next post. Before the page is ready it is dropped: the snapshot has it. */
  post(message: ToPage): void {
    if (!this.#isReady) return;
    this.#waiting.push(message);
    this.#sendWaiting();
  }

  /** The page is there, for the first time or again, and shows nothing yet. */
  ready(snapshot: ToPage[]): void {
    this.#isReady = true;
    this.#inFlight.clear();
    this.#waiting = [...snapshot];
    this.#send(true);
    this.#sendWaiting();
  }

  /** The page is gone for good: what is posted from now on is dropped. */
  close(): void {
    this.#isReady = false;
    this.#inFlight.clear();
    this.#waiting = [];
  }

  /** The page has shown a post. */
  shown(post: number): void {
    if (this.#inFlight.delete(post)) this.#sendWaiting();
  }

  #sendWaiting(): void {
    while (this.#waiting.length > 0 && this.#send(false));
  }

  /** Posts what there is room for; false if there is none. With nothing in flight there is always room for one message. */
  #send(snapshot: boolean): boolean {
    if (this.#inFlight.size >= maxPostsInFlight) return false;
    const [messages, weight] = this.#loadInFlight();
    const post: Load = { messages: 0, weight: 0 };
    for (const message of this.#waiting) {
      const added = this.#weigh(message);
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
    const taken = this.#waiting.splice(0, post.messages);
    this.#deliver({ post: this.#number, snapshot, messages: taken });
    return true;
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
