// What the lists of a server hold.

export interface Project {
  name: string;
  /** The server's default project; its name can be configured, so it is never assumed. */
  isDefault: boolean;
}

export interface Agent {
  name: string;
  /** Like "openai · gpt-4o"; absent where the server's default model is used. */
  model?: string;
  tables: string[];
  knowledgeBases: string[];
  promptTemplate?: string;
  createdAt?: string;
}

export interface KnowledgeBase {
  name: string;
  /** Like "openai · text-embedding-3-small"; absent where the server names none. */
  embeddingModel?: string;
  contentColumns: string[];
  metadataColumns: string[];
  /** The vector store and the table in it. */
  storage?: string;
  createdAt?: string;
}

/** One trained (or failed, or still training) version of a model. */
export interface ModelVersion {
  version: number;
  /** The server's own number for it, which it gives to no other. */
  id?: number;
  /** `generating`, `training`, `complete`, `error`, or what else the server says. */
  status: string;
  active: boolean;
  /** The predicted column. */
  target?: string;
  engine?: string;
  /** Why training failed; may hold a traceback. */
  error?: string;
  createdAt?: string;
  /** Whole seconds. */
  trainingTime?: number;
  accuracy?: number;
  /** What gave the rows to train on; it runs on the data source. */
  query?: string;
  /** `up_to_date`, or that there are newer rows to train on. */
  updateStatus?: string;
}

export interface Model {
  name: string;
  /** What requests without a version reach: the active version, else the newest. */
  current: ModelVersion;
  /** All versions, newest first; none where the server does not list them, and then `current` tells nothing. */
  versions: ModelVersion[];
}
