// The tree data provider: loads children when a node is expanded, caches them, and refreshes single nodes.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { ServerAccess, ServerChange } from "../../shared/connection.ts";
import { contextKeys } from "../../ids.ts";
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
import type { SyncedTree, TreeList } from "./loadedTree.ts";
import type { TreeSync } from "./treeSync.ts";

const expandedKey = "explorer.expanded";
/** How long rows wait for the system keychain, in ms. */
const maxKeychainWaitMs = 300;

/** The connections as the tree uses them. */
export interface TreeAccess extends ServerAccess {
  /** Ids of the connections that the user is signed in to. */
  listSignedInIds(): Promise<ReadonlySet<string>>;
  /** Since when nothing reaches the server, in ms since 1970. */
  unreachableSince(id: string): number | undefined;
}

export class ExplorerTreeDataProvider implements vscode.TreeDataProvider<ExplorerNode> {
  readonly #access: TreeAccess;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<ExplorerNode | ExplorerNode[] | undefined>();
  readonly #lists = new Map<string, TreeList>();
  readonly #collapsedIds = new Set<string>();
  readonly #counts = new Map<string, number>();
  readonly #withoutCount = new Set<string>();
  readonly #statuses = new Map<string, ServerStatus>();
  #isVisible = false;
  #unfocusedSince: number | undefined;
  /** The data of treeSync.ts, which is imported with the first list. */
  readonly #tree: SyncedTree;
  #sync: Promise<TreeSync> | undefined;
  /** Undefined until the first rows are asked for. */
  #build: typeof buildTreeItem | undefined;
  /** VS Code identifies a row by its object, so a connection's node is reused while it is unchanged. */
  #roots: ConnectionNode[] = [];
  /** Ids of the connections that the user is signed in to. */
  #signedIn: ReadonlySet<string> = new Set();
  /** Connections whose rows say that nothing reaches their server. */
  readonly #shownAsGone = new Set<string>();
  readonly #expanded: Set<string>;
  /** True until the first rows of a new installation, where the only connection starts expanded if a setting has it. */
  #isUntouched: boolean;

  readonly onDidChangeTreeData = this.#changed.event;

  /** Reads the expanded rows at once: VS Code takes `Expanded` from a row's first item only. */
  constructor(
    access: TreeAccess,
    state: vscode.Memento,
    log: Log,
    openedNames: OpenedNames = () => [],
  ) {
    this.#access = access;
    this.#state = state;
    this.#tree = {
      access,
      log,
      openedNames,
      lists: this.#lists,
      collapsedIds: this.#collapsedIds,
      counts: this.#counts,
      withoutCount: this.#withoutCount,
      statuses: this.#statuses,
      unreachableSince: (connectionId) => access.unreachableSince(connectionId),
      isVisible: () => this.#isVisible,
      unfocusedSince: () => this.#unfocusedSince,
      redraw: (nodes) => this.#changed.fire(nodes),
      refresh: (node) => this.refresh(node),
      refreshConnection: (connectionId) => this.refreshConnection(connectionId),
    };
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
      count: this.#counts.get(id),
      server: this.#statuses.get(encodeURIComponent(node.connectionId)),
      isUnreachable:
        node.kind === "connection" &&
        this.#access.unreachableSince(node.connectionId) !== undefined,
      isSignedIn: node.kind === "connection" && this.#signedIn.has(node.connectionId),
    });
  }

  async resolveTreeItem(item: vscode.TreeItem, node: ExplorerNode): Promise<vscode.TreeItem> {
    const { buildTooltip } = await import("./tooltip.ts");
    item.tooltip = buildTooltip(node, this.#access.unreachableSince(node.connectionId));
    return item;
  }

  getParent(node: ExplorerNode): ExplorerNode | undefined {
    return getParentNode(node);
  }

  async getChildren(node?: ExplorerNode): Promise<ExplorerNode[]> {
    if (!node) {
      await Promise.all([this.learnSignedIn(), this.#loadTreeItems()]);
      return this.#loadRoots();
    }
    // VS Code asks for the children of expanded rows only, and does not report an expansion while a row is redrawn.
    if (isParent(node) && !this.#expanded.has(nodeId(node))) this.#storeExpanded(node, true);
    return this.loadChildren(node);
  }

  /** The children of a row, whether or not it is expanded. */
  async loadChildren(node: ExplorerNode): Promise<ExplorerNode[]> {
    if (!isParent(node)) return [];
    const id = nodeId(node);
    let list = this.#lists.get(id);
    if (!list) {
      this.#sync ??= import("./treeSync.ts").then(({ TreeSync }) => new TreeSync(this.#tree));
      const sync = this.#sync;
      list = { node, loading: sync.then((loaded) => loaded.load(list!)) };
      this.#lists.set(id, list);
    }
    return list.loading;
  }

  /** Updates the tree with what a request has shown about a server. */
  async handleServerChange(change: ServerChange): Promise<void> {
    if (change.kind === "unreachable" || change.kind === "answered" || change.kind === "reached") {
      this.#showReachability(change.connectionId);
    }
    (await this.#sync)?.apply(change);
  }

  /** Polls changing items and reads lists again only while the view is visible. */
  async setVisible(isVisible: boolean): Promise<void> {
    this.#isVisible = isVisible;
    await this.attend();
  }

  /** VS Code also reports a window's state when the user pauses: only a new focus means that the user has come back. */
  async setFocused(isFocused: boolean): Promise<void> {
    if (isFocused === (this.#unfocusedSince === undefined)) return;
    this.#unfocusedSince = isFocused ? undefined : Date.now();
    await this.attend();
  }

  /** Reads what is in view again: the user has turned to the tree. */
  async attend(): Promise<void> {
    (await this.#sync)?.attend();
  }

  /** Reloads the children of one node, or everything. */
  refresh(node?: ExplorerNode): void {
    const id = node && nodeId(node);
    for (const key of [...this.#lists.keys()]) {
      if (id === undefined || key === id || key.startsWith(`${id}/`)) this.#lists.delete(key);
    }
    this.#redraw(node);
  }

  /** The node of a project's group; the one in the tree if it is shown. */
  async findGroup(
    { connectionId, project }: { connectionId: string; project: string },
    group: GroupKind,
  ): Promise<GroupNode | undefined> {
    const root = this.#loadRoots().find((node) => node.connectionId === connectionId);
    if (root) this.#forgetFailure(nodeId(root));
    const projects = root ? await this.loadChildren(root) : [];
    const parent = projects.find((node) => node.kind === "project" && node.project === project);
    const groups = parent ? await this.loadChildren(parent) : [];
    return groups.find((node) => node.kind === "group" && node.group === group) as GroupNode;
  }

  /** The node of a data source or ML engine, read again with the others of its connection. */
  async reloadOfServer(
    connectionId: string,
    list: "data" | "mlEngines",
    name: string,
  ): Promise<ExplorerNode | undefined> {
    const root = this.#loadRoots().find((node) => node.connectionId === connectionId);
    const parent = root && (await this.loadChildren(root)).find(({ kind }) => kind === list);
    if (!parent) return undefined;
    this.refresh(parent);
    const items = await this.loadChildren(parent);
    return items.find((node) => "name" in node && node.name === name);
  }

  /** The node of a table without a schema, read again with its data source's tables. */
  async reloadTable(
    connectionId: string,
    source: string,
    name: string,
  ): Promise<ExplorerNode | undefined> {
    const root = this.#loadRoots().find((node) => node.connectionId === connectionId);
    const data = root && (await this.loadChildren(root)).find(({ kind }) => kind === "data");
    const sources = data ? await this.loadChildren(data) : [];
    const parent = sources.find((node) => node.kind === "dataSource" && node.name === source);
    if (!parent) return undefined;
    this.refresh(parent);
    const tables = await this.loadChildren(parent);
    return tables.find((node) => node.kind === "table" && node.name === name);
  }

  loadedTables(): TableNode[] {
    return [...this.#lists.values()].flatMap(({ nodes }) =>
      (nodes ?? []).filter((node) => node.kind === "table"),
    );
  }

  /** Reloads everything below one connection. */
  refreshConnection(connectionId: string): void {
    this.#statuses.delete(encodeURIComponent(connectionId));
    const node = this.#rootOf(connectionId);
    if (node) this.refresh(node);
  }

  /** Stores the expanded state for the next reload of the window. */
  setExpanded(node: ExplorerNode, isExpanded: boolean): void {
    this.#storeExpanded(node, isExpanded);
    void this.#sync?.then((sync) => sync.wake());
    if (isExpanded) return;
    const id = nodeId(node);
    this.#forgetFailure(id);
    if (this.#withoutCount.delete(id)) this.#redraw(node);
  }

  dispose(): void {
    void this.#sync?.then((sync) => sync.dispose());
    this.#changed.dispose();
  }

  async #loadTreeItems(): Promise<void> {
    this.#build ??= (await import("./treeItem.ts")).buildTreeItem;
  }

  #loadRoots(): ConnectionNode[] {
    this.#roots = loadRoots(this.#access).map((fresh) => {
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

  #storeExpanded(node: ExplorerNode, isExpanded: boolean): void {
    const id = nodeId(node);
    if (isExpanded) this.#expanded.add(id);
    else this.#expanded.delete(id);
    if (isExpanded) this.#collapsedIds.delete(id);
    else this.#collapsedIds.add(id);
    this.#forgetRemovedConnections();
    void this.#state.update(expandedKey, [...this.#expanded]);
  }

  #rootOf(connectionId: string): ConnectionNode | undefined {
    return this.#roots.find((root) => root.connectionId === connectionId);
  }

  /** Redraws a connection's row whose server is gone or back. */
  #showReachability(connectionId: string): void {
    const isGone = this.#access.unreachableSince(connectionId) !== undefined;
    if (isGone === this.#shownAsGone.has(connectionId)) return;
    if (isGone) this.#shownAsGone.add(connectionId);
    else this.#shownAsGone.delete(connectionId);
    const root = this.#rootOf(connectionId);
    if (root) void this.#redrawSoon([root]);
  }

  #forgetRemovedConnections(): void {
    const roots = new Set(this.#access.list().map(({ id }) => encodeURIComponent(id)));
    for (const id of this.#expanded) {
      if (!roots.has(id.split("/", 1)[0] ?? "")) this.#expanded.delete(id);
    }
  }

  /** A failed list is not reloaded when rows are redrawn, only when its node is expanded or refreshed. */
  #forgetFailure(id: string): void {
    if (hasFailed(this.#lists.get(id))) this.#lists.delete(id);
  }

  /**
   * Redraws a node through its parent, or everything: refreshing a row itself while its first children load leaves rows
   * that VS Code's window and extension host disagree about, without tooltips, children and commands.
   */
  #redraw(node: ExplorerNode | undefined): void {
    this.#changed.fire(node && getParentNode(node));
  }

  /** Redraws rows when nothing is loading any more. */
  async #redrawSoon(nodes: ExplorerNode[]): Promise<void> {
    if (this.#sync) (await this.#sync).redrawSoon(nodes);
    else this.#changed.fire(nodes);
  }

  /**
   * Waits briefly, so that rows are drawn once. While a keychain is locked rows do not wait; they are redrawn when it
   * opens.
   */
  async learnSignedIn(): Promise<void> {
    let isLate = false;
    const learning = this.#access.listSignedInIds().then((signedIn) => {
      const before = this.#signedIn;
      const changed = this.#roots.filter(
        ({ connectionId: id }) => signedIn.has(id) !== before.has(id),
      );
      this.#signedIn = signedIn;
      const isSignedOut = signedIn.size === 0;
      void vscode.commands.executeCommand("setContext", contextKeys.signedOut, isSignedOut);
      if (isLate && changed.length > 0) void this.#redrawSoon(changed);
    });
    await Promise.race([learning, sleep(maxKeychainWaitMs, undefined, { ref: false })]);
    isLate = true;
  }
}

/** True for a list that consists of an error. */
function hasFailed(list: TreeList | undefined): boolean {
  return list?.nodes?.[0]?.kind === "error";
}
