// A conversation that is open in this window, with or without a panel: a run continues when the panel is closed.
import type { Log } from "../../shared/host/log.ts";
import type { AgentAccess } from "../agentAccess.ts";
import type { ErrorAction } from "../../shared/errorExplanation.ts";
import { Conversation } from "../conversation.ts";
import type { ChatEvent, Transcript } from "../transcript.ts";
import type { ChatStore } from "./chatStore.ts";
import type { RawEventStore } from "./rawEventStore.ts";

/** For an agent's badge in the tree, and the icon of a conversation. */
export type AgentActivity = "answering" | "unread";

export interface ChatSessionOptions {
  transcript: Transcript;
  access: AgentAccess;
  store: ChatStore;
  rawEvents: RawEventStore;
  log: Log;
  /** Seconds an agent may take; 0 is no limit. */
  timeLimit: () => number;
  /** A run started or ended, or an answer was shown. */
  onChanged: () => void;
}

/** A panel's reactions to events of its conversation. */
interface ShownSession {
  onEvent: (event: ChatEvent) => void;
  onOffer: () => void;
}

export class ChatSession {
  readonly conversation: Conversation;
  readonly #options: ChatSessionOptions;
  /** Actions for failed runs, by run. */
  readonly #offers = new Map<number, ErrorAction>();
  #shown: ShownSession | undefined;
  /** A run has ended without a panel. */
  #isUnread = false;

  constructor(options: ChatSessionOptions) {
    const { transcript, access, log, timeLimit, store, rawEvents } = options;
    this.#options = options;
    this.conversation = new Conversation({
      transcript,
      access,
      timeLimit,
      now: () => Date.now(),
      // Another window may have this conversation open too.
      nextId: (last) => Math.max(last + 1, Date.now()),
      onEvent: (event) => this.#handleEvent(event),
      onFrame: (run, redacted, at) => rawEvents.append(transcript.chatId, run, redacted, at),
      onOffer: (run, action) => this.#offer(run, action),
      onError: (what, error) => log.error(what, error),
    });
    store.open(transcript);
  }

  get transcript(): Transcript {
    return this.conversation.transcript;
  }

  /** True while a panel shows the conversation. */
  get isShown(): boolean {
    return this.#shown !== undefined;
  }

  /** The state that a user should see of a conversation that may have no panel. */
  get activity(): AgentActivity | undefined {
    if (this.conversation.running) return "answering";
    return this.#isUnread ? "unread" : undefined;
  }

  get offers(): ReadonlyMap<number, ErrorAction> {
    return this.#offers;
  }

  /** A panel shows the conversation from now on. */
  show(shown: ShownSession): void {
    this.#shown = shown;
    if (!this.#isUnread) return;
    this.#isUnread = false;
    this.#options.onChanged();
  }

  /** The panel was closed. */
  hide(): void {
    this.#shown = undefined;
    this.#options.onChanged();
  }

  #handleEvent(event: ChatEvent): void {
    const { store, onChanged } = this.#options;
    store.append(this.transcript.chatId, event);
    this.#shown?.onEvent(event);
    if (event.type === "ended" && !this.isShown) this.#isUnread = true;
    if (event.type === "asked" || event.type === "ended") onChanged();
  }

  #offer(run: number, action: ErrorAction): void {
    this.#offers.set(run, action);
    this.#shown?.onOffer();
  }
}
