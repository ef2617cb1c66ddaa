// Names that the user opened on servers without lists; the tree shows them in place of the list.
import { compareNames } from "../mindsdb/nameOrder.ts";
import type { GroupKind } from "./node.ts";

export type OpenedKind = "agent" | "knowledgeBase" | "model";

export interface OpenedName {
  kind: OpenedKind;
  project: string;
  name: string;
}

/** The names opened on a connection. */
export type OpenedNames = (connectionId: string) => readonly OpenedName[];

/** Names kept for each connection; the oldest are dropped. */
const maxNames = 200;

/** The list with this name at its end, without duplicates. */
export function withName(names: readonly OpenedName[], added: OpenedName): OpenedName[] {
  return [...withoutName(names, added), added].slice(-maxNames);
}

export function withoutName(names: readonly OpenedName[], removed: OpenedName): OpenedName[] {
  return names.filter(
    ({ kind, project, name }) =>
      kind !== removed.kind || project !== removed.project || name !== removed.name,
  );
}

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

export function kindIn(group: GroupKind): OpenedKind {
  return group === "knowledgeBases" ? "knowledgeBase" : group === "agents" ? "agent" : "model";
}
