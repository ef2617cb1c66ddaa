// The state of the sample server: plain objects that the routes read and change.
import type { Index } from "../knowledgeBases/retrieval.ts";

/** The version of MindsDB that the server imitates. */
export const sampleVersion = "26.1.0";

/** The data source of all tables: those of the seed and uploaded files. */
export const filesSource = "files";

/** The kind of engine that trains the models, and the name of the first one. */
export const sampleEngine = "sample";

/** A cell of a table, or of a row sent to a model. */
export type Cell = string | number | boolean | null;

/** Column names, and rows with one value per column. */
export interface Relation {
  columns: string[];
  rows: unknown[][];
}

/** A table of the data source `files`. `words` match the names that questions use for its columns. */
export interface Table extends Relation {
  name: string;
  rows: Cell[][];
  /** The names that questions use for its rows. Answers use the first. */
  noun: string[];
  words: Record<string, RegExp>;
}

export type Parameters = Record<string, unknown>;

/** A data source. Its password is masked, so that none is stored. */
export interface DataSource {
  id: number;
  name: string;
  engine: string;
  parameters: Parameters;
  /** Whether the password that was given is the right one. */
  hasRightPassword: boolean;
}

/** An agent as the API returns it. */
export interface Agent {
  id: number;
  name: string;
  project_id: number;
  updated_at: string;
  created_at: string;
  data?: { tables?: string[]; knowledge_bases?: string[] };
  model?: Record<string, unknown>;
  prompt_template?: string;
  params?: Record<string, unknown>;
}

/** A knowledge base: its row as the API returns it, and its search index. */
export interface KnowledgeBase {
  row: { id: number; name: string; vector_database: string } & Record<string, unknown>;
  index: Index;
}

/** One version of a model, with its row as lists return it. Only complete models have a predictor. */
export interface Model {
  engine: string;
  row: {
    id: number;
    name: string;
    version: number;
    predict: string;
    status: "generating" | "training" | "complete" | "error";
    active: boolean;
    error: string | null;
    accuracy: number | null;
    fetch_data_query: string;
    problem_definition: Record<string, unknown>;
  } & Record<string, unknown>;
  predictor?: Predictor;
  /** The rows that it was fitted to; absent for models of the seed. */
  trainedOn?: Relation;
  /** A training under way. */
  training?: {
    /** Epoch ms. */
    endsAt: number;
    activates: boolean;
    rows?: Relation;
    /** Why it will fail. */
    failure?: string;
  };
}

export interface Project {
  id: number;
  name: string;
  deletable: boolean;
  knowledgeBases: KnowledgeBase[];
  agents: Agent[];
  models: Model[];
}

/** A job as the API returns it. */
export interface Job {
  id: number;
  name: string;
  project: string;
  query: string;
  if_query: string | null;
  start_at: string;
  end_at: string | null;
  next_run_at: string;
  schedule_str: string | null;
  variables: string[];
}

export interface JobRun {
  name: string;
  project: string;
  run_start: string;
  run_end: string;
  error: string | null;
  query: string;
}

/** A trigger as the API lists it. */
export interface Trigger {
  name: string;
  project: string;
  database: string;
  table: string;
  query: string;
  last_error: string | null;
}

/** An ML engine of the server. */
export interface MlEngine {
  name: string;
  handler: string;
  /** Without keys. */
  parameters: Record<string, unknown>;
}

/** A view of a project. It is replaced, never changed. */
export interface View {
  id: number;
  project: string;
  name: string;
  query: string;
}

/** The whole state of a running sample server. */
export interface State {
  /** The version of MindsDB that the server imitates. */
  version: string;
  projects: Project[];
  tables: Table[];
  /** Data sources that were connected. */
  dataSources: DataSource[];
  /** The handlers whose drivers were installed. */
  installedDrivers: string[];
  /** The model of agents without one. It needs no API key. */
  defaultModel: Record<string, unknown> | undefined;
  /** The embedding model of knowledge bases without one. */
  defaultEmbeddingModel: Record<string, unknown> | undefined;
  /** The reranking model of knowledge bases without one. */
  defaultRerankingModel: Record<string, unknown> | undefined;
  /**
   * Whether any host name and web page is accepted and agents' keys are not masked, as on real servers. For tests with
   * proxies and keys.
   */
  unguarded: boolean;
  views: View[];
  jobs: Job[];
  jobRuns: JobRun[];
  triggers: Trigger[];
  mlEngines: MlEngine[];
  /** The columns that the searches of agents select. */
  searchColumns: string;
  predict: (model: Model, data: unknown) => Row[];
  describe: (state: State, project: Project, model: Model, attribute: unknown) => Row[];
}

/** The id of a new item. Lower ids are reserved for the seed and its later versions, because changes are stored by id. */
export function createId(known: readonly number[]): number {
  return Math.max(100, ...known) + 1;
}

/** A row by its column names. */
export type Row = Record<string, unknown>;

/** Formats a time like real servers: `YYYY-MM-DD HH:MM:SS.ffffff`. */
export function formatTimestamp(ms = Date.now()): string {
  return new Date(ms).toISOString().replace("T", " ").replace("Z", "000");
}

/** Converts a value to text: strings unchanged, null as empty text, everything else as JSON. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A prediction. Numbers have bounds; classes have probabilities. */
interface Prediction {
  value: number | string;
  confidence: number;
  lower?: number;
  upper?: number;
  probabilities?: Record<string, number>;
}

export interface Predictor {
  target: string;
  inputs: string[];
  accuracies: Record<string, number>;
  importances: Record<string, number>;
  stages: string;
  /** The type of numbers is "float". */
  features: { column: string; type: string; encoder: string; role: "feature" | "target" }[];
  predict(row: Record<string, unknown>): Prediction;
}
