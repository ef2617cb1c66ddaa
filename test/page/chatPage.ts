// The chat page in a browser, with a transcript as its host.
import type { Page } from "playwright-core";
import type { PageState, ToHost, ToPage } from "../../src/chat/messages.ts";
import { countText, trimForPage } from "../../src/chat/eventTexts.ts";
import {
  emptyTranscript,
  reduce,
  replay,
  type ChatEvent,
  type ChatHead,
  type Transcript,
} from "../../src/chat/transcript.ts";
import type { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { PanelPages, type PageOptions, type PanelPage, type Theme } from "./panelPages.ts";

const { createChatTexts } = await import("../../src/chat/host/texts.ts");

export type { Theme };

export interface ChatPageOptions extends PageOptions {
  head?: ChatHead;
}

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

  async open({ head = defaultHead, ...options }: ChatPageOptions = {}): Promise<ChatPage> {
    const transcript = emptyTranscript(head);
    const panel = await this.#pages.open<ToHost, ToPage>(
      () => [begin(transcript), ...[...replay(transcript)].map(toPage), { type: "upToDate" }],
      options,
      (message) => (message.type === "event" ? countText(message.event) : 1),
    );
    return new ChatPage(panel, transcript);
  }

  stop(): Promise<void> {
    return this.#pages.stop();
  }
}

/** Returns the first message to a page. */
export function begin({ chatId, agent }: ChatHead): ToPage {
  return { type: "begin", chatId, agent, texts: createChatTexts(), locale: "en", now: Date.now() };
}

function toPage(event: ChatEvent): ToPage {
  return { type: "event", event: trimForPage(event) };
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

  /** Applies events to the transcript and posts them. */
  tell(...events: ChatEvent[]): void {
    for (const event of events) {
      reduce(this.#transcript, event);
      this.post(toPage(event));
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
