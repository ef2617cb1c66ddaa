// What SQL statements reach: tables, knowledge bases, models and agents under their dotted names.
import { describe, findModel, predict, relationOf } from "./models.ts";
import { conjuncts, parse, SqlError } from "./sql.ts";
import type { Condition, Select, Source, Value } from "./sql.ts";
import { filter, frame, runSelect } from "./select.ts";
import type { Frame } from "./select.ts";
import type { Agent, KnowledgeBase, Project, Relation, State } from "./state.ts";

/** What a statement gives: rows, or just success (with the database that USE chose). */
export type Outcome = { relation: Relation } | { relation?: never; database?: string };

/** Answers a question put to an agent in SQL. */
export type AskAgent = (project: Project, agent: Agent, question: string) => Relation;

/** Runs one statement; throws {@link SqlError} with the message a real server would send. */
export function runSql(state: State, sql: string, database: string, ask: AskAgent): Outcome {
  const statement = parse(sql);
  if (statement.kind === "select")
    return { relation: select(state, sql, statement, database, ask) };
  const [verb = "", object = ""] = statement.words.map((word) => word.toLowerCase());
  const path = statement.path.length > 0 ? statement.path : statement.words.slice(-1);
  if (verb === "show")
    return { relation: show(state, statement.words.join(" ").toLowerCase(), path) };
  if (verb === "describe") {
    return { relation: describeObject(state, object === "knowledge_base", path, database) };
  }
  if (verb === "use") {
    const name = (path.at(-1) ?? "").toLowerCase();
    if (!databases(state).includes(name)) throw new SqlError(`Unknown database: ${name}`);
    return { database: name };
  }
  if (verb === "create" && object === "project") {
    createProject(state, (path.at(-1) ?? "").toLowerCase());
    return {};
  }
  throw new SqlError(
    `The sample server does not run ${verb.toUpperCase()} ${object.toUpperCase()}.`,
  );
}

/** The names of everything that can stand before the dot. */
function databases(state: State): string[] {
  const sources = new Set(state.tables.map((table) => table.source));
  return ["information_schema", "log", ...state.projects.map((p) => p.name), ...sources];
}

function createProject(state: State, name: string): void {
  if (databases(state).includes(name)) throw new SqlError(`Project already exists: ${name}`);
  const id = Math.max(...state.projects.map((project) => project.id)) + 1;
  state.projects.push({ id, name, deletable: true, knowledgeBases: [], agents: [], models: [] });
}

function select(
  state: State,
  sql: string,
  statement: Select,
  database: string,
  ask: AskAgent,
): Relation {
  if (!statement.from) return runSelect(statement, { columns: [], rows: [[]] });
  const [owner, name] = locate(statement.from, database);
  const project = state.projects.find((candidate) => candidate.name === owner);
  const kb = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
  if (kb) return search(state, kb, statement);
  const agent = project?.agents.find((candidate) => candidate.name === name);
  if (project && agent) return askInSql(project, agent, statement, ask);
  const model = project && findModel(project, name);
  if (model) {
    const row: Record<string, Value> = {};
    for (const condition of conjuncts(statement.where)) {
      const column = condition.kind === "comparison" ? condition.column.path.at(-1) : undefined;
      if (column !== undefined && condition.kind === "comparison")
        row[column] = condition.values[0] ?? null;
    }
    const relation = relationOf(predict(state.dialect, model, [row]));
    return runSelect(without(statement, "where"), frame(relation, statement.from.alias));
  }
  const from = frame(table(state, owner, name), statement.from.alias);
  try {
    return runSelect(
      statement,
      statement.join ? join(state, from, statement.join, database) : from,
    );
  } catch (error) {
    throw error instanceof SqlError ? new SqlError(explain(error.message, sql)) : error;
  }
}

/** Splits a dotted name into its database and the name inside (with a version: `model.2`). */
function locate(source: Source, database: string): [string, string] {
  const [first = "", ...rest] = source.path;
  return rest.length === 0 ? [database, first] : [first.toLowerCase(), rest.join(".")];
}

function table(state: State, owner: string, name: string): Relation {
  if (owner === "information_schema" && name.toLowerCase() === "models") return allModels(state);
  const found = state.tables.find((t) => t.source === owner && t.name === name);
  if (found) return found;
  throw new SqlError(`Table '${name}' not found in database: ${owner}`);
}

function allModels(state: State): Relation {
  const rows = state.projects.flatMap((project) =>
    project.models.map(({ engine, row }) => ({
      NAME: row.name,
      ENGINE: engine,
      PROJECT: project.name,
      ACTIVE: row.active,
      VERSION: row.version,
      STATUS: row.status,
      ACCURACY: row.accuracy,
      PREDICT: row.predict,
      ERROR: row.error,
    })),
  );
  return relationOf(rows);
}

/** `FROM table JOIN model`: every row of the table with what the model predicts for it. */
function join(state: State, from: Frame, source: Source, database: string): Frame {
  const [owner, name] = locate(source, database);
  const project = state.projects.find((candidate) => candidate.name === owner);
  const model = project && findModel(project, name);
  if (!model) throw new SqlError(`Table '${name}' not found in database: ${owner}`);
  const rows = from.rows.map((row) =>
    Object.fromEntries(from.columns.map((column, i) => [column.name, row[i]])),
  );
  const predicted = frame(relationOf(predict(state.dialect, model, rows)), source.alias);
  return {
    columns: [...from.columns, ...predicted.columns],
    rows: from.rows.map((row, i) => [...row, ...(predicted.rows[i] ?? [])]),
  };
}

function askInSql(project: Project, agent: Agent, statement: Select, ask: AskAgent): Relation {
  const conditions = conjuncts(statement.where);
  const question = String(valueOf(conditions, "question") ?? "");
  const answer = ask(project, agent, question);
  const relation = {
    columns: [...answer.columns, "question"],
    rows: answer.rows.map((row) => [...row, question]),
  };
  return runSelect(without(statement, "where"), frame(relation, statement.from?.alias ?? ""));
}

/** The value a column is compared with by `=` or `LIKE` in every case. */
function valueOf(conditions: Condition[], name: string): Value | undefined {
  const found = conditions.find(
    (c) =>
      c.kind === "comparison" && c.column.path.at(-1) === name && /^(=|like)$/.test(c.operator),
  );
  return found?.kind === "comparison" ? found.values[0] : undefined;
}

/** Searches a knowledge base: `content` is the question, `relevance` a threshold, the rest filters. */
function search(state: State, kb: KnowledgeBase, statement: Select): Relation {
  const conditions = conjuncts(statement.where);
  const question = valueOf(conditions, "content");
  const isAbout = (condition: Condition, ...names: string[]) =>
    condition.kind === "comparison" && names.includes(condition.column.path.at(-1) ?? "");
  const filters = conditions.filter((condition) => {
    if (
      isAbout(condition, "hybrid_search") &&
      condition.kind === "comparison" &&
      condition.values[0] === true
    ) {
      throw new SqlError(
        "An error occurred while trying to automatically install the required extension 'fts'",
      );
    }
    if (isAbout(condition, "relevance") && condition.kind === "comparison") {
      if (![">", ">="].includes(condition.operator)) {
        const allowed = "Only the following operators are allowed: >=,>.";
        throw new SqlError(`Invalid operator for relevance: ${condition.operator}. ${allowed}`);
      }
      return question !== undefined;
    }
    return !isAbout(condition, "content", "reranking", "hybrid_search", "hybrid_search_alpha");
  });
  const chunks = filter(chunksOf(state, kb, question), filters);
  const limited = { ...chunks };
  if (question !== undefined)
    limited.rows = chunks.rows.slice(0, Math.min(100, statement.limit ?? 10));
  return runSelect(without(statement, "where"), frame(limited, statement.from?.alias ?? ""));
}

/** The chunks of a knowledge base as rows; with a question the most relevant first. */
function chunksOf(state: State, kb: KnowledgeBase, question: Value | undefined): Relation {
  const hits =
    question === undefined
      ? kb.index.documents.map((document) => ({ document, relevance: null, distance: null }))
      : kb.index.search(String(question));
  const created = String(kb.row["created_at"]).slice(0, 19);
  const rows = hits.map(({ document, relevance, distance }, i) => {
    const length = document.content.length;
    const id = { id: document.id };
    const chunk = {
      chunk_id: `${document.id}:content:1of1:0to${length}`,
      chunk_content: document.content,
    };
    const metadata = {
      ...document.metadata,
      _original_row_index: String(i),
      _content_column: "content",
      _start_char: 0,
      _end_char: length,
      _original_doc_id: document.id,
      _chunk_index: 0,
      _source: "TextChunkingPreprocessor",
      _updated_at: created,
    };
    const rest = { ...document.metadata, metadata };
    if (question === undefined) return { ...id, ...chunk, relevance, distance, ...rest };
    return state.dialect === "26"
      ? { ...id, distance, ...chunk, relevance, ...rest }
      : { ...id, ...chunk, distance, relevance, ...rest };
  });
  return relationOf(rows);
}

function show(state: State, words: string, path: string[]): Relation {
  if (words === "show databases") {
    return { columns: ["Database"], rows: databases(state).map((name) => [name]) };
  }
  if (words === "show models") return allModels(state);
  if (words === "show agents") {
    const rows = state.projects.flatMap(({ name, agents }) =>
      agents.map((agent) => {
        const { data, prompt_template, params } = agent;
        const rest = JSON.stringify({ ...params, data, prompt_template });
        return [agent.name, name, agent.model ? JSON.stringify(agent.model) : null, rest];
      }),
    );
    return { columns: ["NAME", "PROJECT", "MODEL", "PARAMS"], rows };
  }
  if (words === "show knowledge_bases") {
    const all = state.projects.flatMap((p) => p.knowledgeBases.map((kb) => kbDescription(p, kb)));
    return relationOf(all);
  }
  if (words.startsWith("show tables")) {
    const source = (path.at(-1) ?? "").toLowerCase();
    const tables = state.tables.filter((t) => t.source === source);
    return { columns: [`Tables_in_${source}`], rows: tables.map((t) => [t.name]) };
  }
  throw new SqlError(`Statement not implemented: ${words}`);
}

function describeObject(state: State, isKb: boolean, path: string[], database: string): Relation {
  const inDefault = path.length === 1;
  const owner = inDefault ? database : (path[0] ?? "").toLowerCase();
  const [name = "", ...rest] = inDefault ? path : path.slice(1);
  const project = state.projects.find((candidate) => candidate.name === owner);
  if (isKb) {
    const kb = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
    if (!project || !kb) throw new SqlError(`Knowledge base not found: ${name}`);
    return relationOf([kbDescription(project, kb)]);
  }
  const version = /^\d+$/.test(rest[0] ?? "") ? rest.shift() : undefined;
  const model = project && findModel(project, version === undefined ? name : `${name}.${version}`);
  if (!project || !model) throw new SqlError(`Model not found: ${path.join(".")}`);
  return relationOf(describe(state, project, model, rest[0]));
}

function kbDescription(project: Project, kb: KnowledgeBase): Record<string, unknown> {
  const { row } = kb;
  return {
    NAME: row.name,
    PROJECT: project.name,
    EMBEDDING_MODEL: JSON.stringify(row["embedding_model"]),
    RERANKING_MODEL: JSON.stringify(row["reranking_model"]),
    STORAGE: `${String(row["vector_database"])}.${String(row["vector_database_table"])}`,
    METADATA_COLUMNS: JSON.stringify(row["metadata_columns"]),
    CONTENT_COLUMNS: JSON.stringify(row["content_columns"]),
    ID_COLUMN: row["id_column"],
    PARAMS: JSON.stringify(row["params"]),
    INSERT_STARTED_AT: null,
    INSERT_FINISHED_AT: null,
    PROCESSED_ROWS: null,
    ERROR: null,
    QUERY_ID: null,
  };
}

function without(statement: Select, key: "where"): Select {
  const rest = { ...statement };
  delete rest[key];
  return rest;
}

/** Wraps what the table engine says the way real servers do. */
function explain(message: string, sql: string): string {
  const indent = (text: string) => text.replace(/^/gm, "    ");
  return [
    "[file/files]: An error occurred while processing an internally generated query derived from your original SQL statement.",
    "Database Details:\n- Type: DuckDB",
    `Error:\n${indent(message)}`,
    `Failed Query:\n${indent(sql)}`,
  ].join("\n\n");
}
