// Interfaces of the loaded tree for treeSync.ts and treePolling.ts, and temporary failures.
import type { ServerAccess } from "../../shared/connection.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import type { Log } from "../../shared/host/log.ts";
import {
  getParentNode,
  nodeId,
  type ErrorNode,
  type ExplorerNode,
  type ParentNode,
} from "../node.ts";
import type { OpenedNames } from "../openedNames.ts";

/** The children of a node, loaded or loading. */
export interface TreeList {
  node: ParentNode;
  loading: Promise<ExplorerNode[]>;
  /** Absent while loading. */
  nodes?: ExplorerNode[];
}

/** The tree's loaded state. */
export interface LoadedTree {
  readonly access: ServerAccess;
  readonly openedNames: OpenedNames;
  readonly log: Log;
  /** Item counts of loaded groups, by node id. */
  readonly counts: Map<string, number>;
  /** Groups whose row does not show the item count yet. */
  readonly withoutCount: Set<string>;
  /** Server status by node id. */
  readonly statuses: Map<string, ServerStatus>;
  /** Since when nothing reaches a connection's server, in ms since 1970. */
  unreachableSince(connectionId: string): number | undefined;
}

/** The tree as treeSync.ts updates it. */
export interface SyncedTree extends LoadedTree {
  /** The loaded lists, by node id. */
  readonly lists: Map<string, TreeList>;
  /** Redraws nodes and everything below them from the loaded lists. */
  redraw(nodes: ExplorerNode[]): void;
  isVisible(): boolean;
  /** When VS Code's window lost the focus; undefined while it has it. */
  unfocusedSince(): number | undefined;
  /**
   * Ids of nodes that the user collapsed. VS Code asks only for children of expanded nodes, and does not report every
   * expansion: a click while the row is redrawn is lost.
   */
  readonly collapsedIds: ReadonlySet<string>;
  /** Asks again for everything below a connection. */
  refreshConnection(connectionId: string): void;
  /** Asks again for a node's children. */
  refresh(node: ParentNode): void;
}

/** A list whose children are loaded. */
export type ReadList = TreeList & { nodes: ExplorerNode[] };

/** The loaded lists whose ancestors are all expanded, if the tree is visible. */
export function listsInView(
  tree: Pick<SyncedTree, "lists" | "isVisible" | "collapsedIds">,
): ReadList[] {
  const isOpen = (node: ExplorerNode): boolean => {
    const parent = getParentNode(node);
    return !tree.collapsedIds.has(nodeId(node)) && (parent === undefined || isOpen(parent));
  };
  const isRead = (list: TreeList): list is ReadList => list.nodes !== undefined;
  return tree.isVisible()
    ? [...tree.lists.values()].filter(isRead).filter(({ node }) => isOpen(node))
    : [];
}

/** Whether any answer of the same server disproves an error row. */
export function isDisprovedByAnswer(node: ExplorerNode): node is ErrorNode {
  return node.kind === "error" && (isSilence(node.error) || isAppError(node.error, "signInNeeded"));
}

/** Whether the server sent no answer. */
export function isSilence(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const fromProxy = error.status === 502 || error.status === 503 || error.status === 504;
  const kinds = ["unreachable", "timeout", "cutOff", "certificate", "proxy", "notMindsDB"];
  return fromProxy || kinds.includes(error.kind);
}
