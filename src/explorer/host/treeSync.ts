// Updates the tree with what requests show about the servers: one list or row at a time, so that expanded
// and selected rows keep their state. Imported with the first list.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { ServerChange } from "../../shared/connection.ts";
import type { ListKind, Listed } from "../../mindsdb/changes/serverChange.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { listedChildren } from "../loadChildren.ts";
import { nodeId, type ErrorNode, type ExplorerNode, type ModelNode } from "../node.ts";
import { RedrawQueue } from "../redrawQueue.ts";
import { isDisprovedByAnswer, type SyncedTree, type TreeList } from "./loadedTree.ts";
import { TreeLoader } from "./treeLoader.ts";
import { TreePolling } from "./treePolling.ts";
import { TreeRefresh } from "./treeRefresh.ts";

/** Changes within this time, in ms, lead to one request. */
const gatherMs = 50;
/**
 * How soon a failed list is retried after another request has succeeded, in ms. Doubles with each retry,
 * because that request may not be related to the list.
 */
const firstRetryMs = 5_000;
const maxRetryMs = 300_000;

export class TreeSync {
  readonly #tree: SyncedTree;
  readonly #redraws: RedrawQueue;
  readonly #loading: TreeLoader;
  readonly #polling: TreePolling;
  readonly #refresh: TreeRefresh;
  /** Lists that are being reloaded, and whether they changed meanwhile. */
  readonly #reading = new Map<TreeList, { isStale: boolean }>();
  /** Connections whose server did not answer the last request. */
  readonly #gone = new Set<string>();
  /** Time of the last retry of failed lists and the wait until the next, by node id. */
  readonly #retried = new Map<string, { at: number; waitMs: number }>();

  constructor(tree: SyncedTree) {
    this.#tree = tree;
    this.#redraws = new RedrawQueue((nodes) => tree.redraw(nodes));
    this.#loading = new TreeLoader(tree, this.#redraws);
    this.#polling = new TreePolling(tree, (connectionId) => this.#retryFailed(connectionId));
    this.#refresh = new TreeRefresh(tree, {
      isGone: (connectionId) => this.#gone.has(connectionId),
      isReading: (list) => this.#reading.has(list),
      readAgain: (list) => this.#readAgain(list, true),
    });
  }

  /** Call when a node was expanded or came into view. */
  wake(): void {
    this.#polling.wake();
    this.#refresh.schedule();
  }

  /** Call when the user turns to the tree or comes back to the window. */
  attend(): void {
    this.wake();
    this.#refresh.attend();
  }

  /** Loads a list for the first time. */
  async load(list: TreeList): Promise<ExplorerNode[]> {
    const startedAt = performance.now();
    const loading = this.#loading.load(list);
    void this.#redraws.hold(loading);
    const nodes = await loading;
    this.#refresh.noteRead(list, performance.now() - startedAt);
    const { node } = list;
    const isThere = !nodes.some(isDisprovedByAnswer);
    if (isThere) this.#retried.delete(nodeId(node));
    this.#polling.look(isThere ? node.connectionId : undefined);
    return nodes;
  }

  apply(change: ServerChange): void {
    const { connectionId } = change;
    switch (change.kind) {
      case "answered":
        this.#retryFailed(connectionId);
        this.#refresh.noteAnswer(connectionId);
        if (this.#gone.delete(connectionId)) this.#showStatus(connectionId);
        break;
      case "reached":
        if (!this.#gone.delete(connectionId)) break;
        this.#showStatus(connectionId);
        this.#retryFailed(connectionId);
        break;
      case "unreachable":
        if (this.#gone.has(connectionId)) break;
        this.#gone.add(connectionId);
        this.#showStatus(connectionId);
        this.#polling.wake();
        break;
      case "changed":
        for (const list of this.#listsOf(connectionId, change.list, change.project)) {
          void this.#readAgain(list);
        }
        break;
      case "missing": {
        const { project, list: kind, name = project } = change;
        for (const list of this.#listsOf(connectionId, kind, project)) {
          if (list.nodes?.some((node) => isListedAs(node, name))) void this.#readAgain(list);
        }
        break;
      }
      case "listed":
        for (const list of this.#listsOf(connectionId, change.list, findProject(change))) {
          const { node } = list;
          if (node.kind !== "connection" && node.kind !== "group" && node.kind !== "queries") {
            continue;
          }
          this.#merge(list, listedChildren(node, change));
        }
        break;
      case "version":
        for (const list of this.#listsOf(connectionId, "models", change.project)) {
          const known = list.nodes?.find((node) => isListedAs(node, change.name));
          if (known?.kind === "model" && isNews(known, change.version)) void this.#readAgain(list);
        }
    }
  }

  /** Redraws rows when nothing is loading. */
  redrawSoon(nodes: ExplorerNode[]): void {
    this.#redraws.add(...nodes);
  }

  dispose(): void {
    this.#redraws.dispose();
    this.#polling.dispose();
    this.#refresh.dispose();
  }

  /** The loaded lists of a kind, of one project if it is given. */
  #listsOf(connectionId: string, kind: ListKind, project: string | undefined): TreeList[] {
    return [...this.#tree.lists.values()].filter(({ node, nodes }) => {
      if (!nodes || node.connectionId !== connectionId) return false;
      // Projects and data sources are one list on the server, and a statement can name either a database.
      if (kind === "projects") return node.kind === "connection" || node.kind === "data";
      if (kind === "queries" || kind === "mlEngines") return node.kind === kind;
      if (kind === "tables") {
        if (node.kind === "dataSource") return isNamedLike(node.name, project);
        return node.kind === "table" && isNamedLike(node.project, project);
      }
      return node.kind === "group" && node.group === kind && isNamedLike(node.project, project);
    });
  }

  /** Reloads a list while the old one stays visible. A failure changes nothing; it is returned. */
  async #readAgain(list: TreeList, isQuiet = false): Promise<ErrorNode | undefined> {
    const underWay = this.#reading.get(list);
    if (underWay) {
      underWay.isStale = true;
      return undefined;
    }
    let failure: ErrorNode | undefined;
    const reading = { isStale: true };
    this.#reading.set(list, reading);
    await sleep(gatherMs);
    try {
      while (reading.isStale && this.#isShown(list)) {
        reading.isStale = false;
        const nodes = await this.#loading.read(list.node, isQuiet);
        failure = nodes.find((node) => node.kind === "error");
        if (!failure) this.#merge(list, nodes);
      }
      return failure;
    } finally {
      this.#reading.delete(list);
    }
  }

  #isShown(list: TreeList): boolean {
    return this.#tree.lists.get(nodeId(list.node)) === list;
  }

  /** Merges a new list. Rows that remain keep their nodes, because VS Code identifies rows by them. */
  #merge(list: TreeList, fresh: ExplorerNode[]): void {
    if (!this.#isShown(list) || !list.nodes) return;
    const known = new Map(list.nodes.map((node) => [nodeId(node), node]));
    const changed: ExplorerNode[] = [];
    const nodes = fresh.map((node) => {
      const old = known.get(nodeId(node));
      if (old?.kind !== node.kind) return node;
      if (takeOver(old, node)) changed.push(old);
      return old;
    });
    const isSameRows =
      nodes.length === list.nodes.length && nodes.every((node, at) => node === list.nodes?.[at]);
    if (isSameRows && changed.length === 0) return;
    const kept = new Set(nodes);
    for (const node of list.nodes) if (!kept.has(node)) this.#forgetBelow(node);
    for (const node of changed) this.#forgetBelow(node);
    list.nodes = nodes;
    list.loading = Promise.resolve(nodes);
    if (isSameRows) this.#redraws.add(...changed);
    else {
      this.#loading.countItems(list);
      this.#redraws.add(list.node);
    }
    this.wake();
  }

  #forgetBelow(node: ExplorerNode): void {
    const id = nodeId(node);
    for (const key of [...this.#tree.lists.keys()]) {
      if (key === id || key.startsWith(`${id}/`)) this.#tree.lists.delete(key);
    }
  }

  /** Redraws a connection's row without the server's version, and with it once a server that is there has said it. */
  #showStatus(connectionId: string): void {
    const list = [...this.#tree.lists.values()].find(
      ({ node }) => node.kind === "connection" && node.connectionId === connectionId,
    );
    if (!list) return;
    if (this.#tree.statuses.delete(nodeId(list.node))) this.#redraws.add(list.node);
    if (!this.#gone.has(connectionId)) void this.#loading.learnStatus(list.node);
  }

  /** Retries lists that failed because the server did not answer, now that it does. */
  #retryFailed(connectionId: string): void {
    for (const { node, nodes } of [...this.#tree.lists.values()]) {
      if (node.connectionId !== connectionId || !nodes?.some(isDisprovedByAnswer)) continue;
      const id = nodeId(node);
      const last = this.#retried.get(id);
      const now = performance.now();
      if (last && now - last.at < last.waitMs) continue;
      const waitMs = last ? Math.min(maxRetryMs, 2 * last.waitMs) : firstRetryMs;
      this.#retried.set(id, { at: now, waitMs });
      if (node.kind === "connection") this.#tree.refreshConnection(connectionId);
      else this.#tree.refresh(node);
    }
  }
}

function findProject(listed: Listed): string | undefined {
  return "project" in listed ? listed.project : undefined;
}

/** Whether a project or data source has this name; any has if none is given. */
function isNamedLike(name: string, wanted: string | undefined): boolean {
  return wanted === undefined || isSameName(name, wanted);
}

/** Whether a row is from the server's list and has this name. */
function isListedAs(node: ExplorerNode, name: string): boolean {
  if (node.kind === "project") return isSameName(node.project, name);
  if (node.kind === "view") return isSameName(node.item.name, name);
  const isItem = node.kind === "agent" || node.kind === "knowledgeBase" || node.kind === "model";
  return isItem && !node.isByName && isSameName(node.name, name);
}

function isNews({ item }: ModelNode, version: ModelNode["item"]["current"]): boolean {
  const known = item.versions.find((one) => one.version === version.version);
  return known?.status !== version.status || known.active !== version.active;
}

/** Copies the content of a new node to the old one; false if nothing changed. */
function takeOver(old: ExplorerNode, fresh: ExplorerNode): boolean {
  if (old.kind === "project" && fresh.kind === "project") {
    if (old.isDefault === fresh.isDefault) return false;
    old.isDefault = fresh.isDefault;
    return true;
  }
  if (!("item" in old) || !("item" in fresh)) return false;
  if (isDeepStrictEqual(old.item, fresh.item)) return false;
  old.item = fresh.item;
  return true;
}
