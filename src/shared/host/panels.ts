// Panels of one kind: one per key, with HTML, content security policy, handshake, and restore after a reload.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import * as vscode from "vscode";
import { oneLine } from "../oneLine.ts";
import { pageHtml } from "../pageHtml.ts";
import { Outbox } from "../outbox.ts";
import { setActiveConnection } from "./activeConnection.ts";
import type { Log } from "./log.ts";

export interface PanelContent<ToHost, ToPage> {
  readonly title: string;
  /** Marks the tab like an unsaved editor. */
  readonly isDirty?: boolean;
  /** The connection that the status bar shows while the panel is the active editor; undefined if it belongs to none. */
  readonly connectionId: string | undefined;
  /** Returns all messages that a new page needs. */
  snapshot(): ToPage[];
  /** Handles a validated message from the page. */
  receive(message: ToHost): void;
  onClosed?(): void;
}

/** Posts a message to the page; dropped before the page is ready, because the snapshot contains it. */
export type PostToPage<ToPage> = (message: ToPage) => void;

export interface PanelKind<ToHost, ToPage, Content> {
  /** Needs `onWebviewPanel:<viewType>` among the activation events to come back after a reload. */
  viewType: string;
  extensionUri: vscode.Uri;
  /** The page's files are `dist/<page>.js` and `dist/<page>.css`. */
  page: string;
  /** The tab's icon is `media/<icon>-light.svg` or `-dark.svg`. */
  icon: string;
  /** Schema of the page's messages; anything else is dropped and logged. */
  incoming: v.GenericSchema<unknown, ToHost>;
  /** Returns a message's length in characters; a post has about a million. */
  measureLength?: (message: ToPage) => number;
  /** Returns the panel for a page's saved state; undefined if its content no longer exists. */
  restore: (
    state: unknown,
  ) =>
    | RestoredPanel<ToPage, Content>
    | undefined
    | Promise<RestoredPanel<ToPage, Content> | undefined>;
  /** Another panel, or none, may be the active editor. */
  onActiveChanged?: () => void;
  log: Log;
}

/** A panel to restore; `create` is called if no open panel has its key. */
export interface RestoredPanel<ToPage, Content> {
  key: string;
  create: (post: PostToPage<ToPage>) => Content;
}

/** For a tab's title, in characters: VS Code makes tabs as wide as their titles. */
const maxTitleLength = 60;

function tabTitle({ title, isDirty = false }: { title: string; isDirty?: boolean }): string {
  return (isDirty ? "● " : "") + oneLine(title, maxTitleLength);
}

const postReply = v.variant("type", [
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("shown"), post: v.number() }),
]);

/** Restores one panel after a reload of the window, or closes it. */
export interface PanelRestorer {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/**
 * All open panels of one kind, at most one per key. They are not disposed with the extension: VS Code closes them or
 * restores them after a reload (see restorePanels).
 */
export class Panels<
  ToHost,
  ToPage,
  Content extends PanelContent<ToHost, ToPage>,
> implements PanelRestorer {
  readonly #kind: PanelKind<ToHost, ToPage, Content>;
  readonly #open = new Map<string, { panel: vscode.WebviewPanel; content: Content }>();

  constructor(kind: PanelKind<ToHost, ToPage, Content>) {
    this.#kind = kind;
  }

  get active(): Content | undefined {
    return [...this.#open.values()].find(({ panel }) => panel.active)?.content;
  }

  /** The contents of all open panels, the oldest first. */
  get contents(): Content[] {
    return [...this.#open.values()].map(({ content }) => content);
  }

  /** Reveals the panel of this key, or opens it with the content that `create` returns. */
  show(key: string, create: (post: PostToPage<ToPage>) => Content): void {
    const open = this.#open.get(key);
    if (open) {
      open.panel.reveal();
      return;
    }
    const column = vscode.ViewColumn.Active;
    const panel = vscode.window.createWebviewPanel(this.#kind.viewType, "", column, {
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
    const restored = await this.#kind.restore(state);
    if (restored && !this.#open.has(restored.key)) {
      this.connect(restored.key, panel, restored.create);
    } else {
      panel.dispose();
    }
  }

  /** Makes a panel that VS Code has created the panel of this key. */
  connect(
    key: string,
    panel: vscode.WebviewPanel,
    create: (post: PostToPage<ToPage>) => Content,
  ): void {
    const outbox = new Outbox<ToPage>((post) => {
      panel.webview.postMessage(post).then(undefined, (error: unknown) => {
        this.#kind.log.error(`A message did not reach ${this.#kind.viewType}'s page`, error);
      });
    }, this.#kind.measureLength);
    const content = create((message) => outbox.post(message));
    this.#open.set(key, { panel, content });
    panel.onDidDispose(() => {
      for (const [at, open] of this.#open) if (open.panel === panel) this.#open.delete(at);
      // VS Code throws on access to a closed panel.
      outbox.close();
      content.onClosed?.();
      setActiveConnection(panel, undefined);
      this.#kind.onActiveChanged?.();
    });
    const reportActive = (): void => {
      setActiveConnection(panel, panel.active ? content.connectionId : undefined);
      this.#kind.onActiveChanged?.();
    };
    panel.onDidChangeViewState(reportActive);
    panel.webview.onDidReceiveMessage((message: unknown) => {
      try {
        this.#receive(message, outbox, content);
      } catch (error) {
        this.#kind.log.error(`A message of ${this.#kind.viewType}'s page failed`, error);
      }
    });
    panel.title = tabTitle(content);
    panel.iconPath = {
      light: this.#file("media", `${this.#kind.icon}-light.svg`),
      dark: this.#file("media", `${this.#kind.icon}-dark.svg`),
    };
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: [this.#file("dist")],
    };
    panel.webview.html = this.#html(panel.webview, content.title);
    reportActive();
  }

  #receive(message: unknown, outbox: Outbox<ToPage>, content: Content): void {
    const reply = v.safeParse(postReply, message);
    if (reply.success) {
      if (reply.output.type === "ready") outbox.ready(content.snapshot());
      else outbox.shown(reply.output.post);
      return;
    }
    const checked = v.safeParse(this.#kind.incoming, message);
    if (checked.success) {
      content.receive(checked.output);
      return;
    }
    // Where it is wrong, and never what it holds.
    const places = checked.issues.map((issue) => v.getDotPath(issue) ?? "the message itself");
    const { viewType, log } = this.#kind;
    log.info(`Dropped an invalid message of ${viewType}'s page (${places.join(", ")})`);
  }

  #file(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.#kind.extensionUri, ...path);
  }

  #html(webview: vscode.Webview, title: string): string {
    const file = (name: string): string =>
      webview.asWebviewUri(this.#file("dist", name)).toString();
    return pageHtml({
      title,
      language: vscode.env.language,
      script: file(`${this.#kind.page}.js`),
      styles: file(`${this.#kind.page}.css`),
      icons: file("codicon.css"),
      source: webview.cspSource,
      nonce: randomBytes(16).toString("base64"),
    });
  }
}
