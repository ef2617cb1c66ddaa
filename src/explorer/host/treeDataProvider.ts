// The tree data provider: loads children when a node is expanded, caches them, and refreshes single nodes.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ServerAccess, ServerChange } from "../../connections/connection.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import type { Log } from "../../shared/host/log.ts";
import {
  isParent,
  nodeId,
  getParentNode,
  type ConnectionNode,
  type ExplorerNode,
  type GroupKind,
  type GroupNode,
  type TableNode,
} from "../node.ts";
import { loadRoots } from "../loadRoots.ts";
import type { OpenedNames } from "../openedNames.ts";
import type { buildTreeItem } from "./treeItem.ts";
import type { SyncedTree, TreeList } from "./treeList.ts";
import type { TreeSync } from "./treeSync.ts";

const expandedKey = "explorer.expanded";
/** How long rows wait for the system keychain, in ms. */
const keychainPatience = 300;

/** What the tree needs from the connections. */
export interface TreeAccess extends ServerAccess {
  /** Ids of the connections that the user is signed in to. */
  signedIn(): Promise<ReadonlySet<string>>;
}

export class ExplorerTreeDataProvider implements vscode.TreeDataProvider<ExplorerNode>, SyncedTree {
  // Members that are not private are used by treeSync.ts, which is imported with the first list.
  readonly access: TreeAccess;
  readonly #state: vscode.Memento;
  readonly log: Log;
  readonly opened: OpenedNames;
  readonly changed = new vscode.EventEmitter<ExplorerNode | ExplorerNode[] | undefined>();
  readonly lists = new Map<string, TreeList>();
  readonly closed = new Set<string>();
  isVisible = false;
  #sync: Promise<TreeSync> | undefined;
  /** Undefined until the first rows are asked for. */
  #build: typeof buildTreeItem | undefined;
  /** VS Code identifies a row by its object, so a connection's node is reused while it is unchanged. */
  #roots: ConnectionNode[] = [];
  readonly counts = new Map<string, number>();
  /** Groups whose row does not show the item count yet. */
  readonly withoutCount = new Set<string>();
  /** Server status by node id. */
  readonly statuses = new Map<string, ServerStatus>();
  /** Ids of the connections that the user is signed in to. */
  #signedIn: ReadonlySet<string> = new Set();
  readonly #expanded: Set<string>;
  /**
   * Nobody has opened or closed anything yet: then the only connection stands open, if a setting has it. (One that is being
   * added is opened when its sign-in is done.)
   */
  #isUntouched: boolean;

  readonly onDidChangeTreeData = this.changed.event;

  /** What was open is read here, before the first row is drawn: `Expanded` counts only at a row's first drawing. */
  constructor(access: TreeAccess, state: vscode.Memento, log: Log, opened: OpenedNames = () => []) {
    this.access = access;
    this.opened = opened;
    this.#state = state;
    this.log = log;
    const expanded = state.get<string[]>(expandedKey);
    this.#expanded = new Set(expanded);
    this.#isUntouched = expanded === undefined;
  }

  /** A promise only before the first rows: thousands of rows are drawn at once. */
  getTreeItem(node: ExplorerNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    if (!this.#build) return this.#loadTreeItems().then(() => this.getTreeItem(node));
    const id = nodeId(node);
    return this.#build(node, {
      isExpanded: this.#expanded.has(id),
      count: this.counts.get(id),
      server: this.statuses.get(encodeURIComponent(node.connectionId)),
      isSignedIn: node.kind === "connection" && this.#signedIn.has(node.connectionId),
    });
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ExplorerNode): Promise<vscode.TreeItem> {
    const { buildTooltip } = await import("./tooltip.ts");
    item.tooltip = buildTooltip(node);
    return item;
  }

  getParent(node: ExplorerNode): ExplorerNode | undefined {
    return getParentNode(node);
  }

  async getChildren(node?: ExplorerNode): Promise<ExplorerNode[]> {
    if (!node) {
      await Promise.all([this.#learnSignedIn(), this.#loadTreeItems()]);
      return this.#loadRoots();
    }
    if (!isParent(node)) return [];
    const id = nodeId(node);
    let list = this.lists.get(id);
    if (!list) {
      this.#sync ??= import("./treeSync.ts").then(({ TreeSync }) => new TreeSync(this));
      const sync = this.#sync;
      list = { node, loading: sync.then((loaded) => loaded.load(list!)) };
      this.lists.set(id, list);
    }
    return list.loading;
  }

  /** Updates the tree with what a request has shown about a server. */
  async learn(change: ServerChange): Promise<void> {
    // Predictions send thousands of requests.
    if (change.kind === "answered" && ![...this.lists.values()].some(hasFailed)) return;
    (await this.#sync)?.apply(change);
  }

  /** Polls changing items only while the view is visible. */
  async setVisible(isVisible: boolean): Promise<void> {
    this.isVisible = isVisible;
    (await this.#sync)?.wake();
  }

  /** Reloads the children of one node, or everything. */
  refresh(node?: ExplorerNode): void {
    const id = node && nodeId(node);
    for (const key of [...this.lists.keys()]) {
      if (id === undefined || key === id || key.startsWith(`${id}/`)) this.lists.delete(key);
    }
    this.redraw(node);
  }

  /** The node of a project's group; the one in the tree if it is shown. */
  async findGroup(
    { connectionId, project }: { connectionId: string; project: string },
    group: GroupKind,
  ): Promise<GroupNode | undefined> {
    const root = this.#loadRoots().find((node) => node.connectionId === connectionId);
    if (root) this.#forgetFailure(nodeId(root));
    const projects = root ? await this.getChildren(root) : [];
    const parent = projects.find((node) => node.kind === "project" && node.project === project);
    const groups = parent ? await this.getChildren(parent) : [];
    return groups.find((node) => node.kind === "group" && node.group === group) as GroupNode;
  }

  /** The node of a table without a schema, read again with its data source's tables. */
  async findTable(
    connectionId: string,
    source: string,
    name: string,
  ): Promise<ExplorerNode | undefined> {
    const root = this.#loadRoots().find((node) => node.connectionId === connectionId);
    const data = root && (await this.getChildren(root)).find(({ kind }) => kind === "data");
    const sources = data ? await this.getChildren(data) : [];
    const parent = sources.find((node) => node.kind === "dataSource" && node.name === source);
    if (!parent) return undefined;
    this.refresh(parent);
    const tables = await this.getChildren(parent);
    return tables.find((node) => node.kind === "table" && node.name === name);
  }

  /** The tables in lists that were loaded. */
  loadedTables(): TableNode[] {
    return [...this.lists.values()].flatMap(({ nodes }) =>
      (nodes ?? []).filter((node) => node.kind === "table"),
    );
  }

  /** Reloads everything below one connection. */
  refreshConnection(connectionId: string): void {
    this.statuses.delete(encodeURIComponent(connectionId));
    const node = this.#rootOf(connectionId);
    if (node) this.refresh(node);
  }

  /** Stores the expanded state for the next reload of the window. */
  setExpanded(node: ExplorerNode, isExpanded: boolean): void {
    const id = nodeId(node);
    if (isExpanded) this.#expanded.add(id);
    else this.#expanded.delete(id);
    if (isExpanded) this.closed.delete(id);
    else this.closed.add(id);
    void this.#state.update(expandedKey, [...this.#expanded]);
    void this.#sync?.then((sync) => sync.wake());
    if (isExpanded) return;
    this.#forgetFailure(id);
    if (this.withoutCount.delete(id)) this.redraw(node);
  }

  dispose(): void {
    void this.#sync?.then((sync) => sync.dispose());
    this.changed.dispose();
  }

  async #loadTreeItems(): Promise<void> {
    this.#build ??= (await import("./treeItem.ts")).buildTreeItem;
  }

  #loadRoots(): ConnectionNode[] {
    this.#roots = loadRoots(this.access).map((fresh) => {
      const known = this.#rootOf(fresh.connectionId);
      return known && isDeepStrictEqual(known, fresh) ? known : fresh;
    });
    const [only, ...others] = this.#roots;
    if (this.#isUntouched && only) {
      if (only.connection.isPreset && others.length === 0) this.#expanded.add(nodeId(only));
      this.#isUntouched = false;
    }
    return this.#roots;
  }

  #rootOf(connectionId: string): ConnectionNode | undefined {
    return this.#roots.find((root) => root.connectionId === connectionId);
  }

  /** A failed list is not reloaded when rows are redrawn, only when its node is expanded or refreshed. */
  #forgetFailure(id: string): void {
    if (hasFailed(this.lists.get(id))) this.lists.delete(id);
  }

  /**
   * Has a node drawn again, by way of its parent, or everything. VS Code remembers a row's children with the row: a
   * refresh of the row itself that meets their first arrival leaves rows on screen that VS Code's two sides no longer
   * agree about, without tooltips, children and commands.
   */
  redraw(node: ExplorerNode | undefined): void {
    this.changed.fire(node && getParentNode(node));
  }

  /**
   * Before the rows, so that they are drawn once. A keychain that first asks its user for a password is not waited for:
   * its word has them drawn again.
   */
  async #learnSignedIn(): Promise<void> {
    let isLate = false;
    const learning = this.access.signedIn().then((signedIn) => {
      const isNews = !isDeepStrictEqual(signedIn, this.#signedIn);
      this.#signedIn = signedIn;
      if (isLate && isNews) this.redraw(undefined);
    });
    await Promise.race([learning, sleep(keychainPatience, undefined, { ref: false })]);
    isLate = true;
  }
}

/** True for a list that consists of an error. */
function hasFailed(list: TreeList | undefined): boolean {
  return list?.nodes?.[0]?.kind === "error";
}
