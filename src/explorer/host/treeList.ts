// What the tree has loaded, as what keeps it in step sees it, and which failures are only for the moment.
import type { ServerAccess } from "../../connections/connection.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { ServerStatus } from "../../mindsdb/http/login.ts";
import type { Log } from "../../shared/host/log.ts";
import type { ErrorNode, ExplorerNode, ParentNode } from "../node.ts";
import type { OpenedNames } from "../openedNames.ts";

/** A node's children, which are there or on their way. */
export interface TreeList {
  node: ParentNode;
  loading: Promise<ExplorerNode[]>;
  /** Absent while they are on their way. */
  nodes?: ExplorerNode[];
}

/** The tree, as far as its lists are loaded. */
export interface LoadedTree {
  readonly access: ServerAccess;
  readonly opened: OpenedNames;
  readonly log: Log;
  /** How many items groups have, once they were opened; by the ids of their nodes, as all that follows. */
  readonly counts: Map<string, number>;
  /** Groups whose row does not show the item count yet. */
  readonly withoutCount: Set<string>;
  /** What servers said of themselves. */
  readonly statuses: Map<string, ServerStatus>;
  /** Draws a node and what is below it anew, from what is loaded. */
  redraw(node: ExplorerNode): void;
}

/** The tree, as far as it is kept in step. */
export interface SyncedTree extends LoadedTree {
  /** What was loaded below nodes, by their ids. */
  readonly lists: Map<string, TreeList>;
  /** Fires with rows that say something else now. */
  readonly changed: { fire(nodes: ExplorerNode[]): void };
  readonly isVisible: boolean;
  /**
   * Nodes that the user has closed, by their ids. VS Code asks only for children of open ones, and does not tell of each that
   * is opened: what is clicked while its row is drawn anew is lost.
   */
  readonly closed: ReadonlySet<string>;
  /** Asks again for everything below a connection. */
  refreshConnection(connectionId: string): void;
  /** Asks again for a node's children. */
  refresh(node: ParentNode): void;
}

/** Whether an error row says what another answer of the same server disproves. */
export function isDisprovedByAnswer(node: ExplorerNode): node is ErrorNode {
  return node.kind === "error" && (isSilence(node.error) || isAppError(node.error, "signInNeeded"));
}

/** Whether nothing of the server itself came back. */
export function isSilence(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const fromProxy = error.status === 502 || error.status === 503 || error.status === 504;
  const kinds = ["unreachable", "timeout", "cutOff", "certificate", "proxy", "notMindsDB"];
  return fromProxy || kinds.includes(error.kind);
}
