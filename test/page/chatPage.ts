// The chat page in a browser, with a transcript as its host.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { PageState, ToHost, ToPage } from "../../src/chat/messages.ts";
import { createChatTexts } from "../../src/chat/chatTexts.ts";
import { countText, eventMessage } from "../../src/chat/eventTexts.ts";
import {
  emptyTranscript,
  reduce,
  replay,
  type ChatEvent,
  type ChatHead,
  type Transcript,
} from "../../src/chat/transcript.ts";
import type { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { PanelPages, type PageOptions, type PanelPage } from "./panelPages.ts";

export { themeNames, type Theme } from "./panelPages.ts";

export interface ChatPageOptions extends PageOptions {
  head?: ChatHead;
  /** For the page of a saved run. */
  saved?: Begin["saved"];
}

type Begin = Extract<ToPage, { type: "begin" }>;

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
    return new ChatPages(await PanelPages.start("src/chat/page/main.ts", "Chat"));
  }

  get origin(): string {
    return this.#pages.origin;
  }

  /** Opens an empty page, with the content security policy or without. */
  openBare(policy: boolean): Promise<{ page: Page; watch: PageMonitor }> {
    return this.#pages.openBare(policy);
  }

  async open({ head = defaultHead, saved, ...options }: ChatPageOptions = {}): Promise<ChatPage> {
    const transcript = emptyTranscript(head);
    const panel = await this.#pages.open<ToHost, ToPage>(
      () => [
        begin(transcript, saved),
        ...[...replay(transcript)].map(eventMessage),
        { type: "upToDate" },
      ],
      options,
      (message) => (message.type === "event" ? countText(message.event) : 1),
    );
    return new ChatPage(panel, transcript);
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

/** Returns the first message to a page. */
export function begin({ chatId, agent }: ChatHead, saved?: Begin["saved"]): ToPage {
  const texts = createChatTexts();
  return { type: "begin", chatId, agent, texts, locale: "en", now: Date.now(), saved };
}

/** One page and its host. */
export class ChatPage {
  readonly page: Page;
  readonly watch: PageMonitor;
  /** The messages that the page has sent, in order. */
  readonly sent: ToHost[];
  readonly #panel: PanelPage<ToHost, ToPage>;
  readonly #transcript: Transcript;

  constructor(panel: PanelPage<ToHost, ToPage>, transcript: Transcript) {
    this.page = panel.page;
    this.watch = panel.watch;
    this.sent = panel.sent;
    this.#panel = panel;
    this.#transcript = transcript;
  }

  /** How often the page asked for a snapshot. */
  get readies(): number {
    return this.#panel.readies;
  }

  /** Applies an event that happens while the page is hidden: its next snapshot has it. */
  tellLater(event: ChatEvent): void {
    reduce(this.#transcript, event);
  }

  /** Applies events to the transcript and posts them. */
  tell(...events: ChatEvent[]): void {
    for (const event of events) {
      reduce(this.#transcript, event);
      this.post(eventMessage(event));
    }
  }

  post(message: ToPage): void {
    this.#panel.send(message);
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
  async state(): Promise<PageState> {
    return (await this.#panel.state()) as unknown as PageState;
  }

  close(): Promise<void> {
    return this.#panel.close();
  }
}
