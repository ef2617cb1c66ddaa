// The host behind one chat panel: a conversation, what its page asks for, and what it is told.
import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { runAction } from "../../shared/host/explain.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import type { AgentAccess, AgentRef, Explanation } from "../agentAccess.ts";
import type { TextRef, ToHost, ToPage } from "../messages.ts";
import { oneLine } from "../../shared/oneLine.ts";
import { forPage, replay, type ChatEvent, type Transcript } from "../transcript.ts";
import type { ChatStore } from "./chatStore.ts";
import { Conversation } from "../conversation.ts";
import type { RawEventStore } from "./rawEventStore.ts";
import { openLink } from "./links.ts";
import { suggestQuestions } from "../suggestions.ts";
import { chatTexts, conversationWords, questionWords } from "./texts.ts";
import { wholeText, type WholeTexts } from "./wholeTexts.ts";

export interface ChatPanelOptions {
  transcript: Transcript;
  post: PostToPage<ToPage>;
  access: AgentAccess;
  store: ChatStore;
  wholeTexts: WholeTexts;
  rawEvents: RawEventStore;
  log: Log;
  timeLimit: () => number;
  /** A run began or ended. */
  changed: () => void;
  newConversation: (agent: AgentRef) => void;
}

/** Of a tab and of the agent's name in it, in characters: the question begins within it. */
const longestTitle = 40;
const longestName = 24;

export class ChatPanel implements PanelContent<ToHost, ToPage> {
  readonly conversation: Conversation;
  readonly #options: ChatPanelOptions;
  /** What helps with a failed run, by run. */
  readonly #offers = new Map<number, NonNullable<Explanation["action"]>>();
  /** Questions to begin with, once they are known; of no use when something has been asked. */
  #suggested: string[] = [];
  readonly #suggesting = new AbortController();
  /** A question for the user to send, as long as the page has not taken it. */
  #draft: string | undefined;

  constructor(options: ChatPanelOptions) {
    const { transcript, access, log, timeLimit } = options;
    this.#options = options;
    this.conversation = new Conversation({
      transcript,
      access,
      timeLimit,
      words: conversationWords(),
      now: () => Date.now(),
      happened: (event) => this.#happened(event),
      received: (run, redacted) => options.rawEvents.append(transcript.chatId, run, redacted),
      offered: (run, action) => this.#offer(run, action),
      failed: (what, error) => log.error(what, error),
    });
    if (transcript.runs.length === 0) void this.#suggest();
  }

  /** Tells several conversations with one agent apart, by their first questions. */
  get title(): string {
    const { agent, runs } = this.conversation.transcript;
    const [first] = runs;
    if (!first) return agent.name;
    return oneLine(`${oneLine(agent.name, longestName)}: ${first.question}`, longestTitle);
  }

  snapshot(): ToPage[] {
    const { transcript } = this.conversation;
    const { access } = this.#options;
    const { chatId, agent } = transcript;
    // A connection may have been renamed since.
    const connection = access.connectionName(agent.connectionId) ?? agent.connection;
    return [
      {
        type: "begin",
        chatId,
        agent: { ...agent, connection },
        texts: chatTexts(),
        locale: vscode.env.language,
        now: Date.now(),
      },
      ...[...replay(transcript)].map(toPage),
      ...[...this.#offers].map(([run, { title }]): ToPage => ({ type: "offer", run, title })),
      ...(transcript.runs.length === 0 ? this.#suggestions() : []),
      { type: "upToDate" },
      ...(this.#draft === undefined ? [] : [{ type: "draft", draft: this.#draft } as const]),
    ];
  }

  receive(message: ToHost): void {
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
      case "accept": {
        const action = this.#offers.get(message.run);
        if (action) void runAction(action);
        break;
      }
      case "copy": {
        const found = wholeText(this.conversation.transcript, message.text);
        if (found) void vscode.env.clipboard.writeText(found.text);
        break;
      }
      case "copyText":
        void vscode.env.clipboard.writeText(message.text);
        break;
      case "open":
        void this.#open(message.text);
        break;
      case "openLink":
        void openLink(message.href);
        break;
      case "newConversation":
        this.#options.newConversation(this.conversation.transcript.agent);
        break;
    }
  }

  /** Writes a question for the user, who sends it or not. */
  propose(draft: string): void {
    this.#draft = draft;
    this.#options.post({ type: "draft", draft });
  }

  /** Opens the raw events of the last run, which may be under way. */
  showRawEvents(): void {
    const run = this.conversation.transcript.runs.at(-1)?.id;
    if (run !== undefined) void this.#open({ of: "events", run });
  }

  focusLastAnswer(): void {
    this.#options.post({ type: "focusLastAnswer" });
  }

  /** Nobody would see the answer any more. */
  closed(): void {
    const { chatId, runs } = this.conversation.transcript;
    this.#suggesting.abort();
    this.conversation.stop();
    this.#options.store.close(chatId);
    if (runs.length === 0) this.#options.store.remove(chatId);
  }

  /** Looks at what the agent is connected to. Without suggestions a chat is as good as any. */
  async #suggest(): Promise<void> {
    const { transcript } = this.conversation;
    const { access, log, post } = this.#options;
    try {
      const data = await access.connectedData(transcript.agent, this.#suggesting.signal);
      this.#suggested = suggestQuestions(data, questionWords());
      for (const message of this.#suggestions()) post(message);
    } catch (error) {
      if (!isCancelled(error)) {
        log.info(`Nothing to suggest for ${transcript.agent.name}: ${String(error)}`);
      }
    }
  }

  #suggestions(): ToPage[] {
    const { access } = this.#options;
    const { agent } = this.conversation.transcript;
    if (this.#suggested.length === 0) return [];
    // One with a secret in it would be asked with a mask.
    const questions = this.#suggested.filter(
      (question) => access.redact(question, agent) === question,
    );
    return [{ type: "suggest", questions }];
  }

  async #open(ref: TextRef): Promise<void> {
    const { wholeTexts, log } = this.#options;
    try {
      await wholeTexts.open(this.conversation.transcript, ref);
    } catch (error) {
      log.error("Could not open a text of a conversation", error);
    }
  }

  #happened(event: ChatEvent): void {
    const { store, post, changed } = this.#options;
    if (event.type === "asked") this.#suggesting.abort();
    store.append(this.conversation.transcript.chatId, event);
    post(toPage(event));
    if (event.type !== "stepped") changed();
  }

  #offer(run: number, action: NonNullable<Explanation["action"]>): void {
    this.#offers.set(run, action);
    this.#options.post({ type: "offer", run, title: action.title });
  }
}

function toPage(event: ChatEvent): ToPage {
  return { type: "event", event: forPage(event) };
}
