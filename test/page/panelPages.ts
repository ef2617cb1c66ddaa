// A panel's page in a browser, with its content security policy. The test is the host, with the real outbox.
import fs from "node:fs";
import http from "node:http";
import { registerHooks } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Browser, Page } from "playwright-core";
import { pageHtml } from "../../src/shared/pageHtml.ts";
import { Outbox, type PostReply } from "../../src/shared/outbox.ts";
import { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { launchBrowser } from "../../scripts/vscode/browser.ts";
import themes from "./themes.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "..", "..");

// The texts of pages come from the host.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode"
      ? { url: import.meta.resolve("./vscodeStub.ts"), shortCircuit: true }
      : next(specifier, context),
});

export type Theme = keyof typeof themes;
/** The themes to test a page in: those of $THEMES, by default all. */
export const themeNames = (process.env["THEMES"]?.split(",") ?? Object.keys(themes)) as Theme[];

export interface PageOptions {
  theme?: Theme;
  width?: number;
  height?: number;
}

/** Serves a page's files and opens it in one browser for a whole test file. */
export class PanelPages {
  readonly #server: http.Server;
  readonly #browser: Browser;

  private constructor(server: http.Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
  }

  /** `entry` is the page's script, relative to the repository. */
  static async start(entry: string, title = "Page"): Promise<PanelPages> {
    const files = await buildPage(entry);
    const types = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
    const server = http.createServer((request, response) => {
      const name = new URL(request.url ?? "/", "http://127.0.0.1").pathname.slice(1);
      const body =
        files.get(name) ?? htmlFile(name, title, `http://${String(request.headers.host)}`);
      const type = types[path.extname(name) as keyof typeof types] ?? "text/html";
      response.writeHead(body === undefined ? 404 : 200, { "content-type": type });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PanelPages(server, await launchBrowser());
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${String(port)}`;
  }

  /** Opens an empty page, with the content security policy or without. */
  async openBare(policy: boolean): Promise<{ page: Page; watch: PageMonitor }> {
    const page = await (await this.#browser.newContext()).newPage();
    const watch = new PageMonitor(page, this.origin);
    await page.goto(`${this.origin}/${policy ? "policy" : "bare"}.html`);
    return { page, watch };
  }

  /** Opens a page that gets the snapshot when it is ready, also after a reload. */
  async open<ToHost, ToPage>(
    snapshot: ToPage[] | (() => ToPage[]),
    { theme = "dark", width = 800, height = 900 }: PageOptions = {},
    measureLength?: (message: ToPage) => number,
  ): Promise<PanelPage<ToHost, ToPage>> {
    const context = await this.#browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    const opened = new PanelPage<ToHost, ToPage>(page, this.origin, snapshot, measureLength);
    await opened.connect(theme);
    return opened;
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** One page and its host. */
export class PanelPage<ToHost, ToPage> {
  readonly page: Page;
  readonly watch: PageMonitor;
  /** The messages that the page has sent, in order. */
  readonly sent: ToHost[] = [];
  /** How often the page requested a snapshot. */
  readies = 0;
  /** The snapshot for the page. */
  snapshot: ToPage[] | (() => ToPage[]);
  readonly #origin: string;
  readonly #outbox: Outbox<ToPage>;
  #shown = 0;
  #posted = 0;

  constructor(
    page: Page,
    origin: string,
    snapshot: ToPage[] | (() => ToPage[]),
    measureLength?: (message: ToPage) => number,
  ) {
    this.page = page;
    this.snapshot = snapshot;
    this.#origin = origin;
    this.watch = new PageMonitor(page, origin);
    this.#outbox = new Outbox<ToPage>((post) => {
      this.#posted = post.post;
      // As JSON, because playwright passes objects slowly. Like in VS Code, a closing page gets nothing.
      page
        .evaluate((json) => window.postMessage(JSON.parse(json)), JSON.stringify(post))
        .catch(() => undefined);
    }, measureLength);
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

  /** Posts messages and resolves when the page has shown them. */
  async post(...messages: ToPage[]): Promise<void> {
    for (const message of messages) this.send(message);
    await this.settled();
  }

  /** Posts a message without waiting. */
  send(message: ToPage): void {
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

  /** Hides the page and shows it again: VS Code creates it again, with its saved state. */
  async reload(): Promise<void> {
    // What a click did may save the page's state in a later task, as the `toggle` of a <details> does.
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => setTimeout(done))),
    );
    this.#shown = 0;
    await this.page.reload();
    await this.settled();
  }

  /** The page's saved state. */
  state(): Promise<Record<string, unknown>> {
    return this.page.evaluate(
      () => JSON.parse(sessionStorage.getItem("state") ?? "{}") as Record<string, unknown>,
    );
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  #receive(message: ToHost | PostReply): void {
    const reply = message as PostReply;
    if (reply.type === "ready") {
      this.readies++;
      const { snapshot } = this;
      this.#outbox.ready(typeof snapshot === "function" ? snapshot() : snapshot);
    } else if (reply.type === "shown") {
      this.#shown = reply.post;
      this.#outbox.shown(reply.post);
    } else {
      this.sent.push(message as ToHost);
    }
  }
}

async function buildPage(entry: string): Promise<Map<string, Uint8Array>> {
  const { outputFiles } = await esbuild.build({
    entryPoints: { page: path.join(root, entry) },
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

/** The page, and two empty pages for comparison. */
function htmlFile(name: string, title: string, origin: string): string | undefined {
  if (name === "") return html(title, origin);
  const withoutScript = html(title, origin).replace(/<script.*<\/script>/, "");
  if (name === "policy.html") return withoutScript;
  return name === "bare.html" ? withoutScript.replace(/<meta http-equiv.*>/, "") : undefined;
}

function html(title: string, origin: string): string {
  return pageHtml({
    title,
    language: "en",
    script: `${origin}/page.js`,
    styles: `${origin}/page.css`,
    icons: `${origin}/codicon.css`,
    source: origin,
    nonce: "bm9uY2U=",
  });
}

/** Runs in the page before its script: VS Code's API, whose state survives a reload. */
function fakeApi(): void {
  const api = {
    postMessage: (message: unknown) => {
      (window as unknown as { toHost: (message: unknown) => void }).toHost(message);
    },
    getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null"),
    setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
}

/** Runs in the page before its script: the changes that VS Code makes to a webview's document. */
function setTheme(theme: { class: string; variables: Record<string, string> }): void {
  document.addEventListener("DOMContentLoaded", () => {
    document.body.className = theme.class;
  });
  const apply = (): void => {
    for (const [name, value] of Object.entries(theme.variables)) {
      document.documentElement.style.setProperty(name, value);
    }
  };
  if (document.documentElement) apply();
  else {
    new MutationObserver((_, observer) => (observer.disconnect(), apply())).observe(document, {
      childList: true,
    });
  }
}
