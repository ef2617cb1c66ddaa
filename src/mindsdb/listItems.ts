// Items of the server's lists.

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
  /** Id on the server; never reused. */
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
  /** The training query, which runs on the data source. */
  query?: string;
  /** `up_to_date`, or a status that says newer training rows exist. */
  updateStatus?: string;
}

export interface Model {
  name: string;
  /** The version that requests without a version use: the active one, or the newest. */
  current: ModelVersion;
  /** All versions, newest first; empty if the server does not list them, and then `current` is a placeholder. */
  versions: ModelVersion[];
}
