// What the sample server holds: plain objects that the routes read and change.
import type { Index } from "./retrieval.ts";

/** Which generation of real servers the sample server speaks like: 25.14.1 or 26.1.0. */
export type Dialect = "25" | "26";

/** A cell of a table or of a row sent to a model. */
export type Cell = string | number | boolean | null;

/** A table as SQL sees it: column names, and rows with one value per column. */
export interface Relation {
  columns: string[];
  rows: unknown[][];
}

/** A table of a data source. `words` are what people call its columns in a question. */
export interface Table extends Relation {
  source: string;
  name: string;
  rows: Cell[][];
  /** What people call its rows; the first is used in answers. */
  noun: string[];
  words: Record<string, RegExp>;
}

/** An agent in the shape in which it goes over the wire. */
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

/** A knowledge base: its row as the API gives it, and the index that answers searches. */
export interface KnowledgeBase {
  row: { id: number; name: string; vector_database: string } & Record<string, unknown>;
  index: Index;
}

/** One version of a model: its row as lists give it. Only a complete one has a predictor. */
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
}

/** A project and what is in it. */
export interface Project {
  id: number;
  name: string;
  deletable: boolean;
  knowledgeBases: KnowledgeBase[];
  agents: Agent[];
  models: Model[];
}

/** Everything one running sample server holds. */
export interface State {
  dialect: Dialect;
  version: string;
  projects: Project[];
  tables: Table[];
  /** The model of agents that name none; it makes nobody need a key. */
  defaultModel: Record<string, unknown> | undefined;
  /** Whether any host name and any web page is answered, and agents' keys stay in clear, as on real servers. */
  unguarded: boolean;
  nextAgentId: number;
}

/** The time as real servers write it: `YYYY-MM-DD HH:MM:SS.ffffff`. */
export function timestamp(date = new Date()): string {
  return date.toISOString().replace("T", " ").replace("Z", "000");
}

/** A value as text: strings as they are, nothing for null, everything else as JSON. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** One prediction; bounds for a number, probabilities for a class. */
export interface Prediction {
  value: number | string;
  confidence: number;
  lower?: number;
  upper?: number;
  probabilities?: Record<string, number>;
}

/** A fitted model. */
export interface Predictor {
  target: string;
  inputs: string[];
  accuracies: Record<string, number>;
  importances: Record<string, number>;
  stages: string;
  features: { column: string; type: string; encoder: string; role: "feature" | "target" }[];
  /** Whether an input is a number; the others are categories. */
  isNumber(input: string): boolean;
  predict(row: Record<string, unknown>): Prediction;
}
