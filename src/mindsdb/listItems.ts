// Items of the server's lists.

export interface Project {
  name: string;
  /** The server's default project; its name can be configured, so it is never assumed. */
  isDefault: boolean;
}

/** An item of a project, of any kind. */
export interface ProjectItem {
  name: string;
  /** As the server calls it: `model`, `view`, `knowledge_base`, `agent`, `job`, … */
  type: string;
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
  /** How rows that are inserted call their id. */
  idColumn?: string;
  /** The vector store and the table in it. */
  storage?: string;
  createdAt?: string;
}

/** The type of all values of a knowledge base's metadata column. */
export type ColumnType = "number" | "text";

/** One trained (or failed, or still training) version of a model. */
export interface ModelVersion {
  version: number;
  /** Id on the server; never reused. */
  id?: number;
  /** `generating`, `training`, `complete`, `error`, or what else the server says. */
  status: string;
  active: boolean;
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

/** A query under a name. The server runs it when something reads from the view. */
export interface View {
  name: string;
  /** Its SELECT, as it was written. */
  query: string;
}

/** Statements that the server runs by a schedule. Times are those of its clock, without a zone. */
export interface Job {
  name: string;
  /** The statements that it runs. */
  query: string;
  /** A query whose rows decide whether the job runs. */
  condition?: string;
  /** A secret in its statements or condition was replaced: creating the job from them would lose it. */
  isRedacted?: true;
  /** Like `every 2 hours`; absent for a job that runs once. */
  schedule?: string;
  startAt?: string;
  endAt?: string;
  nextRunAt?: string;
  /** The next run by this machine's clock, in ms since 1970; absent where the server does not tell its time. */
  nextRunMs?: number;
  /** The next run's time had passed when the list was read: the run is late, or the server's scheduler is off. */
  isDue?: true;
  lastRunAt?: string;
  lastError?: string;
}

/** A statement that the server runs for each new or changed row of a table. */
export interface Trigger {
  name: string;
  /** The data source of the table; absent if it was disconnected. */
  source?: string;
  table: string;
  /** The statement, with the row as the table `TABLE_DELTA`. */
  query: string;
  /** A secret in its statement was replaced. */
  isRedacted?: true;
  /** Servers keep it after runs that worked. */
  lastError?: string;
}

/** Trains and runs models. It belongs to the server, not to a project. */
export interface MlEngine {
  name: string;
  /** Its kind, like `openai`. */
  handler: string;
}

/** A query that the server runs in the background. */
export interface RunningQuery {
  id: number;
  sql: string;
  /** Failed queries stay in the server's list until they are cancelled or resumed. */
  state: "queued" | "running" | "failed";
  /** The server's time, without a zone. */
  startedAt?: string;
  /** When the server last noted progress: a query of a server that was killed stays in the list for ever. */
  updatedAt?: string;
  processedRows?: number;
  error?: string;
}
