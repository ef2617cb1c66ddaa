// References to items on servers, for commands, pages and storage.

export interface ItemPlace {
  project: string;
  name: string;
}

export interface ItemRef extends ItemPlace {
  connectionId: string;
}

/** Whether an argument of a command is a reference. */
export function isItemRef(value: unknown): value is ItemRef {
  return typeof value === "object" && value !== null && "connectionId" in value && "name" in value;
}

export function isSameItem(a: ItemRef, b: ItemRef): boolean {
  return a.connectionId === b.connectionId && a.project === b.project && a.name === b.name;
}

export function createItemKey({ connectionId, project, name }: ItemRef): string {
  return JSON.stringify([connectionId, project, name]);
}

export type AgentRef = ItemRef;

export type KnowledgeBaseRef = ItemRef;

/** A table or view: `project` is its data source or project, and `name` its schema, if any, and its name as `formatEntry` writes them. */
export interface TableRef extends ItemRef {
  /** A view, of a project or of the data source. */
  isView?: boolean | undefined;
}

export interface ModelRef extends ItemRef {
  /** Absent or undefined: the active version. */
  version?: number | undefined;
}
