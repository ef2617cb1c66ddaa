// A conversation that is open in this window, with or without a panel: an answer is heard to its end when the panel is
// closed.
import type { Log } from "../../shared/host/log.ts";
import type { AgentAccess, Explanation } from "../agentAccess.ts";
import { Conversation } from "../conversation.ts";
import type { ToPage } from "../messages.ts";
import { forPage, type ChatEvent, type Transcript } from "../transcript.ts";
import type { ChatStore } from "./chatStore.ts";
import type { RawEventStore } from "./rawEventStore.ts";
import { conversationWords } from "./texts.ts";

type Action = NonNullable<Explanation["action"]>;

export interface ChatSessionOptions {
  transcript: Transcript;
  access: AgentAccess;
  store: ChatStore;
  rawEvents: RawEventStore;
  log: Log;
  /** Seconds an agent may take; 0 is no limit. */
  timeLimit: () => number;
  /** A run began or ended, or what came has been seen. */
  changed: () => void;
}

export class ChatSession {
  readonly conversation: Conversation;
  readonly #options: ChatSessionOptions;
  /** What helps with a failed run, by run. */
  readonly #offers = new Map<number, Action>();
  #post: ((message: ToPage) => void) | undefined;
  #isUnread = false;

  constructor(options: ChatSessionOptions) {
    const { transcript, access, log, timeLimit, store, rawEvents } = options;
    this.#options = options;
    this.conversation = new Conversation({
      transcript,
      access,
      timeLimit,
      words: conversationWords(),
      now: () => Date.now(),
      // Another window may have this conversation open too.
      nextId: (last) => Math.max(last + 1, Date.now()),
      happened: (event) => this.#happened(event),
      received: (run, redacted) => rawEvents.append(transcript.chatId, run, redacted),
      offered: (run, action) => this.#offer(run, action),
      failed: (what, error) => log.error(what, error),
    });
    store.open(transcript);
  }

  get transcript(): Transcript {
    return this.conversation.transcript;
  }

  /** True while a panel shows it. */
  get isShown(): boolean {
    return this.#post !== undefined;
  }

  /** True if a run has ended that no panel has shown. */
  get isUnread(): boolean {
    return this.#isUnread;
  }

  get offers(): ReadonlyMap<number, Action> {
    return this.#offers;
  }

  /** From now on `post` gets what happens. */
  show(post: (message: ToPage) => void): void {
    this.#post = post;
    if (!this.#isUnread) return;
    this.#isUnread = false;
    this.#options.changed();
  }

  /** Its panel is closed. */
  hide(): void {
    this.#post = undefined;
    this.#options.changed();
  }

  #happened(event: ChatEvent): void {
    const { store, changed } = this.#options;
    store.append(this.transcript.chatId, event);
    this.#post?.({ type: "event", event: forPage(event) });
    if (event.type === "ended" && !this.isShown) this.#isUnread = true;
    if (event.type === "asked" || event.type === "ended") changed();
  }

  #offer(run: number, action: Action): void {
    this.#offers.set(run, action);
    this.#post?.({ type: "offer", run, title: action.title });
  }
}
