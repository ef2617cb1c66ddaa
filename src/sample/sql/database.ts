// Runs SQL statements against the tables, knowledge bases, models and agents of the sample server.
import { createJob, dropJob, listRuns } from "../jobs/jobs.ts";
import { createMlEngine, dropMlEngine, listMlEngines } from "../mlEngines/mlEngines.ts";
import { createTrigger, dropTrigger, listTriggers } from "../triggers/triggers.ts";
import { findConnectionError, findDataSource } from "../dataSources/dataSources.ts";
import { createTable, dropTable, isTableName } from "../files/fileRoutes.ts";
import { collectDatabases, findDatabase, hasDatabase, listEntries } from "../server/listings.ts";
import { deleteDocuments } from "../knowledgeBases/knowledgeBaseRoutes.ts";
import { resolveName } from "../server/lookup.ts";
import { findModel, summarizeModel } from "../models/models.ts";
import { changeModel, train } from "../models/training.ts";
import { comparedTo, describeKnowledgeBase, searchInSql } from "../knowledgeBases/search.ts";
import { frame, createRelation, runSelect } from "./select.ts";
import type { Frame } from "./select.ts";
import { conjuncts, parse } from "./parser.ts";
import { SqlError } from "./tokens.ts";
import type { CreateTable, Delete, Select, Source, TrainingQuery, Value } from "./statements.ts";
import { filesSource, formatTimestamp, sampleEngine } from "../server/state.ts";
import type { Agent, Cell, Model, Project, Relation, State } from "../server/state.ts";

/** The database that a statement runs against. */
export interface Context {
  state: State;
  /** The database of unqualified names. */
  database: string;
  /** Values for `:name` in the statement. */
  params?: Record<string, unknown>;
  /** Sends a question to an agent. Agents themselves ask none. */
  ask?: (agent: Agent, question: string) => Relation;
}

/** Runs one statement and returns its rows, if it has any. Throws SqlError with the message of a real server. */
export function runSql(context: Context, sql: string): Relation | undefined {
  const { state } = context;
  // Before parsing, because the parser does not know their syntax.
  const [unknown] = unsupported.exec(sql) ?? [];
  if (unknown !== undefined) throw createUnsupportedError(unknown);
  const statement = parse(sql, context.params);
  switch (statement.kind) {
    case "select":
      return runSelectStatement(context, statement);
    case "show":
      return runShow(context, statement.what, statement.path);
    case "describe":
      return describeObject(context, statement.isKnowledgeBase, statement.path);
    case "delete":
      return deleteFrom(context, statement);
    case "createTable":
      return createFromSelect(context, statement);
    case "dropTable":
      return dropUploaded(context, statement.path);
    case "createProject":
      return createProject(state, statement.path);
    case "dropAgent":
      return dropAgent(context, statement.path);
    case "dropKnowledgeBase":
      return dropKnowledgeBase(context, statement.path);
    case "use":
      return checkDatabase(state, statement.path);
    case "createJob":
      return createJob(context, statement);
    case "dropJob":
      return dropJob(context, statement.path);
    case "createTrigger":
      return createTrigger(context, statement);
    case "dropTrigger":
      return dropTrigger(context, statement.path);
    case "createMlEngine":
      return createMlEngine(state, statement);
    case "dropMlEngine":
      return dropMlEngine(state, statement.path);
    case "activateModel":
    case "dropModel":
      return changeModel(context, statement.kind, statement.path);
    case "createModel":
    case "retrain": {
      const select = (query: TrainingQuery) => selectTrainingRows(context, query);
      const { project, model } = train(context, statement, select);
      return createRelation([summarizeModel(state, project, model)]);
    }
  }
}

/** Statements of MindsDB that only a real server runs. */
const unsupported =
  /^\s*(?!create\s+(?:project|ml_engine)\b|drop\s+(?:agent|knowledge_base|ml_engine)\b)(?:(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:agent|chatbot|database|knowledge_base|ml_engine|project|skill|view)|insert|update|finetune|evaluate|explain|with|grant)\b/i;

function createUnsupportedError(words: string): SqlError {
  const text = words.toUpperCase().replace("OR REPLACE", "").replaceAll("_", " ");
  return new SqlError(`The sample server does not run ${text.trim().replace(/\s+/g, " ")}.`);
}

function selectTrainingRows(context: Context, { source, select }: TrainingQuery): Relation {
  const parsed = parse(select);
  if (parsed.kind !== "select") throw new SqlError("Training rows must come from a SELECT.");
  return runSelectStatement({ ...context, database: source }, parsed);
}

/** The one row of a SELECT without FROM. */
function clock(): Frame {
  return { columns: [{ alias: "", name: "localtimestamp" }], rows: [[formatTimestamp()]] };
}

function deleteFrom(context: Context, { from, where }: Delete): undefined {
  const { name, project } = resolveName(context, from.path);
  const found = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
  if (!project || !found) throw createUnsupportedError("delete");
  deleteDocuments(project, found, conjuncts(where));
}

/** The table is there with its columns even if no row is selected, as on real servers. */
function createFromSelect(context: Context, { path, replaces, select }: CreateTable): undefined {
  const { state } = context;
  const { owner, name: given } = resolveName(context, path);
  const name = given.toLowerCase();
  if (owner !== filesSource || !isTableName(name)) {
    throw new SqlError(`Can't create table ${path.join(".")}`);
  }
  const { columns, rows } = runSelectStatement(context, select);
  const exists = state.tables.some((table) => table.name === name);
  if (exists && !replaces) throw new SqlError(`Table '${name}' already exists`);
  dropTable(state, name);
  state.tables.push(createTable(name, { columns, rows: rows as Cell[][] }));
}

function dropUploaded(context: Context, path: string[]): undefined {
  const { owner, name } = resolveName(context, path);
  if (owner !== filesSource) throw createUnsupportedError("drop table");
  if (!dropTable(context.state, name)) {
    throw new SqlError(`Table '${name}' not found in database: files`);
  }
}

function dropAgent(context: Context, path: string[]): undefined {
  const { name, project } = resolveName(context, path);
  const found = project?.agents.find((agent) => agent.name === name);
  if (!project || !found) throw new SqlError(`Agent with name does not exist: ${name}`);
  project.agents.splice(project.agents.indexOf(found), 1);
}

function dropKnowledgeBase(context: Context, path: string[]): undefined {
  const { name, project } = resolveName(context, path);
  const found = project?.knowledgeBases.find(({ row }) => row.name === name);
  if (!project || !found) throw new SqlError(`Knowledge base not found: ${name}`);
  project.knowledgeBases = project.knowledgeBases.filter((one) => one !== found);
}

/** As on real servers, nothing is kept from one request to the next. */
function checkDatabase(state: State, path: string[]): undefined {
  const name = path.join(".");
  if (!hasDatabase(state, name)) throw new SqlError(`Database ${name} does not exists`);
}

function createProject(state: State, path: string[]): undefined {
  const name = path.join(".").toLowerCase();
  if (hasDatabase(state, name)) throw new SqlError(`Project already exists: ${name}`);
  const id = Math.max(...state.projects.map((project) => project.id)) + 1;
  state.projects.push({ id, name, deletable: true, knowledgeBases: [], agents: [], models: [] });
}

function runSelectStatement(context: Context, statement: Select): Relation {
  const { state } = context;
  if (!statement.from) return runSelect(statement, clock());
  const { alias, select } = statement.from;
  const joined = (from: Relation): Frame => joinModel(context, frame(from, alias), statement.join);
  if (select) return runSelect(statement, joined(runSelectStatement(context, select)));
  const { owner, name, project } = resolveName(context, statement.from.path);
  const kb = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
  if (kb) return searchInSql(kb, statement);
  const conditions = conjuncts(statement.where);
  const agent = project?.agents.find((candidate) => candidate.name === name);
  if (agent && context.ask) {
    const question = String(comparedTo(conditions, "question") ?? "");
    const answer = context.ask(agent, question);
    const columns = [...answer.columns, "question"];
    const answered = { columns, rows: answer.rows.map((row) => [...row, question]) };
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
  const view = findView(context, owner, name);
  return runSelect(statement, joined(view ?? findTable(state, owner, name)));
}

/** The rows of a view, whose names are looked up in its own project. */
function findView(context: Context, owner: string, name: string): Relation | undefined {
  const { views } = context.state;
  const view = views.find(
    (one) => one.project === owner && one.name.toLowerCase() === name.toLowerCase(),
  );
  if (!view) return undefined;
  const parsed = parse(view.query);
  if (parsed.kind !== "select") throw new SqlError("'NoneType' object has no attribute 'to_df'");
  // A view that reads itself would not end.
  const state = { ...context.state, views: views.filter((one) => one !== view) };
  return runSelectStatement({ ...context, state, database: owner }, parsed);
}

function findTable(state: State, owner: string, name: string): Relation {
  switch (`${owner}.${name.toLowerCase()}`) {
    case "information_schema.models":
      return listAllModels(state, state.projects);
    case "information_schema.handlers":
      return createRelation([{ NAME: sampleEngine, TYPE: "ml", IMPORT_SUCCESS: true }]);
    case "information_schema.queries":
      // Its statements are done when they are answered.
      return { columns: ["ID", "SQL"], rows: [] };
    case "information_schema.triggers":
      return listTriggers(state);
    case "log.jobs_history":
      return listRuns(state);
  }
  const source = findDataSource(state, owner);
  const failure = source && findConnectionError(state, source);
  if (failure !== undefined) throw new SqlError(failure);
  const { project, tables = [] } = findDatabase(state, owner);
  if (project && name.toLowerCase() === "models") return listAllModels(state, [project]);
  const path = name.toLowerCase();
  const found = tables.find(
    (table) =>
      table.name === path ||
      ("schema" in table && `${String(table.schema)}.${table.name}` === path),
  );
  if (found) return found;
  throw new SqlError(`Table '${name}' not found in database: ${owner}`);
}

/** `FROM table JOIN model`: adds the model's prediction to every row of the table. */
function joinModel(context: Context, from: Frame, source: Source | undefined): Frame {
  if (!source) return from;
  const { owner, name, project } = resolveName(context, source.path);
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
      return listMlEngines(state);
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
      const name = path.join(".").toLowerCase() || database;
      if (!hasDatabase(state, name)) throw new SqlError(`Database does not exist: ${name}`);
      const { project, tables = [] } = findDatabase(state, name);
      const listed = project ? listEntries(project) : tables;
      return { columns: [`Tables_in_${name}`], rows: listed.map((table) => [table.name]) };
    }
    default:
      throw createUnsupportedError(`show ${what}`);
  }
}

/** `DESCRIBE project.model[.version][.attribute]` and `DESCRIBE KNOWLEDGE_BASE project.name`. */
function describeObject(context: Context, isKnowledgeBase: boolean, path: string[]): Relation {
  const { state } = context;
  const { name, project } = resolveName(context, path);
  if (isKnowledgeBase) {
    const found = project?.knowledgeBases.find((candidate) => candidate.row.name === name);
    if (project && found) return createRelation([describeKnowledgeBase(project, found)]);
    throw new SqlError(`Knowledge base not found: ${path.join(".")}`);
  }
  const [, versioned = "", attribute] = /^(.+?(?:\.\d+)?)(?:\.([a-z]+))?$/.exec(name) ?? [];
  const model = project && findModel(project, versioned);
  if (project && model) return createRelation(state.describe(state, project, model, attribute));
  const about = "The sample server describes only models and knowledge bases";
  throw new SqlError(`Model not found: ${path.join(".")}. ${about}.`);
}
