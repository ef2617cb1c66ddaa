// Visits all nodes below the connections, with a few requests at a time.
import type { ServerAccess } from "../shared/connection.ts";
import { filesSource } from "../mindsdb/filesSource.ts";
import { inParallel } from "../mindsdb/http/inParallel.ts";
import { loadChildren } from "./loadChildren.ts";
import { isParent, type DataSourceNode, type ExplorerNode, type ParentNode } from "./node.ts";
import { loadRoots } from "./loadRoots.ts";
import type { OpenedNames } from "./openedNames.ts";

/**
 * Hands every node below the connections, or below the one of `connectionId`, to `found` as it comes in, but not the
 * versions of models, nor queries. If `withData` is set, it visits the jobs, triggers, ML engines, data sources and uploaded
 * tables; tables of databases behind the server may be many, slow, and cost money (see visitTables). Ends early once
 * `isOver` says so. A server that does not answer holds up no other.
 */
export async function visitTree(
  access: ServerAccess,
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
  {
    connectionId,
    opened,
    withData = false,
  }: {
    connectionId?: string | undefined;
    opened?: OpenedNames | undefined;
    withData?: boolean;
  } = {},
): Promise<void> {
  const roots = loadRoots(access).filter(
    (root) => connectionId === undefined || root.connectionId === connectionId,
  );
  const load = (node: ParentNode): Promise<ExplorerNode[]> => loadChildren(node, access, opened);
  await Promise.all(roots.map((root) => walkBelow(root, load, found, isOver, withData)));
}

async function walkBelow(
  root: ParentNode,
  load: (node: ParentNode) => Promise<ExplorerNode[]>,
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
  withData: boolean,
): Promise<void> {
  for (let level = [root]; level.length > 0;) {
    const next: ParentNode[] = [];
    await inParallel(level, async (node) => {
      if (isOver()) return;
      for (const child of await load(node)) {
        found(child);
        if (isOnlyFound(child) ? withData : isVisited(child)) next.push(child as ParentNode);
      }
    });
    level = next;
  }
}

/** A list of items that are looked for by name, but that no command asks for. */
function isOnlyFound(node: ExplorerNode): boolean {
  if (node.kind === "group") return node.group === "jobs" || node.group === "triggers";
  return node.kind === "data" || node.kind === "mlEngines";
}

function isVisited(node: ExplorerNode): boolean {
  if (node.kind === "dataSource") return node.name === filesSource;
  return isParent(node) && !["model", "queries", "table"].includes(node.kind);
}

/** Hands the tables of data sources to `found` as they come in, a few sources at a time. */
export async function visitTables(
  access: ServerAccess,
  sources: readonly DataSourceNode[],
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
): Promise<void> {
  await inParallel(sources, async (source) => {
    const next: ExplorerNode[] = [source];
    for (let node = next.pop(); node && !isOver(); node = next.pop()) {
      if (node.kind !== "dataSource" && node.kind !== "schema") continue;
      for (const child of await loadChildren(node, access)) {
        found(child);
        next.push(child);
      }
    }
  });
}
