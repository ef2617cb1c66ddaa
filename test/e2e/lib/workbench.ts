// A user of a real VS Code: one call opens it, and the methods act and wait like a user.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type {
  Browser,
  BrowserContext,
  Frame,
  Locator,
  Page,
  PageScreenshotOptions,
} from "playwright-core";
import { launchBrowser } from "../../../scripts/vscode/browser.ts";
import {
  removeFolder,
  startVSCode,
  type RunningVSCode,
  type VSCodeOptions,
} from "../../../scripts/vscode/server.ts";
import { parseVersion } from "../../../scripts/vscode/versions.ts";
import { Dialogs } from "./dialogs.ts";
import { Editors } from "./editors.ts";
import { eventually } from "./eventually.ts";
import { answerOf } from "./frames.ts";
import { storedEditors, type EditorGroup } from "./storage.ts";
import { QuickInput } from "./quickInput.ts";
import { chooseFromMenu } from "./menu.ts";
import { patiently } from "./once.ts";
import { PageMonitor } from "./pageMonitor.ts";
import { Tree } from "./tree.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const sampleWorkspace = path.join(root, "scripts", "vscode", "workspace");

export interface WorkbenchOptions extends Omit<VSCodeOptions, "folder" | "testsPath"> {
  /** Default: a fresh copy of scripts/vscode/workspace, removed at close. */
  folder?: string;
  /** Default: 1280 × 800. */
  viewport?: { width: number; height: number };
  deviceScaleFactor?: number;
  /** A display language other than English; only the extension is translated, VS Code stays English. */
  language?: {
    id: string;
    /** Files to add to the installed extension, by their relative paths. */
    files?: Record<string, string>;
  };
}

/**
 * A list stays open when something else takes the focus. VS Code gives the focus to a page or an editor that has just
 * opened, on a busy machine seconds later, and would close the list that was opened meanwhile.
 */
const patientLists = { "workbench.quickOpen.closeOnFocusLost": false };

/** Themes that both versions of VS Code have. */
export const themes = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  highContrast: "Default High Contrast",
} as const;

/**
 * Starts VS Code with the extension, opens it in a browser and waits until it can be used. Without `vsix` or
 * `extensionPath` it installs the package that `$VSIX` names (default: the one `npm run package` makes); without
 * `version` it takes `$VSCODE_VERSION`.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const {
    viewport = { width: 1280, height: 800 },
    deviceScaleFactor = 1,
    language,
    ...given
  } = options;
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "vscode-journey-"));
  const vscodeOptions = {
    ...given,
    folder: given.folder ?? copyOfWorkspace(temporary),
    dataFolder: given.dataFolder ?? path.join(temporary, "data"),
    version: given.version ?? parseVersion(process.env["VSCODE_VERSION"]),
    settings: { ...patientLists, ...given.settings },
    ...(!given.vsix && !given.extensionPath && { vsix: packagedExtension() }),
  };
  const vscode = await startVSCode(vscodeOptions);
  let browser: Browser | undefined;
  try {
    browser = await launchBrowser();
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor,
      colorScheme: "dark",
      reducedMotion: "reduce",
    });
    if (language) {
      addToExtension(vscode.dataFolder, language.files ?? {});
      // What a language pack for VS Code would set.
      await context.addInitScript((id) => {
        (globalThis as Record<string, unknown>)["_VSCODE_NLS_LANGUAGE"] = id;
      }, language.id);
    }
    const page = await context.newPage();
    const workbench = new Workbench(vscode, vscodeOptions, browser, page, temporary);
    await workbench.page.goto(vscode.urlWithToken);
    await workbench.ready();
    return workbench;
  } catch (error) {
    await browser?.close();
    await vscode.stop();
    throw error;
  }
}

function copyOfWorkspace(temporary: string): string {
  const folder = path.join(temporary, "workspace");
  fs.cpSync(sampleWorkspace, folder, { recursive: true });
  return folder;
}

/** Changes members of a JSON file; `undefined` removes one. */
function changeFile(file: string, changes: Record<string, unknown>): void {
  const present = fs.existsSync(file)
    ? (JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, unknown>)
    : {};
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...present, ...changes }, null, 2));
}

function addToExtension(dataFolder: string, files: Record<string, string>): void {
  const extensions = path.join(dataFolder, "extensions");
  const name = fs.readdirSync(extensions).find((entry) => entry.includes("mindsdb-workbench"));
  if (!name) throw new Error(`No extension is installed in ${extensions}`);
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(extensions, name, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
  }
}

/** Makes another version of the only installed extension, as its package would. */
function renameVersion(extensions: string, version: string): void {
  const listFile = path.join(extensions, "extensions.json");
  const [entry] = JSON.parse(fs.readFileSync(listFile, "utf8")) as [
    { version: string; relativeLocation: string },
  ];
  const { version: older, relativeLocation: before } = entry;
  const after = before.replace(older, version);
  if (after === before) throw new Error(`${before} does not name the version ${older}`);
  fs.renameSync(path.join(extensions, before), path.join(extensions, after));
  changeFile(path.join(extensions, after, "package.json"), { version });
  Object.assign(entry, { version, relativeLocation: after });
  fs.writeFileSync(listFile, JSON.stringify([entry]));
}

function packagedExtension(): string {
  const file = path.resolve(root, process.env["VSIX"] ?? "out/mindsdb-workbench.vsix");
  if (!fs.existsSync(file)) throw new Error(`There is no ${file}: run \`npm run package\` first`);
  return file;
}

export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly dialogs: Dialogs;
  readonly editors: Editors;
  /** Requests, errors and violations of the pages. */
  readonly watch: PageMonitor;
  vscode: RunningVSCode;
  readonly folder: string;
  readonly #options: VSCodeOptions;
  readonly #browser: Browser;
  readonly #temporary: string;

  constructor(
    vscode: RunningVSCode,
    options: VSCodeOptions,
    browser: Browser,
    page: Page,
    temporary: string,
  ) {
    this.vscode = vscode;
    this.folder = options.folder;
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.dialogs = new Dialogs(page);
    this.editors = new Editors(page, this.quickInput);
    this.watch = new PageMonitor(page, vscode.url);
    this.#options = options;
    this.#browser = browser;
    this.#temporary = temporary;
  }

  get context(): BrowserContext {
    return this.page.context();
  }

  /** Waits until the window is drawn. An extension's contributions can take some more seconds. */
  async ready(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor({ timeout: 60_000 });
    await this.page.locator(".statusbar-item").first().waitFor({ timeout: 60_000 });
  }

  /**
   * Closes what is open, and makes the sample workspace and the connections what they would be in a new window. Returns the
   * tree of the MindsDB view.
   */
  async startAfresh({
    machineSettings = {},
  }: Pick<WorkbenchOptions, "machineSettings">): Promise<Tree> {
    // What a failed test has left open would take the keys: a menu, a list, or a question.
    for (let open = 0; open < 3; open++) await this.page.keyboard.press("Escape");
    const panel = this.page.locator(".part.panel");
    if (await panel.isVisible()) await this.command("View: Hide Panel");
    await this.editors.closeAll("Don't Save");
    await this.clearNotifications();
    for (const name of fs.readdirSync(this.folder)) {
      fs.rmSync(path.join(this.folder, name), { recursive: true });
    }
    fs.cpSync(sampleWorkspace, this.folder, { recursive: true });
    // A row of the block before could be taken for one of the same name.
    this.changeMachineSettings({ "mindsdbWorkbench.connections": [] });
    const tree = await this.openView("MindsDB");
    await eventually(async () => assert.deepEqual(await tree.children([]), []));
    this.changeMachineSettings(machineSettings);
    this.watch.clear();
    return tree;
  }

  /** Runs a command from the palette, by its full label: `MindsDB: Ask Agent…`. */
  async command(label: string): Promise<void> {
    await this.quickInput.command(label);
  }

  /** Opens a file of the workspace by its name, and waits until its editor is the active one. */
  async openFile(name: string): Promise<void> {
    await this.quickInput.openFile(name);
    await this.editors.activate(this.tab(name));
  }

  /** Clears all notifications, and waits until none is shown that could be taken for the next one. */
  async clearNotifications(): Promise<void> {
    const shown = this.page.locator(".notifications-toasts .notification-list-item:visible");
    await eventually(async () => {
      await this.command("Notifications: Clear All Notifications");
      await shown.first().waitFor({ state: "hidden", timeout: 3_000 });
    });
  }

  /** Saves the active editor, and waits until VS Code has: what is written to the file before that is not read again. */
  async save(): Promise<void> {
    const unsaved = this.page.locator(".editor-group-container.active .tab.active.dirty");
    await eventually(async () => {
      await this.page.keyboard.press("Control+S");
      await unsaved.waitFor({ state: "detached", timeout: 5_000 });
    });
  }

  /** Shows a container of the activity bar (`MindsDB`) and returns its tree. */
  async openView(title: string): Promise<Tree> {
    const tab = this.page.locator(`.activitybar .action-item a[aria-label^="${title}"]`).first();
    await tab.waitFor({ timeout: 30_000 });
    const sideBar = this.page.locator(".part.sidebar");
    const heading = sideBar.locator(".composite.title", {
      hasText: new RegExp(escape(title), "i"),
    });
    // Clicking a visible container hides it, and after a reload VS Code may be about to show it anyway.
    const isChosen = this.page.locator(".activitybar .action-item.checked").filter({ has: tab });
    await eventually(async () => {
      if (await heading.isVisible()) return;
      // The badge that shows progress lies over the icon, and passes a click on.
      if ((await isChosen.count()) === 0) await tab.click({ force: true, ...patiently });
      await heading.waitFor({ timeout: 2000 });
    });
    return new Tree(this.page, sideBar);
  }

  /** Selects an item of the visible editor's overflow menu. */
  async editorMenu(title: string): Promise<void> {
    const more = this.page.locator(".editor-actions [aria-label^='More Actions']").first();
    await chooseFromMenu(this.page, title, () => more.click(patiently));
  }

  /** The tab of an open editor, by its title. */
  tab(title: string): Locator {
    const tabs = this.page.locator(".tabs-container .tab");
    const named = this.page.locator(".label-name", { hasText: new RegExp(`^${escape(title)}$`) });
    // A file's name is drawn in two parts.
    return tabs
      .filter({ has: named })
      .or(this.page.locator(`.tabs-container .tab[data-resource-name=${JSON.stringify(title)}]`));
  }

  /** The clipboard's text. */
  async clipboard(): Promise<string> {
    await this.context.grantPermissions(["clipboard-read", "clipboard-write"], {
      origin: this.vscode.url,
    });
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Copies a text, like a user in another application. */
  async copyText(text: string): Promise<void> {
    const permissions = ["clipboard-read", "clipboard-write"];
    await this.context.grantPermissions(permissions, { origin: this.vscode.url });
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  }

  /** Waits for the frame of a webview or notebook renderer that contains an element. */
  async frameWith(selector: string, timeoutMs = 30_000): Promise<Frame> {
    const end = Date.now() + timeoutMs;
    while (Date.now() < end) {
      for (const frame of this.page.frames()) {
        if (frame === this.page.mainFrame()) continue;
        if ((await answerOf(frame.locator(selector).count(), 0)) > 0) return frame;
      }
      await this.page.waitForTimeout(100);
    }
    const urls = this.page.frames().map((frame) => frame.url().slice(0, 120));
    throw new Error(`No frame has ${selector}; there are\n${urls.join("\n")}`);
  }

  /** Changes workspace settings while VS Code runs; `undefined` removes one. */
  changeSettings(changes: Record<string, unknown>): void {
    changeFile(path.join(this.folder, ".vscode", "settings.json"), changes);
  }

  /** The same for settings of scope `machine`, which a workspace cannot set. */
  changeMachineSettings(changes: Record<string, unknown>): void {
    changeFile(path.join(this.vscode.dataFolder, "user", "Machine", "settings.json"), changes);
  }

  /** Switches the theme and waits until the window shows it. */
  async setTheme(theme: keyof typeof themes): Promise<void> {
    this.changeSettings({ "workbench.colorTheme": themes[theme] });
    const shown = { dark: "vs-dark", light: "vs", highContrast: "hc-black" }[theme];
    await this.page.locator(`.monaco-workbench.${shown}`).waitFor({ timeout: 30_000 });
    // Webviews get the colors in a separate message.
    await this.page.waitForTimeout(500);
  }

  /** Reloads the window once VS Code has stored its editors, and `text` in their state. */
  async reload(text = ""): Promise<void> {
    await this.#editorsAreStored(text);
    await this.page.reload();
    await this.ready();
  }

  /** Stops VS Code's server, starts it again on the same port and data, and opens the same window again. */
  restart(text = ""): Promise<void> {
    return this.#restart(text, () => this.#options);
  }

  /**
   * Restarts with a newer version of the extension in the place of the installed one, which is gone then, as after an
   * update. Both have the same code, unless `$OLDER_VSIX` is the package that was installed.
   */
  update(text = ""): Promise<void> {
    return this.#restart(text, () => {
      const { vsix } = this.#options;
      const extensions = path.join(this.vscode.dataFolder, "extensions");
      if (vsix === undefined || vsix === packagedExtension()) {
        renameVersion(extensions, "99.0.0");
        return { ...this.#options, vsix: undefined };
      }
      fs.rmSync(extensions, { recursive: true });
      return { ...this.#options, vsix: packagedExtension() };
    });
  }

  /** `change` is called while VS Code is stopped, and returns the options with which it starts again. */
  async #restart(text: string, change: () => VSCodeOptions): Promise<void> {
    await this.#editorsAreStored(text);
    await this.page.goto("about:blank");
    await this.vscode.stop();
    this.vscode = await startVSCode({ ...change(), port: this.vscode.port });
    await this.page.goto(this.vscode.urlWithToken);
    await this.ready();
  }

  /** Opens another window of this VS Code, on the same folder. */
  async openWindow(): Promise<Workbench> {
    const page = await this.context.newPage();
    const other = new Workbench(this.vscode, this.#options, this.#browser, page, this.#temporary);
    await other.openAgain();
    return other;
  }

  /** Closes the window like a user, so that VS Code is notified. */
  async closeWindow(): Promise<void> {
    await this.page.goto("about:blank");
  }

  /** Opens the window again after `closeWindow`. */
  async openAgain(): Promise<void> {
    await this.page.goto(this.vscode.urlWithToken);
    await this.ready();
  }

  /** Waits until VS Code has stored what is open, and has nothing more to store. */
  async #editorsAreStored(text: string): Promise<void> {
    let before = "";
    await eventually(
      async () => {
        await this.switchAwayAndBack();
        const { groups, editors, panelsWithoutState, storage } = await storedEditors(this.page);
        const isAtRest = storage === before;
        before = storage;
        const [stored, open] = [JSON.stringify(groups), JSON.stringify(await this.#openGroups())];
        if (stored !== open) throw new Error(`${open} are open, ${stored} are stored`);
        if (panelsWithoutState > 0) throw new Error("A panel's state is not stored");
        if (!editors.includes(text)) throw new Error(`No editor's stored state holds ${text}`);
        if (!isAtRest) throw new Error("VS Code does not stop storing things");
      },
      30_000,
      300,
    );
  }

  /**
   * Goes to another window for a moment, which makes VS Code store everything. In a browser it does that otherwise only
   * every few seconds, and not when the window closes. The headless browser has no other window that could take the focus.
   */
  async switchAwayAndBack(): Promise<void> {
    await this.page.evaluate(async () => {
      document.hasFocus = () => false;
      window.dispatchEvent(new FocusEvent("blur"));
      await new Promise((resolve) => setTimeout(resolve, 100));
      delete (document as Partial<Document>).hasFocus;
      window.dispatchEvent(new FocusEvent("focus"));
    });
  }

  async #openGroups(): Promise<EditorGroup[]> {
    return this.page.locator(".editor-group-container").evaluateAll((groups) =>
      groups
        .map((group) => [...group.querySelectorAll(".tabs-container .tab")])
        .filter((tabs) => tabs.length > 0)
        .map((tabs) => ({
          editors: tabs.length,
          active: tabs.findIndex((tab) => tab.classList.contains("active")),
        })),
    );
  }

  /**
   * Keeps a picture in out/screenshots/NAME.png. With `UPDATE_PICTURES=1`, pictures of the README (`readme: true`) are also
   * put into media/screenshots/, the dark one if NAME has no theme, and each screen is pictured in every theme, as
   * NAME-THEME.png. A picture without `clip` is of the whole window.
   */
  async screenshot(
    name: string,
    { readme, clip }: { readme?: boolean; clip?: Required<PageScreenshotOptions>["clip"] } = {},
  ): Promise<string> {
    const file = path.join(root, "out", "screenshots", `${name}.png`);
    await this.page.screenshot({ path: file, animations: "disabled", ...(clip && { clip }) });
    if (!process.env["UPDATE_PICTURES"]) return file;
    const hasTheme = /-(dark|light|highContrast)$/.test(name);
    if (!hasTheme) await this.#pictureEveryTheme(name, clip);
    if (readme) {
      const picture = `${hasTheme ? name : `${name}-dark`}.png`;
      const media = path.join(root, "media", "screenshots");
      fs.mkdirSync(media, { recursive: true });
      fs.copyFileSync(path.join(path.dirname(file), picture), path.join(media, picture));
    }
    return file;
  }

  /** Takes screenshots to review: one in each theme; then restores the theme. */
  async #pictureEveryTheme(name: string, clip: PageScreenshotOptions["clip"]): Promise<void> {
    const classes = (await this.page.locator(".monaco-workbench").getAttribute("class")) ?? "";
    const before = /\bhc-black\b/.test(classes)
      ? "highContrast"
      : /\bvs-dark\b/.test(classes)
        ? "dark"
        : "light";
    for (const theme of Object.keys(themes) as (keyof typeof themes)[]) {
      await this.setTheme(theme);
      const file = path.join(root, "out", "screenshots", `${name}-${theme}.png`);
      await this.page.screenshot({ path: file, animations: "disabled", ...(clip && { clip }) });
    }
    await this.setTheme(before);
  }

  /** Closes the browser, stops VS Code and removes the files of this window. */
  async close(): Promise<void> {
    await this.#browser.close();
    await this.vscode.stop();
    removeFolder(this.#temporary);
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
