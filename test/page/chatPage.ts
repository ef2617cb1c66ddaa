// The chat's page in a browser, under its real policy. The host at the other end is ours, with the real outbox.
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Browser, Page } from "playwright-core";
import type { PageState, ToHost, ToPage } from "../../src/chat/messages.ts";
import {
  emptyTranscript,
  trimForPage,
  reduce,
  replay,
  countText,
  type ChatEvent,
  type ChatHead,
} from "../../src/chat/transcript.ts";
import { pageHtml } from "../../src/shared/pageHtml.ts";
import { Outbox, type PostReply } from "../../src/shared/outbox.ts";
import { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { launchBrowser } from "../vscode/browser.ts";
import { fakeApi, setTheme, type Theme } from "./panelPages.ts";
import themes from "./themes.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "..", "..");

const { createChatTexts } = await import("../../src/chat/host/texts.ts");

export type { Theme };

export interface ChatPageOptions {
  theme?: Theme;
  width?: number;
  height?: number;
  head?: ChatHead;
}

const head: ChatHead = {
  chatId: "chat-1",
  agent: {
    connectionId: "local",
    connection: "127.0.0.1:47334",
    project: "mindsdb",
    name: "rentals_agent",
  },
};

/** Serves the page's files and a browser to open them in; one for a whole test file. */
export class ChatPages {
  readonly origin: string;
  readonly browser: Browser;
  readonly #server: http.Server;

  private constructor(server: http.Server, browser: Browser) {
    this.#server = server;
    this.browser = browser;
    this.origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  static async start(): Promise<ChatPages> {
    const files = await buildPage();
    const types = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
    const server = http.createServer((request, response) => {
      const name = new URL(request.url ?? "/", "http://127.0.0.1").pathname.slice(1);
      const body = files.get(name) ?? htmlFile(name, `http://${String(request.headers.host)}`);
      const type = types[path.extname(name) as keyof typeof types] ?? "text/html";
      response.writeHead(body === undefined ? 404 : 200, { "content-type": type });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ChatPages(server, await launchBrowser());
  }

  /** A page of ours with nothing in it, under the policy or without any. */
  async openBare(policy: boolean): Promise<{ page: Page; watch: PageMonitor }> {
    const page = await (await this.browser.newContext()).newPage();
    const watch = new PageMonitor(page, this.origin);
    await page.goto(`${this.origin}/${policy ? "policy" : "bare"}.html`);
    return { page, watch };
  }

  async open(options: ChatPageOptions = {}): Promise<ChatPage> {
    const { width = 800, height = 900, theme = "dark" } = options;
    const context = await this.browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    const chat = new ChatPage(page, this.origin, options.head ?? head);
    await chat.connect(theme);
    return chat;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** How a host starts its page. */
export function begin({ chatId, agent }: ChatHead): ToPage {
  return { type: "begin", chatId, agent, texts: createChatTexts(), locale: "en", now: Date.now() };
}

/** One page and its host. */
export class ChatPage {
  readonly page: Page;
  readonly watch: PageMonitor;
  /** What the page sent, in order. */
  readonly sent: ToHost[] = [];
  /** How often the page asked for everything. */
  readies = 0;
  readonly #origin: string;
  readonly #transcript;
  readonly #outbox: Outbox<ToPage>;
  #shown = 0;
  #posted = 0;

  constructor(page: Page, origin: string, chatHead: ChatHead) {
    this.page = page;
    this.#origin = origin;
    this.#transcript = emptyTranscript(chatHead);
    this.watch = new PageMonitor(page, origin);
    this.#outbox = new Outbox<ToPage>(
      (post) => {
        this.#posted = post.post;
        // As JSON: playwright takes longer to hand an object over than the page to show it. A page that is going away
        // gets nothing, as in VS Code.
        page
          .evaluate((json) => window.postMessage(JSON.parse(json)), JSON.stringify(post))
          .catch(() => undefined);
      },
      (message) => (message.type === "event" ? countText(message.event) : 1),
    );
  }

  async connect(theme: Theme): Promise<void> {
    await this.page.exposeFunction("toHost", (message: ToHost | PostReply) => {
      this.#receive(message);
    });
    await this.page.addInitScript(fakeApi);
    await this.page.addInitScript(setTheme, themes[theme]);
    await this.page.goto(this.#origin);
    await this.settled();
  }

  /** Things happen on the host. */
  tell(...events: ChatEvent[]): void {
    for (const event of events) {
      reduce(this.#transcript, event);
      this.post({ type: "event", event: trimForPage(event) });
    }
  }

  post(message: ToPage): void {
    this.#outbox.post(message);
  }

  /** Resolves when the page has shown everything. */
  async settled(): Promise<void> {
    const end = Date.now() + 60_000;
    while (this.#shown === 0 || this.#shown < this.#posted) {
      if (Date.now() > end) throw new Error("The page did not show what it got");
      await this.page.waitForTimeout(10);
    }
    await this.page.evaluate(() => new Promise(requestAnimationFrame));
  }

  /** Hides the page and shows it again: VS Code makes it anew, with the state that it saved. */
  async reload(): Promise<void> {
    this.#shown = 0;
    await this.page.reload();
    await this.settled();
  }

  /** What the page has saved. */
  state(): Promise<PageState> {
    return this.page.evaluate(
      () => JSON.parse(sessionStorage.getItem("state") ?? "{}") as PageState,
    );
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  #receive(message: ToHost | PostReply): void {
    if (message.type === "ready") {
      this.readies++;
      this.#outbox.ready([
        begin(this.#transcript),
        ...[...replay(this.#transcript)].map((event): ToPage => ({
          type: "event",
          event: trimForPage(event),
        })),
        { type: "upToDate" },
      ]);
    } else if (message.type === "shown") {
      this.#shown = message.post;
      this.#outbox.shown(message.post);
    } else {
      this.sent.push(message);
    }
  }
}

async function buildPage(): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await esbuild.build({
    entryPoints: { chat: path.join(root, "src/chat/page/main.ts") },
    outdir: root,
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2023",
    logLevel: "warning",
  });
  const files = new Map(outputFiles.map((file) => [path.basename(file.path), file.contents]));
  for (const name of ["codicon.css", "codicon.ttf"]) {
    const file = path.join(root, "node_modules/@vscode/codicons/dist", name);
    files.set(name, fs.readFileSync(file));
  }
  return files;
}

/** The chat's page, and two pages with an empty body for comparison. */
function htmlFile(name: string, origin: string): string | undefined {
  if (name === "") return html(origin);
  const withoutScript = html(origin).replace(/<script.*<\/script>/, "");
  if (name === "policy.html") return withoutScript;
  return name === "bare.html" ? withoutScript.replace(/<meta http-equiv.*>/, "") : undefined;
}

function html(origin: string): string {
  return pageHtml({
    title: "Chat",
    language: "en",
    script: `${origin}/chat.js`,
    styles: `${origin}/chat.css`,
    icons: `${origin}/codicon.css`,
    source: origin,
    nonce: "bm9uY2U=",
  });
}
