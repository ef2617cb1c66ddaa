import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { commands } from "../../ids.ts";
import { runAction } from "../../shared/host/errorMessages.ts";
import type { ErrorAction } from "../../shared/errorExplanation.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { AgentAccess } from "../agentAccess.ts";
import type { ToHost, ToPage } from "../messages.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { eventMessage } from "../eventTexts.ts";
import { replay } from "../transcript.ts";
import { renameConnection } from "./chatAgents.ts";
import type { ChatSession } from "./chatSession.ts";
import type { Conversation } from "../conversation.ts";
import { suggestQuestions } from "../suggestions/suggestQuestions.ts";
import { handleText, isTextMessage, type TextHandling } from "./textActions.ts";
import { createChatTexts } from "../chatTexts.ts";

interface ChatPanelOptions extends TextHandling {
  session: ChatSession;
  post: PostToPage<ToPage>;
  access: AgentAccess;
  /** Returns what distinguishes the agent from one of the same name in another tab; undefined if there is none. */
  getDistinction: () => string | undefined;
  newConversation: (agent: AgentRef) => void;
}

/** For a tab's title and its parts, in characters. */
const maxTitleLength = 40;
const maxNameLength = 24;
const maxSuffixLength = 20;

export class ChatPanel implements PanelContent<ToHost, ToPage> {
  readonly session: ChatSession;
  readonly #options: ChatPanelOptions;
  /** Suggested questions for an empty conversation. */
  #suggested: string[] = [];
  readonly #suggesting = new AbortController();
  /** A question for the user to send, until the page has taken it. */
  #draft: string | undefined;

  constructor(options: ChatPanelOptions) {
    const { session, post } = options;
    this.#options = options;
    this.session = session;
    session.show((message) => {
      if (message.type === "event" && message.event.type === "asked") this.#suggesting.abort();
      post(message);
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
    const place = distinction === undefined ? "" : ` (${oneLine(distinction, maxSuffixLength)})`;
    if (called === undefined) return agent.name + place;
    const name = oneLine(agent.name, maxNameLength) + place;
    return oneLine(`${name}: ${called}`, maxTitleLength + place.length);
  }

  snapshot(): ToPage[] {
    const { transcript, offers } = this.session;
    const { access } = this.#options;
    const { chatId, agent } = transcript;
    return [
      {
        type: "begin",
        chatId,
        agent: renameConnection(agent, access),
        texts: createChatTexts(),
        locale: vscode.env.language,
        now: Date.now(),
      },
      ...[...replay(transcript)].map(eventMessage),
      ...[...offers].map(([run, { title }]): ToPage => ({ type: "offer", run, title })),
      ...(transcript.runs.length === 0 ? this.#suggestions() : []),
      { type: "upToDate" },
      ...(this.#draft === undefined ? [] : [{ type: "draft", draft: this.#draft } as const]),
    ];
  }

  receive(message: ToHost): void {
    if (isTextMessage(message)) {
      handleText(message, this.session.transcript, this.#options);
      return;
    }
    switch (message.type) {
      case "ask":
        this.conversation.ask(message.question);
        break;
      case "draftTaken":
        this.#draft = undefined;
        break;
      case "stop":
        this.conversation.stop();
        break;
      case "retry":
        this.conversation.retry(message.run);
        break;
      case "editAndAsk":
        this.conversation.editAndAsk(message.run, message.question);
        break;
      case "showBranch":
        this.conversation.showBranch(message.run);
        break;
      case "sendWaiting":
        this.conversation.sendWaiting(message.question);
        break;
      case "removeWaiting":
        this.conversation.removeWaiting(message.question);
        break;
      case "accept": {
        const action = this.session.offers.get(message.run);
        if (action) void this.#accept(action, message.run);
        break;
      }
      case "newConversation":
        this.#options.newConversation(this.session.transcript.agent);
        break;
      case "replay":
        // Only the page of a saved run sends it.
        break;
    }
  }

  /** Writes a question into the page's input; the user sends it. */
  setDraft(draft: string): void {
    this.#draft = draft;
    this.#options.post({ type: "draft", draft });
  }

  /** Opens the raw events of the last run, which may be running. */
  showRawEvents(): void {
    const run = this.session.transcript.runs.at(-1)?.id;
    if (run === undefined) return;
    const text = { of: "events", run } as const;
    handleText({ type: "open", text }, this.session.transcript, this.#options);
  }

  focusLastAnswer(): void {
    this.#options.post({ type: "focusLastAnswer" });
  }

  /** A running answer continues. */
  onClosed(): void {
    this.#suggesting.abort();
    this.session.hide();
  }

  /** Runs the action of a failed run. Asks again after the sample server was started. */
  async #accept(action: ErrorAction, run: number): Promise<void> {
    await runAction(action);
    if (action.command === commands.sampleServerStart) this.conversation.retry(run);
  }

  /** Suggests questions about the agent's data. The chat works as well without them. */
  async #suggest(): Promise<void> {
    const { transcript } = this.session;
    const { access, log, post } = this.#options;
    try {
      const data = await access.connectedData(transcript.agent, this.#suggesting.signal);
      this.#suggested = suggestQuestions(data);
      for (const message of this.#suggestions()) post(message);
    } catch (error) {
      if (!isCancelled(error)) {
        log.info(`Nothing to suggest for ${transcript.agent.name}: ${String(error)}`);
      }
    }
  }

  #suggestions(): ToPage[] {
    const { access } = this.#options;
    const { agent } = this.session.transcript;
    if (this.#suggested.length === 0) return [];
    // Leaves out questions that redaction would change.
    const questions = this.#suggested.filter(
      (question) => access.redact(question, agent) === question,
    );
    return [{ type: "suggest", questions }];
  }
}
