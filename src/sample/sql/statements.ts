// The statements that the sample server runs, as its parser reads them.

/** The value of a literal or a column. */
export type Value = string | number | boolean | null;

/** A column by its path: `["price"]`, or `["t", "price"]` with the table's alias. */
export interface Column {
  kind: "column";
  path: string[];
}

interface Literal {
  kind: "literal";
  value: Value;
}

export interface Call {
  kind: "call";
  name: string;
  argument: Column | "*";
  /** Whether duplicates are ignored. */
  isDistinct: boolean;
}

export type Expression = Column | Literal | Call;

/** An item that a SELECT returns: a value, or all columns (of `table`, if set). */
export type Item =
  { star: true; table?: string } | { star: false; value: Expression; alias: string | undefined };

/** A comparison of a column with literals. The operator is lower-case. */
export interface Comparison {
  kind: "comparison";
  column: Column;
  operator: string;
  values: Value[];
}

/** The condition of a WHERE clause. */
export type Condition =
  | Comparison
  | { kind: "and" | "or"; left: Condition; right: Condition }
  | { kind: "not"; inner: Condition };

/** A name in FROM or JOIN with its alias. */
export interface Source {
  path: string[];
  alias: string;
  /** A SELECT in parentheses instead of a name; the path is empty. */
  select?: Select | undefined;
}

export interface Select {
  kind: "select";
  /** Whether duplicate rows are removed. */
  isDistinct: boolean;
  items: Item[];
  from: Source | undefined;
  join: Source | undefined;
  where: Condition | undefined;
  groupBy: Column[];
  orderBy: { column: Column; descending: boolean }[];
  limit: number | undefined;
  offset: number;
}

export interface Delete {
  kind: "delete";
  from: Source;
  where: Condition | undefined;
}

/** CREATE TABLE from a SELECT. */
export interface CreateTable {
  kind: "createTable";
  path: string[];
  replaces: boolean;
  select: Select;
}

/** Where training rows come from: the text of a SELECT that runs in a data source or a project. */
export interface TrainingQuery {
  source: string;
  select: string;
}

/** A statement that trains a model. Without rows and target, it repeats the training before. */
export interface Training {
  kind: "createModel" | "retrain";
  path: string[];
  query: TrainingQuery | undefined;
  target: string | undefined;
  using: Record<string, Value>;
}

/** A statement that says only what it is about. */
interface Named {
  kind:
    | "activateModel"
    | "createProject"
    | "dropAgent"
    | "dropJob"
    | "dropKnowledgeBase"
    | "dropMlEngine"
    | "dropModel"
    | "dropTable"
    | "dropTrigger"
    | "use";
  path: string[];
}

/** CREATE JOB. Times and schedule are as they were written. */
export interface NewJob {
  kind: "createJob";
  path: string[];
  query: string;
  start: string | undefined;
  end: string | undefined;
  schedule: string | undefined;
  condition: string | undefined;
}

/** CREATE ML_ENGINE. */
export interface NewMlEngine {
  kind: "createMlEngine";
  path: string[];
  handler: string;
  using: Record<string, Value>;
}

/** CREATE TRIGGER. */
export interface NewTrigger {
  kind: "createTrigger";
  path: string[];
  table: string[];
  query: string;
}

export type Statement =
  | Select
  | Delete
  | CreateTable
  | Training
  | NewJob
  | NewMlEngine
  | NewTrigger
  | Named
  | { kind: "show"; what: string; path: string[] }
  | { kind: "describe"; isKnowledgeBase: boolean; path: string[] };
