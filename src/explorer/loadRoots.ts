// The roots of the tree. Apart from loadChildren.ts because they are drawn at activation.
import type { ServerAccess } from "../shared/connection.ts";
import type { ConnectionNode } from "./node.ts";

export function loadRoots(access: ServerAccess): ConnectionNode[] {
  return access
    .list()
    .map((connection) => ({ kind: "connection", connectionId: connection.id, connection }));
}
