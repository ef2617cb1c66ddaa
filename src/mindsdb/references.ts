// References: what names a thing on a server, for commands, pages and storage.

/** A thing of a project on a connection. */
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
