// One kind of panel: a page per key, its HTML and policy, the handshake, and its return after a reload.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import * as vscode from "vscode";
import { oneLine } from "../oneLine.ts";
import { pageHtml } from "../pageHtml.ts";
import { Outbox } from "../outbox.ts";
import type { Log } from "./log.ts";

/** What a feature puts behind one panel. The host owns the truth, the page only shows it. */
export interface PanelContent<ToHost, ToPage> {
  readonly title: string;
  /** The panel has changes that are not saved: its tab is marked, as VS Code marks editors. */
  readonly isDirty?: boolean;
  /** Everything a page needs to start from nothing. */
  snapshot(): ToPage[];
  /** A message from the page, its shape checked. */
  receive(message: ToHost): void;
  /** The user has closed the panel. */
  closed(): void;
}

/** Gives a panel's page a message; before the page is ready it does nothing, since the snapshot will hold it. */
export type PostToPage<ToPage> = (message: ToPage) => void;

export interface PanelKind<ToHost, ToPage, Content> {
  /** Needs `onWebviewPanel:<viewType>` among the activation events to come back after a reload. */
  viewType: string;
  extensionUri: vscode.Uri;
  /** The page's files are `dist/<page>.js` and `dist/<page>.css`. */
  page: string;
  /** The tab's icon is `media/<icon>-light.svg` or `-dark.svg`. */
  icon: string;
  /** The shape of every message that may come from the page; anything else is dropped and logged. */
  incoming: v.GenericSchema<unknown, ToHost>;
  /** How heavy a message is for the page, in characters; a post holds about a million. */
  weigh?: (message: ToPage) => number;
  /** After a reload: what belongs to the state that the page had saved, if it is still there. */
  restore: (
    state: unknown,
  ) =>
    | RestoredPanel<ToPage, Content>
    | undefined
    | Promise<RestoredPanel<ToPage, Content> | undefined>;
  /** Which of these panels is the active editor, if any, may have changed. */
  activeChanged?: () => void;
  log: Log;
}

/** What a panel showed before a reload: its key, and its content, which is created if no open panel has the key. */
export interface RestoredPanel<ToPage, Content> {
  key: string;
  create: (post: PostToPage<ToPage>) => Content;
}

/** VS Code gives a tab all the width that its title needs; this many characters leave room for other tabs. */
const maxTitleLength = 60;

function tabTitle({ title, isDirty = false }: { title: string; isDirty?: boolean }): string {
  return (isDirty ? "● " : "") + oneLine(title, maxTitleLength);
}

const postReply = v.variant("type", [
  v.object({ type: v.literal("ready") }),
  v.object({ type: v.literal("shown"), post: v.number() }),
]);

/** Brings one panel back after a reload of the window, or closes it. */
export interface PanelRestorer {
  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/**
 * All open panels of one kind, at most one for each key. They stay when the extension ends: VS Code closes them, or has
 * them restored when the window is back (see restorePanels).
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

  /** The content of the panel that is the active editor. */
  get active(): Content | undefined {
    return [...this.#open.values()].find(({ panel }) => panel.active)?.content;
  }

  /** The contents of all open panels, the oldest first. */
  get contents(): Content[] {
    return [...this.#open.values()].map(({ content }) => content);
  }

  /** Brings the panel of this key to the front; opens it, with what `create` makes, if there is none. */
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
    this.#connect(key, panel, create);
  }

  /**
   * A content is about something else now: its panel goes under this key, with the content's new title. A panel that has
   * this key already takes its place.
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

  /** The content's title, or whether it has unsaved changes, is another one now. */
  retitle(content: Content): void {
    const open = [...this.#open.values()].find((one) => one.content === content);
    if (open && open.panel.title !== tabTitle(content)) open.panel.title = tabTitle(content);
  }

  /** Closes the panel of this key, if there is one. */
  close(key: string): void {
    this.#open.get(key)?.panel.dispose();
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const restored = await this.#kind.restore(state);
    if (restored && !this.#open.has(restored.key)) {
      this.#connect(restored.key, panel, restored.create);
    } else {
      panel.dispose();
    }
  }

  #connect(
    key: string,
    panel: vscode.WebviewPanel,
    create: (post: PostToPage<ToPage>) => Content,
  ): void {
    const outbox = new Outbox<ToPage>(
      (post) => void panel.webview.postMessage(post),
      this.#kind.weigh,
    );
    const content = create((message) => outbox.post(message));
    this.#open.set(key, { panel, content });
    panel.onDidDispose(() => {
      for (const [at, open] of this.#open) if (open.panel === panel) this.#open.delete(at);
      // VS Code throws at whoever touches a panel that is closed.
      outbox.close();
      content.closed();
      this.#kind.activeChanged?.();
    });
    panel.onDidChangeViewState(() => this.#kind.activeChanged?.());
    panel.webview.onDidReceiveMessage((message: unknown) => {
      this.#receive(message, outbox, content);
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
    this.#kind.activeChanged?.();
  }

  #receive(message: unknown, outbox: Outbox<ToPage>, content: Content): void {
    const reply = v.safeParse(postReply, message);
    if (reply.success) {
      if (reply.output.type === "ready") outbox.ready(content.snapshot());
      else outbox.shown(reply.output.post);
      return;
    }
    const checked = v.safeParse(this.#kind.incoming, message);
    if (checked.success) content.receive(checked.output);
    else this.#kind.log.info(`Dropped a message that ${this.#kind.viewType}'s page must not send`);
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
