// Loads the children of tree nodes, with item counts and server status. Imported with the first list.
import { isAppError } from "../../mindsdb/errors.ts";
import { loadChildren } from "../loadChildren.ts";
import { getConnection, nodeId, type ExplorerNode, type ParentNode } from "../node.ts";
import type { RedrawQueue } from "../redrawQueue.ts";
import type { LoadedTree, TreeList } from "./loadedTree.ts";

/** Lists of this length are not redrawn just to show the count. */
const longList = 300;

/** The lists whose rows show a count. */
const countedKinds: ReadonlySet<ParentNode["kind"]> = new Set([
  "group",
  "dataSource",
  "mlEngines",
  "queries",
]);

export class TreeLoader {
  readonly #tree: LoadedTree;
  readonly #redraws: RedrawQueue;

  constructor(tree: LoadedTree, redraws: RedrawQueue) {
    this.#tree = tree;
    this.#redraws = redraws;
  }

  /** Loads a list for the first time. */
  async load(list: TreeList): Promise<ExplorerNode[]> {
    const { node } = list;
    if (node.kind === "connection") void this.learnStatus(node);
    list.nodes = await this.read(node);
    this.countItems(list);
    return list.nodes;
  }

  /** Requests the children of a node. A failure becomes an error node and is logged, unless `isQuiet`. */
  async read(node: ParentNode, isQuiet = false): Promise<ExplorerNode[]> {
    const { access, openedNames } = this.#tree;
    const nodes = await loadChildren(node, access, openedNames);
    const failure = nodes.find((child) => child.kind === "error");
    if (failure && !isQuiet) this.#logFailure(node, failure.error);
    return nodes;
  }

  /**
   * Stores a group's count once it is loaded, and redraws its row if the count changed. VS Code redraws an expanded row
   * with all its children, so the row of a long list is redrawn when it is collapsed.
   */
  countItems({ node, nodes = [] }: TreeList): void {
    if (!countedKinds.has(node.kind)) return;
    if (nodes.some(({ kind }) => kind === "error" || kind === "unlisted")) return;
    const id = nodeId(node);
    const count = nodes.reduce((sum, child) => sum + itemsIn(child), 0);
    const { counts, withoutCount } = this.#tree;
    if (counts.get(id) === count) return;
    counts.set(id, count);
    // The children are cached, so redrawing the row sends no request.
    if (count > longList) withoutCount.add(id);
    else this.#redraws.add(node);
  }

  #logFailure(node: ParentNode, error: unknown): void {
    const name = getConnection(node).name;
    const what =
      node.kind === "group" ? `${node.project}'s ${node.group} on ${name}` : listName(node, name);
    const { log } = this.#tree;
    if (isAppError(error, "signInNeeded")) log.info(`${what}: a sign-in is needed`);
    else log.error(`${what} could not be loaded`, error);
  }

  /** Asks the server of a connection for its version, unless that is known. */
  async learnStatus(node: ParentNode): Promise<void> {
    const { access, statuses } = this.#tree;
    const id = nodeId(node);
    if (statuses.has(id)) return;
    // The list, which is requested at the same time, shows the error.
    const status = await access.status(node.connectionId).catch(() => undefined);
    if (!status) return;
    statuses.set(id, status);
    this.#redraws.add(node);
  }
}

/** How many items a row of a counted list stands for: a schema for its tables. */
function itemsIn(node: ExplorerNode): number {
  if (node.kind === "empty") return 0;
  return node.kind === "schema" ? node.item.tables.length : 1;
}

function listName(node: ParentNode, connection: string): string {
  if (node.kind === "queries") return `The running queries of ${connection}`;
  if (node.kind === "mlEngines") return `The ML engines of ${connection}`;
  if (node.kind === "data") return `The data sources of ${connection}`;
  return node.kind === "dataSource" || node.kind === "table"
    ? `${node.kind} ${node.name} on ${connection}`
    : connection;
}
