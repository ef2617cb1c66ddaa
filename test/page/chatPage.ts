// The chat page in a browser, with a transcript as its host.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ChatChannel } from "../../src/chat/chatChannel.ts";
import {
  chatCalls,
  savedRunCalls,
  type ChatItem,
  type ChatState,
  type SavedPage,
} from "../../src/chat/chatPage.ts";
import {
  emptyTranscript,
  reduce,
  type ChatEvent,
  type ChatHead,
  type Transcript,
} from "../../src/chat/transcript.ts";
import type { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { PanelPages, type MadeCall, type PageOptions, type StatePage } from "./panelPages.ts";

export { themeNames, type Theme } from "./panelPages.ts";

export interface ChatPageOptions extends PageOptions {
  head?: ChatHead;
  /** For the page of a saved run. */
  saved?: ChatState["saved"];
  canCreateViews?: boolean;
}

const pageCalls = { ...chatCalls, ...savedRunCalls };

const defaultHead: ChatHead = {
  chatId: "chat-1",
  agent: {
    connectionId: "local",
    connection: "127.0.0.1:47334",
    project: "mindsdb",
    name: "rentals_agent",
  },
};

/** Serves the page's files and opens them in one browser for a whole test file. */
export class ChatPages {
  readonly #pages: PanelPages;

  private constructor(pages: PanelPages) {
    this.#pages = pages;
  }

  static async start(): Promise<ChatPages> {
    return new ChatPages(await PanelPages.start("src/chat/page/chatPage.tsx", "Chat"));
  }

  get origin(): string {
    return this.#pages.origin;
  }

  /** Opens an empty page, with the content security policy or without. */
  openBare(policy: boolean): Promise<{ page: Page; watch: PageMonitor }> {
    return this.#pages.openBare(policy);
  }

  async open({
    head = defaultHead,
    saved,
    canCreateViews,
    ...options
  }: ChatPageOptions = {}): Promise<ChatPage> {
    const chat = { transcript: emptyTranscript(head) };
    const channel = new ChatChannel(() => chat.transcript);
    const state: ChatState = {
      ...head,
      suggestions: [],
      offers: {},
      ...(saved && { saved }),
      ...(canCreateViews && { canCreateViews }),
    };
    const page = await this.#pages.show(pageCalls, state, options, channel);
    return new ChatPage(page, channel, chat);
  }

  stop(): Promise<void> {
    return this.#pages.stop();
  }
}

/**
 * Pages for the tests of this block: `open` opens one, which the end of its test closes. Fails a test whose page has
 * thrown or violated its policy.
 */
export function useChatPages(): { open: (options?: ChatPageOptions) => Promise<ChatPage> } {
  let pages: ChatPages;
  let chat: ChatPage;
  before("start the browser", async () => {
    pages = await ChatPages.start();
  });
  after("stop the browser", () => pages.stop());
  afterEach("look for errors of the page", async () => {
    assert.deepEqual(chat.watch.errors, []);
    assert.deepEqual(chat.watch.violations, []);
    await chat.close();
  });
  return { open: async (options) => (chat = await pages.open(options)) };
}

/** One page and its host. */
export class ChatPage {
  readonly page: Page;
  readonly watch: PageMonitor;
  /** The calls that the page has made, in order. */
  readonly calls: MadeCall[];
  readonly #panel: StatePage<ChatState, typeof pageCalls>;
  readonly #channel: ChatChannel;
  readonly #chat: { transcript: Transcript };

  constructor(
    panel: StatePage<ChatState, typeof pageCalls>,
    channel: ChatChannel,
    chat: { transcript: Transcript },
  ) {
    this.page = panel.page;
    this.watch = panel.watch;
    this.calls = panel.calls;
    this.#panel = panel;
    this.#channel = channel;
    this.#chat = chat;
  }

  /** Applies an event that happens while the page is hidden: its next items have it. */
  tellLater(event: ChatEvent): void {
    reduce(this.#chat.transcript, event);
  }

  /** Applies events to the transcript and posts them. */
  tell(...events: ChatEvent[]): void {
    for (const event of events) {
      reduce(this.#chat.transcript, event);
      this.#channel.appendEvent(event);
    }
  }

  /** Posts what is no event, and resolves when it is shown. */
  async post(item: ChatItem): Promise<void> {
    this.#channel.append(item);
    await this.settled();
  }

  /** Changes the state beside the events, and resolves when it is shown. */
  update(change: Partial<ChatState>): Promise<void> {
    return this.#panel.update(change);
  }

  /** Begins again without any event, as a replay does. */
  restart(): void {
    const { chatId, agent } = this.#chat.transcript;
    this.#chat.transcript = emptyTranscript({ chatId, agent });
    this.#channel.restart();
  }

  /** Resolves when the page has shown everything. */
  settled(): Promise<void> {
    return this.#panel.settled();
  }

  /** Hides the page and shows it again: VS Code creates it again, with its saved state. */
  reload(): Promise<void> {
    return this.#panel.reload();
  }

  /** The page's saved state. */
  async state(): Promise<SavedPage> {
    return (await this.#panel.state()) as unknown as SavedPage;
  }

  close(): Promise<void> {
    return this.#panel.close();
  }
}
