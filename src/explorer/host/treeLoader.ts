// Loads what stands below the tree's rows, and learns with it what the rows themselves say. Imported with the first list.
import { isAppError } from "../../mindsdb/errors.ts";
import { loadChildren } from "../loadChildren.ts";
import { connectionOf, nodeId, type ExplorerNode, type ParentNode } from "../node.ts";
import type { LoadedTree, TreeList } from "./treeList.ts";

/** So many children are not drawn twice for the sake of one number. */
const longList = 300;

export class TreeLoader {
  readonly #tree: LoadedTree;

  constructor(tree: LoadedTree) {
    this.#tree = tree;
  }

  /** Loads a list for the first time. */
  async load(list: TreeList): Promise<ExplorerNode[]> {
    const { node } = list;
    if (node.kind === "connection") void this.#learnStatus(node.connectionId, node);
    list.nodes = await this.read(node);
    this.countItems(list);
    return list.nodes;
  }

  /** Asks the server for a node's children. What fails is one error node, and in the log. */
  async read(node: ParentNode): Promise<ExplorerNode[]> {
    const { access, opened } = this.#tree;
    const nodes = await loadChildren(node, access, opened);
    const failure = nodes.find((child) => child.kind === "error");
    if (failure) this.#logFailure(node, failure.error);
    return nodes;
  }

  /**
   * A group's count is known once it was opened; its row is drawn again when it is news. With an open row VS Code draws
   * all its children again, so the row of a long list waits until it is closed.
   */
  countItems({ node, nodes = [] }: TreeList): void {
    if (node.kind !== "group") return;
    if (nodes.some(({ kind }) => kind === "error" || kind === "unlisted")) return;
    const id = nodeId(node);
    const count = nodes.filter(({ kind }) => kind !== "empty").length;
    const { counts, withoutCount } = this.#tree;
    if (counts.get(id) === count) return;
    counts.set(id, count);
    // The children are kept, so that drawing the row again does not ask the server again.
    if (count > longList) withoutCount.add(id);
    else setTimeout(() => this.#tree.redraw(node), 0);
  }

  #logFailure(node: ParentNode, error: unknown): void {
    const name = connectionOf(node).name;
    const what = node.kind === "group" ? `${node.project}'s ${node.group} on ${name}` : name;
    const { log } = this.#tree;
    if (isAppError(error, "signInNeeded")) log.info(`${what}: a sign-in is needed`);
    else log.error(`${what} could not be loaded`, error);
  }

  async #learnStatus(connectionId: string, node: ParentNode): Promise<void> {
    const { access, statuses } = this.#tree;
    const id = nodeId(node);
    if (statuses.has(id)) return;
    // The list that is asked for at the same time says what is wrong.
    const status = await access.status(connectionId).catch(() => undefined);
    if (!status) return;
    statuses.set(id, status);
    this.#tree.redraw(node);
  }
}
