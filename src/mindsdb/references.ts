// References to items on servers, for commands, pages and storage.

/** An item of a project on a connection. */
export interface ItemRef {
  connectionId: string;
  project: string;
  name: string;
}

export type AgentRef = ItemRef;

export type KnowledgeBaseRef = ItemRef;

export interface ModelRef extends ItemRef {
  /** Absent or undefined: the active version. */
  version?: number | undefined;
}
