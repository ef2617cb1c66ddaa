// How a host posts to its page: numbered, one post in flight, and a whole snapshot whenever the page says it is ready.

/** One post. Numbers go up by one; a page that meets a gap says `ready` again. A snapshot may take several posts. */
export interface Post<ToPage> {
  post: number;
  /** True for the first post of a snapshot: the page forgets what it shows and starts anew. */
  snapshot: boolean;
  messages: ToPage[];
}

/** What a page says about posts, beside its feature's own messages. */
export type PostReply = { type: "ready" } | { type: "shown"; post: number };

/** No post holds more messages, so that a page never has too much to do at once. */
const MESSAGES_PER_POST = 500;

/** Nor more weight, as long as it holds more than one message; in characters, roughly. */
const WEIGHT_PER_POST = 1_000_000;

/**
 * The host's end. What comes while a post is in flight waits and goes together in the next one, so a slow page gets
 * fewer and larger posts and a fast one gets each message at once.
 */
export class Outbox<ToPage> {
  readonly #deliver: (post: Post<ToPage>) => void;
  readonly #weigh: (message: ToPage) => number;
  #waiting: ToPage[] = [];
  #number = 0;
  #state: "notReady" | "idle" | "inFlight" = "notReady";

  constructor(deliver: (post: Post<ToPage>) => void, weigh: (message: ToPage) => number = () => 1) {
    this.#deliver = deliver;
    this.#weigh = weigh;
  }

  /** Posts a message, or keeps it for the next post. Before the page is ready it is dropped: the snapshot has it. */
  post(message: ToPage): void {
    if (this.#state === "notReady") return;
    this.#waiting.push(message);
    if (this.#state === "idle") this.#send(false);
  }

  /** The page is there, for the first time or again, and shows nothing yet. */
  ready(snapshot: ToPage[]): void {
    this.#waiting = [...snapshot];
    this.#send(true);
  }

  /** The page is gone for good: what is posted from now on is dropped. */
  close(): void {
    this.#state = "notReady";
    this.#waiting = [];
  }

  /** The page has shown a post. */
  shown(post: number): void {
    if (this.#state !== "inFlight" || post !== this.#number) return;
    this.#state = "idle";
    if (this.#waiting.length > 0) this.#send(false);
  }

  #send(snapshot: boolean): void {
    let count = 0;
    let weight = 0;
    for (const message of this.#waiting) {
      weight += this.#weigh(message);
      if (count === MESSAGES_PER_POST || (count > 0 && weight > WEIGHT_PER_POST)) break;
      count++;
    }
    this.#state = "inFlight";
    this.#number++;
    this.#deliver({ post: this.#number, snapshot, messages: this.#waiting.splice(0, count) });
  }
}
