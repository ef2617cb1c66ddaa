// Where the tree shows the names that the user opened.
import { compareNames } from "../mindsdb/nameOrder.ts";
import type { GroupKind } from "./node.ts";
import type { OpenedKind, OpenedName } from "./openedNames.ts";

/** The projects of the opened names, sorted. */
export function openedProjects(names: readonly OpenedName[]): string[] {
  return [...new Set(names.map(({ project }) => project))].sort(compareNames);
}

/** The opened names of a group, sorted. */
export function openedIn(
  names: readonly OpenedName[],
  { project, group }: { project: string; group: GroupKind },
): string[] {
  return names
    .filter((opened) => opened.project === project && getGroup(opened.kind) === group)
    .map(({ name }) => name)
    .sort(compareNames);
}

export function getGroup(kind: OpenedKind): GroupKind {
  return kind === "knowledgeBase" ? "knowledgeBases" : `${kind}s`;
}

/** The kind of a group's items; undefined where they cannot be opened. */
export function kindIn(group: GroupKind): OpenedKind | undefined {
  return (["knowledgeBase", "agent", "model"] as const).find((kind) => getGroup(kind) === group);
}
