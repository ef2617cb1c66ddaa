// Panels of one kind: one per key, with HTML, content security policy, title, icon, and restore after a reload.
import * as vscode from "vscode";
import { plainLabel } from "../oneLine.ts";
import { setActiveConnection } from "./activeConnection.ts";
import type { Log } from "./log.ts";
import { loadPage } from "./loadPage.ts";
import type { PanelRestorer } from "./restorePanels.ts";

export interface TabContent {
  readonly title: string;
  /** Marks the tab like an unsaved editor. */
  readonly isDirty?: boolean;
  /** The connection that the status bar shows while the panel is the active editor; undefined if it belongs to none. */
  readonly connectionId: string | undefined;
  onClosed?(): void;
}

export interface PanelOptions<Create> {
  /** Needs `onWebviewPanel:<viewType>` among the activation events to come back after a reload. */
  viewType: string;
  extensionUri: vscode.Uri;
  /** The page's files are `dist/<page>.js` and `dist/<page>.css`. */
  page: string;
  /** The tab's icon is `media/<icon>-light.svg` or `-dark.svg`. */
  icon: string;
  /** Returns the panel for a page's saved state; undefined if its content no longer exists. */
  restore: (
    state: unknown,
  ) => RestoredContent<Create> | undefined | Promise<RestoredContent<Create> | undefined>;
  /** Another panel, or none, may be the active editor. */
  onActiveChanged?: () => void;
  log: Log;
}

/** A panel to restore; `create` is used if no open panel has its key. */
export interface RestoredContent<Create> {
  key: string;
  create: Create;
}

/** A content with its connection to the page. */
export interface ConnectedContent<Content> {
  content: Content;
  /** Takes a message of the page, which is not checked yet. */
  receive: (message: unknown) => void | Promise<void>;
  /** The panel is closed: VS Code throws on access to it. */
  disconnect: () => void;
}

/** For a tab's title, in characters: VS Code makes tabs as wide as their titles. */
const maxTitleLength = 60;

function tabTitle({ title, isDirty = false }: TabContent): string {
  return (isDirty ? "● " : "") + plainLabel(title, maxTitleLength);
}

/**
 * All open panels of one kind, at most one per key. They are not disposed with the extension: VS Code closes them or
 * restores them after a reload (see restorePanels). Subclasses connect contents to their pages.
 */
export abstract class KeyedPanels<Content extends TabContent, Create> implements PanelRestorer {
  readonly #options: PanelOptions<Create>;
  readonly #open = new Map<string, { panel: vscode.WebviewPanel; content: Content }>();

  constructor(options: PanelOptions<Create>) {
    this.#options = options;
  }

  get active(): Content | undefined {
    return [...this.#open.values()].find(({ panel }) => panel.active)?.content;
  }

  /** The contents of all open panels, the oldest first. */
  get contents(): Content[] {
    return [...this.#open.values()].map(({ content }) => content);
  }

  /** Reveals the panel of this key, or opens it with the content that `create` returns. */
  show(key: string, create: Create): void {
    const open = this.#open.get(key);
    if (open) {
      open.panel.reveal();
      return;
    }
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(this.#options.viewType, "", column, {
      enableFindWidget: true,
    });
    this.connect(key, panel, create);
  }

  /**
   * Moves a content's panel to another key and updates its title. If another panel has this key, reveals that one and
   * closes this one.
   */
  rename(content: Content, key: string): void {
    for (const [before, open] of this.#open) {
      if (open.content !== content) continue;
      const other = this.#open.get(key);
      if (other && other !== open) {
        other.panel.reveal();
        open.panel.dispose();
        return;
      }
      this.#open.delete(before);
      this.#open.set(key, open);
      open.panel.title = tabTitle(content);
      return;
    }
  }

  /** Updates the tab's title and its mark for unsaved changes. */
  updateTitle(content: Content): void {
    const open = [...this.#open.values()].find((one) => one.content === content);
    if (open && open.panel.title !== tabTitle(content)) open.panel.title = tabTitle(content);
  }

  close(key: string): void {
    this.#open.get(key)?.panel.dispose();
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = await this.#options.restore(state);
    if (restored && !this.#open.has(restored.key)) {
      this.connect(restored.key, panel, restored.create);
    } else {
      panel.dispose();
    }
  }

  /** Makes a panel that VS Code has created the panel of this key. */
  connect(key: string, panel: vscode.WebviewPanel, create: Create): void {
    const { viewType, icon, log, onActiveChanged } = this.#options;
    const { content, receive, disconnect } = this.createContent(create, (message) => {
      panel.webview.postMessage(message).then(undefined, (error: unknown) => {
        log.error(`A message did not reach ${viewType}'s page`, error);
      });
    });
    this.#open.set(key, { panel, content });
    panel.onDidDispose(() => {
      for (const [at, open] of this.#open) if (open.panel === panel) this.#open.delete(at);
      disconnect();
      content.onClosed?.();
      setActiveConnection(panel, undefined);
      onActiveChanged?.();
    });
    const reportActive = (): void => {
      setActiveConnection(panel, panel.active ? content.connectionId : undefined);
      onActiveChanged?.();
    };
    panel.onDidChangeViewState(reportActive);
    panel.webview.onDidReceiveMessage(async (message: unknown) => {
      try {
        await receive(message);
      } catch (error) {
        log.error(`A message of ${viewType}'s page failed`, error);
      }
    });
    panel.title = tabTitle(content);
    panel.iconPath = {
      light: this.#file("media", `${icon}-light.svg`),
      dark: this.#file("media", `${icon}-dark.svg`),
    };
    const { extensionUri, page } = this.#options;
    loadPage(panel.webview, { extensionUri, page, title: content.title });
    reportActive();
  }

  protected abstract createContent(
    create: Create,
    post: (message: object) => void,
  ): ConnectedContent<Content>;

  #file(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.#options.extensionUri, ...path);
  }
}
