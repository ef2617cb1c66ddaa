// The tree's roots, apart from what loads their children: they are drawn at activation.
import type { ServerAccess } from "../connections/connection.ts";
import type { ConnectionNode } from "./node.ts";

/** The connections, which are the tree's roots. */
export function loadRoots(access: ServerAccess): ConnectionNode[] {
  return access
    .list()
    .map((connection) => ({ kind: "connection", connectionId: connection.id, connection }));
}
