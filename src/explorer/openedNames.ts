// Names that the user opened on servers without lists; the tree shows them in place of the list.

export type OpenedKind = "agent" | "knowledgeBase" | "model";

export interface OpenedName {
  kind: OpenedKind;
  project: string;
  name: string;
}

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
