import { isAppError, isCancelled } from "../../mindsdb/errors.ts";
import { mask } from "../../mindsdb/redact/secretNames.ts";
import { commands } from "../../ids.ts";
import { runAction } from "../../shared/host/errorMessages.ts";
import type { Page } from "../../shared/host/pages.ts";
import { HostState } from "../../shared/hostState.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import type { AgentAccess } from "../agentAccess.ts";
import { ChatChannel } from "../chatChannel.ts";
import type { ChatCalls, ChatState } from "../chatPage.ts";
import { oneLine } from "../../shared/oneLine.ts";
import type { ChatEvent } from "../transcript.ts";
import { renameConnection } from "./chatAgents.ts";
import type { ChatSession } from "./chatSession.ts";
import type { Conversation } from "../conversation.ts";
import { suggestQuestions } from "../suggestions/suggestQuestions.ts";
import { createTextHandlers, type TextHandling } from "./textActions.ts";

interface ChatPanelOptions extends TextHandling {
  session: ChatSession;
  access: AgentAccess;
  /** Returns what distinguishes the agent from one of the same name in another tab; undefined if there is none. */
  getDistinction: () => string | undefined;
}

/** For a tab's title and its parts, in characters. */
const maxTitleLength = 40;
const maxNameLength = 24;
const maxSuffixLength = 20;

/** Follows the agent's name in a tab's title. */
function formatDistinction(distinction: string): string {
  return ` (${oneLine(distinction, maxSuffixLength)})`;
}

/** Returns which of these distinguishes the agent in a tab's title; undefined if none does. */
export function readDistinction(
  title: string,
  agentName: string,
  distinctions: string[],
): string | undefined {
  const names = [agentName, oneLine(agentName, maxNameLength)];
  return distinctions.find((one) =>
    names.some((name) => title.startsWith(name + formatDistinction(one))),
  );
}

export class ChatPanel implements Page<ChatCalls> {
  readonly session: ChatSession;
  readonly state: HostState<ChatState>;
  readonly channel: ChatChannel;
  readonly handlers: Handlers<ChatCalls>;
  readonly #options: ChatPanelOptions;
  readonly #suggesting = new AbortController();
  #drafts = 0;
  /** Nothing could be suggested, because the server was not reachable. */
  #lacksServer = false;

  constructor(options: ChatPanelOptions) {
    const { session } = options;
    const { chatId } = session.transcript;
    this.#options = options;
    this.session = session;
    const agent = this.#nameAgent();
    this.state = new HostState<ChatState>({
      chatId,
      agent,
      suggestions: [],
      offers: this.#listOffers(),
      canCreateViews: this.#canCreateViews(),
    });
    this.channel = new ChatChannel(() => session.transcript);
    this.handlers = this.#createHandlers();
    session.show({
      onEvent: (event) => this.#showEvent(event),
      onOffer: () => this.state.update({ offers: this.#listOffers() }),
    });
    if (session.transcript.runs.length === 0) void this.#suggest();
  }

  get conversation(): Conversation {
    return this.session.conversation;
  }

  get connectionId(): string {
    return this.session.transcript.agent.connectionId;
  }

  /** Agent, and given name or first question, so that conversations can be told apart. */
  get title(): string {
    const { agent, runs, title } = this.session.transcript;
    const called = title ?? runs[0]?.question;
    const distinction = this.#options.getDistinction();
    const place = distinction === undefined ? "" : formatDistinction(distinction);
    if (called === undefined) return agent.name + place;
    const name = oneLine(agent.name, maxNameLength) + place;
    return oneLine(`${name}: ${called}`, maxTitleLength + place.length);
  }

  /** Writes a question into the page's input; the user sends it. */
  setDraft(text: string): void {
    this.state.update({ draft: { id: ++this.#drafts, text } });
  }

  /** Opens the raw events of the last run, which may be running. */
  showRawEvents(): void {
    const run = this.session.transcript.runs.at(-1)?.id;
    if (run !== undefined) this.handlers.open({ of: "events", run });
  }

  focusLastAnswer(): void {
    this.channel.append({ type: "focusLastAnswer" });
  }

  /** The user may have renamed the connection, which a new page shows, or protected it. */
  noteConnection(): void {
    this.state.note({ agent: this.#nameAgent() });
    const canCreateViews = this.#canCreateViews();
    if (canCreateViews !== this.state.current.canCreateViews) this.state.update({ canCreateViews });
  }

  /** The agent's server has answered somebody. */
  noteServerAnswer(): void {
    if (this.#lacksServer && !this.#suggesting.signal.aborted) void this.#suggest();
  }

  /** A running answer continues. */
  onClosed(): void {
    this.#suggesting.abort();
    this.session.hide();
  }

  #createHandlers(): Handlers<ChatCalls> {
    const { conversation } = this;
    return {
      ...createTextHandlers(() => this.session.transcript, this.#options),
      ask: (question) => conversation.ask(question),
      noteDraftTaken: (id) => {
        if (this.state.current.draft?.id === id) this.state.update({ draft: undefined });
      },
      stop: () => conversation.stop(),
      retry: (run) => conversation.retry(run),
      editAndAsk: (run, question) => conversation.editAndAsk(run, question),
      showBranch: (run) => conversation.showBranch(run),
      sendWaiting: (question) => conversation.sendWaiting(question),
      removeWaiting: (question) => conversation.removeWaiting(question),
      acceptOffer: (run) => this.#acceptOffer(run),
    };
  }

  #nameAgent(): ChatState["agent"] {
    return renameConnection(this.session.transcript.agent, this.#options.access);
  }

  #canCreateViews(): boolean {
    return this.#options.access.acceptsChanges(this.connectionId);
  }

  #listOffers(): ChatState["offers"] {
    return Object.fromEntries([...this.session.offers].map(([run, { title }]) => [run, title]));
  }

  #showEvent(event: ChatEvent): void {
    if (event.type === "asked") {
      this.#suggesting.abort();
      if (this.state.current.suggestions.length > 0) this.state.update({ suggestions: [] });
    }
    this.channel.appendEvent(event);
  }

  /** Runs the action of a failed run. Asks again after the sample server was started. */
  async #acceptOffer(run: number): Promise<void> {
    const action = this.session.offers.get(run);
    if (!action) return;
    await runAction(action);
    if (action.command === commands.sampleServerStart) this.conversation.retry(run);
  }

  /** Suggests questions about the agent's data. The chat works as well without them. */
  async #suggest(): Promise<void> {
    const { agent } = this.session.transcript;
    const { access, log } = this.#options;
    this.#lacksServer = false;
    try {
      const data = await access.connectedData(agent, this.#suggesting.signal);
      // Leaves out questions with a secret, also one that was hidden in what the server answered.
      const suggestions = suggestQuestions(data).filter(
        (question) => !access.redact(question, agent).includes(mask),
      );
      if (!this.#suggesting.signal.aborted) this.state.update({ suggestions });
    } catch (error) {
      this.#lacksServer = isAppError(error, "unreachable");
      if (!isCancelled(error)) log.info(`Nothing to suggest for ${agent.name}: ${String(error)}`);
    }
  }
}
