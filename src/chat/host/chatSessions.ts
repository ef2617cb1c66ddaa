// The conversations that are open in this window, with or without a panel.
import { isSameItem, type AgentRef } from "../../mindsdb/references.ts";
import type { Transcript } from "../transcript.ts";
import type { ChatStore } from "./chatStore.ts";
import { ChatSession, type AgentActivity, type ChatSessionOptions } from "./chatSession.ts";

export class ChatSessions {
  readonly #options: Omit<ChatSessionOptions, "transcript">;
  readonly #store: ChatStore;
  readonly #onChanged: () => void;
  readonly #open = new Map<string, ChatSession>();

  constructor(options: Omit<ChatSessionOptions, "transcript">) {
    this.#store = options.store;
    this.#options = { ...options, onChanged: () => this.#changed() };
    this.#onChanged = options.onChanged;
  }

  /** All of them, the oldest first. */
  get all(): ChatSession[] {
    return [...this.#open.values()];
  }

  /** Returns the session of a conversation; the same one while it is open. */
  open(transcript: Transcript): ChatSession {
    const open = this.#open.get(transcript.chatId);
    if (open) return open;
    const session = new ChatSession({ ...this.#options, transcript });
    this.#open.set(transcript.chatId, session);
    return session;
  }

  find(chatId: string): ChatSession | undefined {
    return this.#open.get(chatId);
  }

  /** Returns the newest session with this agent. */
  findByAgent(agent: AgentRef): ChatSession | undefined {
    return this.all.findLast(({ transcript }) => isSameItem(transcript.agent, agent));
  }

  /** Returns the activity of an agent's conversations that have no panel. */
  getActivity(agent: AgentRef): AgentActivity | undefined {
    const hidden = this.all
      .filter((session) => !session.isShown && isSameItem(session.transcript.agent, agent))
      .map(({ activity }) => activity);
    return hidden.find((activity) => activity === "answering") ?? hidden.find(Boolean);
  }

  /** Stops and releases a conversation. */
  end(chatId: string): void {
    const session = this.#open.get(chatId);
    if (!session) return;
    session.conversation.stop();
    this.#close(session);
    this.#onChanged();
  }

  /** The window closes: running answers will be read as cut off. */
  abandon(): void {
    for (const { conversation } of this.all) conversation.abandon();
  }

  /** Releases a session without a panel that has no unread answer. */
  #changed(): void {
    for (const session of this.all) {
      if (!session.isShown && session.activity === undefined) this.#close(session);
    }
    this.#onChanged();
  }

  #close({ transcript }: ChatSession): void {
    this.#open.delete(transcript.chatId);
    this.#store.close(transcript.chatId);
    if (transcript.runs.length === 0) this.#store.remove(transcript.chatId);
  }
}
