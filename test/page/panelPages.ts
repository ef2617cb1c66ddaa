// A panel's page in a browser, with its content security policy. The test is the host, with the real state and channel.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { registerHooks } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import * as esbuild from "esbuild";
import type { Browser, Locator, Page } from "playwright-core";
import * as v from "valibot";
import type { PostedChannel } from "../../src/shared/hostChannel.ts";
import { HostState } from "../../src/shared/hostState.ts";
import type { ItemState } from "../../src/shared/itemPage.ts";
import { pageHtml } from "../../src/shared/pageHtml.ts";
import {
  answerCall,
  fromPage,
  type Calls,
  type FromPage,
  type Handlers,
} from "../../src/shared/pageProtocol.ts";
import { axeViolations } from "../e2e/lib/axe.ts";
import { clippedElements } from "../e2e/lib/clippedElements.ts";
import { eventually } from "../e2e/lib/eventually.ts";
import { PageMonitor } from "../e2e/lib/pageMonitor.ts";
import { drawn, settleActions, slowDown } from "./pageTiming.ts";
import { closePages, sharedBrowser } from "./sharedBrowser.ts";
import themes from "./themes.json" with { type: "json" };

const root = path.resolve(import.meta.dirname, "..", "..");
const pictures = path.join(root, "out/screenshots/page");

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

/** The names of a page's calls, each with its arguments. */
export type MadeCall = [name: string, ...given: unknown[]];

/** Serves a page's files and opens it in a browser. */
export class PanelPages {
  readonly #server: http.Server;
  readonly #browser: Browser;

  /** Translations for the pages that are opened next. */
  texts: Record<string, string> = {};

  private constructor(server: http.Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
  }

  /** `entry` is the page's script, relative to the repository. */
  static async start(entry: string, title = "Page"): Promise<PanelPages> {
    const files = await buildPage(entry);
    const types = { ".js": "text/javascript", ".ttf": "font/ttf" };
    const styles = ["codicon.css", "page.css"].map((name) =>
      new TextDecoder().decode(files.get(name)),
    );
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const pages = new PanelPages(server, await sharedBrowser());
    server.on("request", (request, response) => {
      const name = new URL(request.url ?? "/", "http://127.0.0.1").pathname.slice(1);
      const body =
        files.get(name) ??
        htmlFile(name, {
          title,
          styles,
          folder: `http://${String(request.headers.host)}`,
          texts: pages.texts,
        });
      const type = types[path.extname(name) as keyof typeof types] ?? "text/html";
      response.writeHead(body === undefined ? 404 : 200, { "content-type": type });
      response.end(body);
    });
    return pages;
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

  /** Opens a page that shows a state, and notes its calls. */
  async show<State extends object, All extends Calls>(
    calls: All,
    state: State,
    options: PageOptions & Answers<All> = {},
    channel?: PostedChannel,
  ): Promise<StatePage<State, All>> {
    const { theme = "dark", width = 800, height = 900, handlers } = options;
    const page = await this.#newPage(width, height);
    const opened = new StatePage<State, All>(page, this.origin, calls, state, handlers, channel);
    await opened.connect(theme);
    return opened;
  }

  async #newPage(width: number, height: number): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width, height } });
    const page = await context.newPage();
    await slowDown(page);
    return page;
  }

  async stop(): Promise<void> {
    await closePages();
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface Answers<All extends Calls> {
  handlers?: Partial<Handlers<All>>;
}

/**
 * Pages of this script for the tests of this block: `show` opens one, which the end of its test closes. Fails a test whose
 * page has thrown, violated its policy, asked another server or run a hostile text (`pwned()`).
 */
export function usePanelPages(
  entry: string,
): Pick<PanelPages, "show"> & { translate: (texts: Record<string, string>) => void } {
  let pages: PanelPages;
  let scripts = 0;
  const opened: OpenedPage[] = [];
  before("start the browser", async () => {
    pages = await PanelPages.start(entry);
  });
  after("stop the browser", () => pages.stop());
  afterEach("look for errors of the pages", async () => {
    const watched = opened.map(({ watch }) => watch);
    for (const page of opened.splice(0)) await page.close();
    assert.equal(scripts, 0);
    for (const { errors, violations } of watched) assert.deepEqual([errors, violations], [[], []]);
    for (const watch of watched) assert.deepEqual(watch.foreignRequests(), []);
  });
  return {
    show: async (...given) => {
      const page = await pages.show(...given);
      opened.push(page);
      await page.page.exposeFunction("pwned", () => void scripts++);
      return page;
    },
    translate: (texts) => (pages.texts = texts),
  };
}

/** The state of the page of an item before its content. */
export function itemState(project: string, name: string, title = name): ItemState {
  const item = { connectionId: "local", project, name };
  return { item, title, connection: "127.0.0.1:47334", isLoading: false, isGone: false };
}

/** Has a test for each theme: what `open` shows looks right, wide and narrow. Leaves pictures of this name. */
export function looksRight(
  name: string,
  open: (theme: Theme) => Promise<Pick<OpenedPage, "checkLook" | "checkNarrow">>,
): void {
  for (const theme of themeNames) {
    it(`looks right (${theme}), wide and narrow: ${name}`, async () => {
      const page = await open(theme);
      await page.checkLook(`${name}-${theme}`, { fullPage: true });
      await page.checkNarrow(`${name}-${theme}`);
    });
  }
}

/** One page and its host. */
abstract class OpenedPage {
  readonly page: Page;
  readonly watch: PageMonitor;
  readonly #origin: string;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
    this.watch = new PageMonitor(page, origin);
  }

  /** True if the page has shown all that it got. */
  protected abstract isSettled: boolean;
  protected abstract receive(message: unknown): void;

  async connect(theme: Theme): Promise<void> {
    await this.page.exposeFunction("toHost", (message: unknown) => {
      if (message !== null) this.receive(message);
    });
    await this.page.addInitScript(fakeApi);
    await this.page.addInitScript(setTheme, themes[theme]);
    await this.page.goto(this.#origin);
    await this.settled();
    settleActions(this.page);
  }

  /** Resolves when the page has shown everything. */
  async settled(): Promise<void> {
    const end = Date.now() + 60_000;
    do {
      while (!this.isSettled) {
        if (Date.now() > end) throw new Error("The page did not show what it got");
        await this.page.waitForTimeout(10);
      }
      await drawn(this.page);
      // What had been shown may have been the page before a reload.
    } while (!this.isSettled);
  }

  /** Hides the page and shows it again: VS Code creates it again, with its saved state. */
  async reload(): Promise<void> {
    // What a click did may save the page's state in a later task, as the `toggle` of a <details> does.
    await drawn(this.page);
    this.isSettled = false;
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

  /** The button of exactly this name. */
  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  press(name: string): Promise<void> {
    return this.button(name).click();
  }

  /** A field of a form, with its label and its problem. */
  field(name: string): Locator {
    return this.page.locator(`.field[data-field="${name}"]`);
  }

  /** Types into a field of a form. */
  fill(name: string, text: string): Promise<void> {
    return this.field(name).locator("input, textarea").first().fill(text);
  }

  /** Leaves a picture to look at. */
  async picture(name: string, { fullPage = false } = {}): Promise<void> {
    await this.page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage });
  }

  /**
   * Fails if not all can read the page: axe-core finds something, or something is clipped; with `cutCells`, a long value may
   * be cut in its cell, if the page shows it whole below the grid. Leaves a picture.
   */
  async checkLook(name: string, { fullPage = false, cutCells = false } = {}): Promise<void> {
    await this.picture(name, { fullPage });
    assert.deepEqual(await axeViolations(this.page.mainFrame()), [], name);
    const clipped = await clippedElements(this.page.mainFrame());
    const wrong = clipped.filter((line) => !(cutCells && line.startsWith("cut: div.cell")));
    assert.deepEqual(wrong, [], name);
  }

  /** Makes the page narrow and low, and fails if axe-core finds something or something is clipped there. Leaves a picture. */
  async checkNarrow(name: string, width = 300): Promise<void> {
    await this.page.setViewportSize({ width, height: 400 });
    assert.deepEqual(await axeViolations(this.page.mainFrame()), [], name);
    assert.deepEqual(await clippedElements(this.page.mainFrame()), [], name);
    await this.picture(`${name}-narrow`);
  }

  /** As JSON, because playwright passes objects slowly. Like in VS Code, a closing page gets nothing. */
  protected postToPage(message: object): void {
    this.page
      .evaluate((json) => window.postMessage(JSON.parse(json)), JSON.stringify(message))
      .catch(() => undefined);
  }
}

/** A page that shows its host's state. Calls are checked as in the product; without a handler they return undefined. */
export class StatePage<State extends object, All extends Calls> extends OpenedPage {
  /** The calls that the page has made, in order. */
  readonly calls: MadeCall[] = [];
  readonly #state: HostState<State>;
  readonly #channel: PostedChannel | undefined;
  #isStateShown = false;
  /** Posts of the channel that are not on the screen yet. */
  #itemPosts = 0;
  readonly #calls: All;
  readonly #handlers: Handlers<All>;

  constructor(
    page: Page,
    origin: string,
    calls: All,
    state: State,
    handlers: Partial<Handlers<All>> = {},
    channel?: PostedChannel,
  ) {
    super(page, origin);
    this.#calls = calls;
    this.#state = new HostState(state);
    this.#channel = channel;
    const noted = Object.keys(calls).map((name) => [
      name,
      (...given: Parameters<Handlers<All>[string]>): unknown => {
        this.calls.push([name, ...given]);
        return handlers[name]?.(...given);
      },
    ]);
    this.#handlers = Object.fromEntries(noted) as Handlers<All>;
    this.#state.connect((post) => {
      this.#isStateShown = false;
      this.postToPage(post);
    });
    channel?.connect((post) => {
      this.#itemPosts++;
      this.postToPage(post);
    });
  }

  protected get isSettled(): boolean {
    return this.#isStateShown && this.#itemPosts === 0;
  }

  protected set isSettled(_: false) {
    this.#isStateShown = false;
  }

  /** The calls of this name. */
  made(name: string): MadeCall[] {
    return this.calls.filter(([call]) => call === name);
  }

  /** Waits until the page's last call is this one. */
  async called(...expected: MadeCall): Promise<void> {
    await eventually(() => assert.deepEqual(this.calls.at(-1), expected));
  }

  /** Changes the state and resolves when the page has shown it. */
  async update(change: Partial<State>): Promise<void> {
    this.#state.update(change);
    await this.settled();
  }

  protected receive(message: unknown): void {
    const checked = v.parse(fromPage, message);
    if (checked.type === "call") void this.#answer(checked);
    else if (checked.type === "ready") {
      this.#itemPosts = 0;
      this.#state.ready();
      this.#channel?.ready();
    } else if (checked.type === "itemsShown") {
      this.#itemPosts--;
      this.#channel?.shown();
    } else {
      this.#isStateShown = true;
      this.#state.shown();
    }
  }

  async #answer(call: Extract<FromPage, { type: "call" }>): Promise<void> {
    const answer = await answerCall(this.#calls, this.#handlers, call);
    this.postToPage({ type: "answer", id: call.id, answer, hasFailed: false });
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
    alias: {
      "@vscode/l10n": path.join(root, "src/shared/page/l10n.ts"),
      entities: path.join(root, "src/shared/page/htmlEntities.ts"),
    },
  });
  const files = new Map(outputFiles.map((file) => [path.basename(file.path), file.contents]));
  for (const name of ["codicon.css", "codicon.ttf"]) {
    const file = path.join(root, "node_modules/@vscode/codicons/dist", name);
    files.set(name, fs.readFileSync(file));
  }
  return files;
}

type PageContent = Pick<Parameters<typeof pageHtml>[0], "title" | "styles" | "folder" | "texts">;

/** The page, and two empty pages for comparison. */
function htmlFile(name: string, content: PageContent): string | undefined {
  const whole = html(content);
  if (name === "") return whole;
  const withoutScript = whole.replace(/<script type="module".*<\/script>/, "");
  if (name === "policy.html") return withoutScript;
  return name === "bare.html" ? withoutScript.replace(/<meta http-equiv.*>/, "") : undefined;
}

function html(content: PageContent): string {
  return pageHtml({
    ...content,
    language: "en",
    script: "page.js",
    imports: [],
    source: content.folder,
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
