// The effect of a change on a server on the page of one item.
import { isAbout, type ListKind } from "../mindsdb/changes/serverChange.ts";
import type { ItemRef } from "../mindsdb/references.ts";
import type { ServerChange } from "./connection.ts";

type ItemChange =
  /** It was created, changed or deleted. */
  | "changed"
  /** It may be gone: a list does not contain it, or a request did not find it. */
  | "absent"
  /** A list contains it. */
  | "present";

/** Returns the effect of a change on this item; undefined if it is not affected. */
export function changeOfItem(
  change: ServerChange,
  list: ListKind,
  { connectionId, project, name }: ItemRef,
): ItemChange | undefined {
  if (change.connectionId !== connectionId) return undefined;
  switch (change.kind) {
    case "changed":
      // A new or changed project does not affect the items of this one.
      if (change.list === "projects" && change.name === undefined) return undefined;
      return isAbout(change, { list, project, name }) ? "changed" : undefined;
    case "missing":
      return isAbout(change, { list, project, name }) ? "absent" : undefined;
    case "listed":
      if (change.list === "projects") {
        return change.items.some((item) => item.name === project) ? undefined : "absent";
      }
      if (change.list === "queries" || change.list !== list || change.project !== project) {
        return undefined;
      }
      return change.items.some((item) => item.name === name) ? "present" : "absent";
    case "answered":
    case "reached":
    case "unreachable":
    case "version":
      return undefined;
  }
}
