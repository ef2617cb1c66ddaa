// Visits all nodes below the connections, with a few requests at a time.
import type { ServerAccess } from "../connections/connection.ts";
import { inParallel } from "../mindsdb/http/inParallel.ts";
import { loadChildren } from "./loadChildren.ts";
import { isParent, type ExplorerNode, type ParentNode } from "./node.ts";
import { loadRoots } from "./loadRoots.ts";
import type { OpenedNames } from "./openedNames.ts";

/**
 * Hands every node below the connections, or below the one of `connectionId`, to `found` as it comes in, but not the
 * versions of models. Ends early once `isOver` says so. A server that does not answer holds up no other.
 */
export async function visitTree(
  access: ServerAccess,
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
  {
    connectionId,
    opened,
  }: { connectionId?: string | undefined; opened?: OpenedNames | undefined } = {},
): Promise<void> {
  const roots = loadRoots(access).filter(
    (root) => connectionId === undefined || root.connectionId === connectionId,
  );
  const load = (node: ParentNode): Promise<ExplorerNode[]> => loadChildren(node, access, opened);
  await Promise.all(roots.map((root) => walkBelow(root, load, found, isOver)));
}

async function walkBelow(
  root: ParentNode,
  load: (node: ParentNode) => Promise<ExplorerNode[]>,
  found: (node: ExplorerNode) => void,
  isOver: () => boolean,
): Promise<void> {
  for (let level = [root]; level.length > 0;) {
    const next: ParentNode[] = [];
    await inParallel(level, async (node) => {
      if (isOver()) return;
      for (const child of await load(node)) {
        found(child);
        if (isParent(child) && child.kind !== "model") next.push(child);
      }
    });
    level = next;
  }
}
