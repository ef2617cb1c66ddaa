// A walk through everything that the connections hold, a few requests at a time.
import type { ServerAccess } from "../connections/connection.ts";
import { inParallel } from "../mindsdb/inParallel.ts";
import { loadChildren, loadRoots } from "./loaders.ts";
import { isParent, type ExplorerNode, type ParentNode } from "./node.ts";

/**
 * Hands every node below the connections, or below the one of `connectionId`, to `found` as it comes in, but not the
 * versions of models. Ends early once `isOver` says so. A server that does not answer holds up no other.
 */
export async function walk(
  access: ServerAccess,
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
  connectionId?: string,
): Promise<void> {
  const roots = loadRoots(access).filter(
    (root) => connectionId === undefined || root.connectionId === connectionId,
  );
  await Promise.all(roots.map((root) => walkBelow(root, access, found, isOver)));
}

async function walkBelow(
  root: ParentNode,
  access: ServerAccess,
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
): Promise<void> {
  for (let level = [root]; level.length > 0;) {
    const next: ParentNode[] = [];
    await inParallel(level, async (node) => {
      if (isOver()) return;
      for (const child of await loadChildren(node, access)) {
        found(child);
        if (isParent(child) && child.kind !== "model") next.push(child);
      }
    });
    level = next;
  }
}
