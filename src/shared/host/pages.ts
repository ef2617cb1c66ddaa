// Panels of one kind: one per key, with HTML, content security policy, title, icon, and restore after a reload.
import * as vscode from "vscode";
import { plainLabel } from "../oneLine.ts";
import type { Calls } from "../pageProtocol.ts";
import { setActiveConnection } from "./activeConnection.ts";
import { connectPage, type PageHost } from "./connectPage.ts";
import type { Log } from "./log.ts";
import { loadPage } from "./loadPage.ts";
import type { PanelRestorer } from "./restorePanels.ts";
import { createTabIcon, type TabIcon } from "./tabIcons.ts";

/** The host of one page. */
export interface Page<All extends Calls> extends PageHost<All> {
  readonly title: string;
  /** Marks the tab like an unsaved editor. */
  readonly isDirty?: boolean;
  /** The connection that the status bar shows while the panel is the active editor; undefined if it belongs to none. */
  readonly connectionId: string | undefined;
  /** Instead of the icon of the other pages of its kind. */
  readonly icon?: TabIcon | undefined;
  onClosed?(): void;
  /** The panel has become the active editor, after another was. */
  onActivated?(): void;
}

interface PagesOptions<All extends Calls, Shown> {
  /** Needs `onWebviewPanel:<viewType>` among the activation events to come back after a reload. */
  viewType: string;
  extensionUri: vscode.Uri;
  /** The page's files are `dist/<page>.js` and `dist/<page>.css`. */
  page: string;
  calls: All;
  icon: TabIcon;
  /**
   * Returns the panel for a page's saved state, and the title that its tab had; undefined if its content no longer exists.
   */
  restore: (
    state: unknown,
    title: string,
  ) => RestoredPage<Shown> | undefined | Promise<RestoredPage<Shown> | undefined>;
  /** Another panel, or none, may be the active editor. */
  onActiveChanged?: () => void;
  log: Log;
}

/** A page to restore; `create` is used if no open panel has its key. */
export interface RestoredPage<Shown> {
  key: string;
  create: () => Shown;
}

/** For a tab's title, in characters: VS Code makes tabs as wide as their titles. */
const maxTitleLength = 60;

function tabTitle({ title, isDirty = false }: Pick<Page<Calls>, "title" | "isDirty">): string {
  return (isDirty ? "● " : "") + plainLabel(title, maxTitleLength);
}

/**
 * All open pages of one kind, at most one per key. They are not disposed with the extension: VS Code closes them or
 * restores them after a reload (see restorePanels).
 */
export class Pages<All extends Calls, Shown extends Page<All>> implements PanelRestorer {
  readonly #options: PagesOptions<All, Shown>;
  readonly #open = new Map<string, { panel: vscode.WebviewPanel; content: Shown }>();

  constructor(options: PagesOptions<All, Shown>) {
    this.#options = options;
  }

  get active(): Shown | undefined {
    return [...this.#open.values()].find(({ panel }) => panel.active)?.content;
  }

  /** The contents of all open panels, the oldest first. */
  get contents(): Shown[] {
    return [...this.#open.values()].map(({ content }) => content);
  }

  /** Reveals the panel of this key, or opens it with the content that `create` returns. */
  show(key: string, create: () => Shown): void {
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
  rename(content: Shown, key: string): void {
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
  updateTitle(content: Shown): void {
    const open = [...this.#open.values()].find((one) => one.content === content);
    if (open && open.panel.title !== tabTitle(content)) open.panel.title = tabTitle(content);
  }

  close(key: string): void {
    this.#open.get(key)?.panel.dispose();
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = await this.#options.restore(state, panel.title);
    if (restored && !this.#open.has(restored.key)) {
      this.connect(restored.key, panel, restored.create);
    } else {
      panel.dispose();
    }
  }

  /** Makes a panel that VS Code has created the panel of this key. */
  connect(key: string, panel: vscode.WebviewPanel, create: () => Shown): void {
    const { viewType, log, onActiveChanged } = this.#options;
    const content = create();
    const { icon = this.#options.icon } = content;
    const post = (message: object): void => {
      panel.webview.postMessage(message).then(undefined, (error: unknown) => {
        log.error(`A message did not reach ${viewType}'s page`, error);
      });
    };
    const { receive, disconnect } = connectPage(content, post, this.#options);
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
    panel.onDidChangeViewState(() => {
      reportActive();
      if (panel.active) content.onActivated?.();
    });
    panel.webview.onDidReceiveMessage(async (message: unknown) => {
      try {
        await receive(message);
      } catch (error) {
        log.error(`A message of ${viewType}'s page failed`, error);
      }
    });
    panel.title = tabTitle(content);
    panel.iconPath = createTabIcon(icon);
    const { extensionUri, page } = this.#options;
    loadPage(panel.webview, { extensionUri, page, title: content.title });
    reportActive();
  }
}
