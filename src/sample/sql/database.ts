// Runs SQL statements against the tables, knowledge bases, models and agents of the sample server.
import { listRuns, runJobStatement } from "../jobs/jobs.ts";
import { createTable, dropTable, filesSource, isTableName } from "../files/fileRoutes.ts";
import { collectDatabases, findDatabase, listEntries } from "../server/listings.ts";
import { deleteDocuments } from "../knowledgeBases/knowledgeBaseRoutes.ts";
import { findModel, summarizeModel } from "../models/models.ts";
import { changeModel, sampleEngine, train } from "../models/training.ts";
import { comparedTo, describeKnowledgeBase, searchInSql } from "../knowledgeBases/search.ts";
import { frame, createRelation, runSelect } from "./select.ts";
import type { Frame } from "./select.ts";
import { conjuncts, parse } from "./parser.ts";
import { SqlError } from "./tokens.ts";
import type { CreateTable, Delete, Select, Source, TrainingQuery, Value } from "./statements.ts";
import type { Agent, Cell, Model, Project, Relation, State } from "../server/state.ts";

/** The result of a statement: rows, or only success, with the database that USE selected. */
type Outcome = { relation: Relation } | { relation?: never; database?: string };

/** What a statement runs against. `ask` sends a question to an agent. */
export interface Context {
  state: State;
  /** The database of unqualified names. */
  database: string;
  /** Values for `:name` in the statement. */
  params: Record<string, unknown>;
  ask: (agent: Agent, question: string) => Relation;
}

/** Runs one statement. Throws SqlError with the message of a real server. */
export function runSql(context: Context, sql: string): Outcome {
  const { state, database } = context;
  // Before parsing, because the parser does not know their syntax.
  const [unknown] = unsupported.exec(sql) ?? [];
  if (unknown !== undefined) throw createUnsupportedError(unknown);
  const statement = parse(sql, context.params);
  switch (statement.kind) {
    case "select":
      return { relation: runSelectStatement(context, statement) };
    case "show":
      return { relation: runShow(context, statement.what, statement.path) };
    case "describe":
      return { relation: describeObject(context, statement.isKnowledgeBase, statement.path) };
    case "use":
      return { database: findDatabaseName(state, statement.path) };
    case "delete":
      return deleteFrom(context, statement);
    case "createTable":
      return createFromSelect(context, statement);
    case "dropTable":
      return dropUploaded(state, statement.path);
    case "createProject":
      return createProject(state, statement.path);
    case "dropKnowledgeBase":
      return dropKnowledgeBase(context, statement.path);
    case "createJob":
    case "dropJob":
      runJobStatement(state, database, statement);
      return {};
    case "activateModel":
    case "dropModel":
      changeModel(state, database, statement.kind, statement.path);
      return {};
    case "createModel":
    case "retrain": {
      const select = (query: TrainingQuery) => selectTrainingRows(context, query);
      const { project, model } = train(state, database, statement, select);
      return { relation: createRelation([summarizeModel(state, project, model)]) };
    }
  }
}

/** Statements of MindsDB that only a real server runs. */
const unsupported =
  /^\s*(?!create\s+project\b|drop\s+knowledge_base\b)(?:(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:agent|chatbot|database|knowledge_base|ml_engine|project|skill|trigger|view)|insert|update|finetune|evaluate|explain|with|grant)\b/i;

function createUnsupportedError(words: string): SqlError {
  const text = words.toUpperCase().replace("OR REPLACE", "").replaceAll("_", " ");
  return new SqlError(`The sample server does not run ${text.trim().replace(/\s+/g, " ")}.`);
}

function selectTrainingRows(context: Context, { source, select }: TrainingQuery): Relation {
  const parsed = parse(select, {});
  if (parsed.kind !== "select") throw new SqlError("Training rows come from a SELECT.");
  return runSelectStatement({ ...context, database: source }, parsed);
}

/** The lower-case name of a database. Throws SqlError if there is none. */
function findDatabaseName(state: State, path: string[]): string {
  const name = path.join(".").toLowerCase();
  if (collectDatabases(state).some((database) => database.name === name)) return name;
  throw new SqlError(`Database does not exist: ${name}`);
}

function deleteFrom(context: Context, { from, where }: Delete): Outcome {
  const { name, project } = resolveName(context, from);
  const found = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
  if (!project || !found) throw createUnsupportedError("delete");
  deleteDocuments(project, found, conjuncts(where));
  return {};
}

/** The table is there with its columns even if no row is selected, as on real servers. */
function createFromSelect(context: Context, { path, replaces, select }: CreateTable): Outcome {
  const { state } = context;
  const [source = "", given = "", ...rest] = path;
  const name = given.toLowerCase();
  if (source.toLowerCase() !== filesSource || rest.length > 0 || !isTableName(name)) {
    throw new SqlError(`Can't create table ${path.join(".")}`);
  }
  const { columns, rows } = runSelectStatement(context, select);
  const exists = state.tables.some((one) => one.source === filesSource && one.name === name);
  if (exists && !replaces) throw new SqlError(`Table '${name}' already exists`);
  dropTable(state, name);
  state.tables.push(createTable(name, { columns, rows: rows as Cell[][] }));
  return {};
}

function dropUploaded(state: State, [source = "", name = ""]: string[]): Outcome {
  if (source.toLowerCase() !== filesSource) throw createUnsupportedError("drop table");
  if (!dropTable(state, name)) throw new SqlError(`Table '${name}' not found in database: files`);
  return {};
}

function dropKnowledgeBase(context: Context, path: string[]): Outcome {
  const { name, project } = resolveName(context, { path, alias: "" });
  const at = project?.knowledgeBases.findIndex(({ row }) => row.name === name) ?? -1;
  if (!project || at < 0) throw new SqlError(`Knowledge base not found: ${name}`);
  project.knowledgeBases.splice(at, 1);
  return {};
}

function createProject(state: State, path: string[]): Outcome {
  const name = path.join(".").toLowerCase();
  if (collectDatabases(state).some((database) => database.name === name)) {
    throw new SqlError(`Project already exists: ${name}`);
  }
  const id = Math.max(...state.projects.map((project) => project.id)) + 1;
  state.projects.push({ id, name, deletable: true, knowledgeBases: [], agents: [], models: [] });
  return {};
}

function runSelectStatement(context: Context, statement: Select): Relation {
  const { state } = context;
  if (!statement.from) return runSelect(statement, { columns: [], rows: [[]] });
  const { alias, select } = statement.from;
  const joined = (from: Frame): Frame =>
    statement.join ? joinModel(context, from, statement.join) : from;
  if (select) {
    return runSelect(statement, joined(frame(runSelectStatement(context, select), alias)));
  }
  const { owner, name, project } = resolveName(context, statement.from);
  const kb = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
  if (kb) return searchInSql(kb, statement);
  const conditions = conjuncts(statement.where);
  const agent = project?.agents.find((candidate) => candidate.name === name);
  if (agent) {
    const question = String(comparedTo(conditions, "question") ?? "");
    const { columns, rows } = context.ask(agent, question);
    const answered = {
      columns: [...columns, "question"],
      rows: rows.map((row) => [...row, question]),
    };
    return runSelect({ ...statement, where: undefined }, frame(answered, alias));
  }
  const model = project && findModel(project, name);
  if (model) {
    const row: Record<string, Value> = {};
    for (const condition of conditions) {
      if (condition.kind !== "comparison") continue;
      row[condition.column.path.at(-1) ?? ""] = condition.values[0] ?? null;
    }
    const predicted = createRelation(state.predict(model, [row]));
    return runSelect({ ...statement, where: undefined }, frame(predicted, alias));
  }
  return runSelect(statement, joined(frame(findTable(state, owner, name), alias)));
}

/** Splits a dotted name into its database and the name in it, which can include a version (`model.2`). */
function resolveName(
  { state, database }: Context,
  { path }: Source,
): { owner: string; name: string; project?: Project } {
  const [first = "", ...rest] = path;
  const owner = rest.length === 0 ? database : first.toLowerCase();
  const name = rest.length === 0 ? first : rest.join(".");
  const project = state.projects.find((candidate) => candidate.name === owner);
  return project ? { owner, name, project } : { owner, name };
}

function findTable(state: State, owner: string, name: string): Relation {
  if (owner === "information_schema") {
    if (name.toLowerCase() === "models") return listAllModels(state, state.projects);
    if (name.toLowerCase() === "handlers") {
      const handler = { NAME: sampleEngine, TYPE: "ml", IMPORT_SUCCESS: true };
      return createRelation([handler]);
    }
    // Its statements are done when they are answered.
    if (name.toLowerCase() === "queries") return { columns: ["ID", "SQL"], rows: [] };
  }
  if (owner === "log" && name.toLowerCase() === "jobs_history") return listRuns(state);
  const project = state.projects.find((candidate) => candidate.name === owner);
  if (project && name.toLowerCase() === "models") return listAllModels(state, [project]);
  const found = state.tables.find(
    (table) => table.source === owner && table.name === name.toLowerCase(),
  );
  if (found) return found;
  throw new SqlError(`Table '${name}' not found in database: ${owner}`);
}

/** `FROM table JOIN model`: adds the model's prediction to every row of the table. */
function joinModel(context: Context, from: Frame, source: Source): Frame {
  const { owner, name, project } = resolveName(context, source);
  const model = project && findModel(project, name);
  if (!model) throw new SqlError(`Table '${name}' not found in database: ${owner}`);
  const rows = from.rows.map((row) =>
    Object.fromEntries(from.columns.map((column, i) => [column.name, row[i]])),
  );
  const predicted = frame(createRelation(context.state.predict(model, rows)), source.alias);
  return {
    columns: [...from.columns, ...predicted.columns],
    rows: from.rows.map((row, i) => [...row, ...(predicted.rows[i] ?? [])]),
  };
}

function listAllModels(state: State, projects: readonly Project[]): Relation {
  const rows = projects.flatMap((project) =>
    project.models.map((model) => ({
      ...summarizeModel(state, project, model),
      CURRENT_TRAINING_PHASE: null,
      TOTAL_TRAINING_PHASES: null,
      TRAINING_PHASE_NAME: null,
      TRAINING_TIME: trainingSeconds(model),
    })),
  );
  return createRelation(rows);
}

/** Counts from the start while a model is in training, as on real servers. */
function trainingSeconds({ row, training }: Model): unknown {
  if (!training) return row["training_time"] ?? null;
  return Math.max(0, (Date.now() - Date.parse(`${String(row["created_at"])}Z`)) / 1000);
}

function runShow({ state, database }: Context, what: string, path: string[]): Relation {
  switch (what) {
    case "databases":
      return { columns: ["Database"], rows: collectDatabases(state).map(({ name }) => [name]) };
    case "models":
      return listAllModels(state, state.projects);
    case "ml_engines":
      return createRelation([{ NAME: sampleEngine, HANDLER: sampleEngine, CONNECTION_DATA: "{}" }]);
    case "agents": {
      const rows = state.projects.flatMap((project) =>
        project.agents.map(({ name, model, params, data, prompt_template }) => {
          const rest = JSON.stringify({ ...params, data, prompt_template });
          return [name, project.name, model ? JSON.stringify(model) : null, rest];
        }),
      );
      return { columns: ["NAME", "PROJECT", "MODEL", "PARAMS"], rows };
    }
    case "knowledge_bases":
      return createRelation(
        state.projects.flatMap((project) =>
          project.knowledgeBases.map((kb) => describeKnowledgeBase(project, kb)),
        ),
      );
    case "tables": {
      const name = findDatabaseName(state, path.length > 0 ? path : [database]);
      const { project, tables = [] } = findDatabase(state, name);
      const listed = project ? listEntries(project) : tables;
      return { columns: [`Tables_in_${name}`], rows: listed.map((table) => [table.name]) };
    }
    default:
      throw createUnsupportedError(`show ${what}`);
  }
}

/** `DESCRIBE project.model[.version][.attribute]` and `DESCRIBE KNOWLEDGE_BASE project.name`. */
function describeObject({ state, database }: Context, isKb: boolean, path: string[]): Relation {
  const [owner = database, name = "", ...rest] = path.length === 1 ? [database, ...path] : path;
  const project = state.projects.find((candidate) => candidate.name === owner.toLowerCase());
  if (isKb) {
    const kb = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
    if (project && kb) return createRelation([describeKnowledgeBase(project, kb)]);
    throw new SqlError(`Knowledge base not found: ${path.join(".")}`);
  }
  const version = /^\d+$/.test(rest[0] ?? "") ? rest.shift() : undefined;
  const model = project && findModel(project, version === undefined ? name : `${name}.${version}`);
  if (!project || !model) {
    const about = "The sample server describes only models and knowledge bases";
    throw new SqlError(`Model not found: ${path.join(".")}. ${about}.`);
  }
  return createRelation(state.describe(state, project, model, rest[0]));
}
