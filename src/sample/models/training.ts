// Trains models on the sample server. A training fits a real model to real rows; it lasts as long as `trainingMs` says, so
// that one sees it happen.
import { formatTimestamp } from "../server/state.ts";
import type { Cell, Model, Predictor, Project, Relation, State, Table } from "../server/state.ts";
import { collectDatabases } from "../server/listings.ts";
import { SqlError } from "../sql/sql.ts";
import type { Value } from "../sql/sql.ts";
import { fitClassifier, fitRegression } from "./regression.ts";
import type { ModelStatement, TrainingQuery } from "./modelStatements.ts";

export const sampleEngine = "sample";

/** Lower ids are reserved for the seed. */
const firstUserId = 101;
const minRows = 10;
/** The most different texts of a column, and labels of a target, that are fitted. */
const maxLabels = 40;

/** Runs a SELECT in a database. Throws SqlError. */
export type SelectRows = (query: TrainingQuery) => Relation;

/** Runs a statement about models. Returns the new version's row for those that train. Throws SqlError. */
export function runModelStatement(
  state: State,
  database: string,
  statement: ModelStatement,
  select: SelectRows,
): Model | undefined {
  const { project, name, version } = findPath(state, database, statement.path);
  const versions = project.models.filter(({ row }) => row.name === name);
  if (statement.kind === "create") {
    if (versions.length > 0) throw new SqlError(`Model already exists: ${project.name}.${name}`);
    return startTraining(state, project, { name, version: 1, ...statement }, select);
  }
  const active = versions.find(({ row }) => row.active) ?? versions.at(-1);
  switch (statement.kind) {
    case "retrain":
    case "finetune": {
      if (!active) throw new SqlError(`Predictor not found: name='${name}' id='-'`);
      const { fetch_data_query, data_source, predict, problem_definition } = active.row;
      const using = (problem_definition["using"] ?? {}) as Record<string, Value>;
      const before = {
        source: typeof data_source === "string" ? data_source : "files",
        select: fetch_data_query,
      };
      const { query = before, target = predict } = statement;
      const isSame = Object.keys(statement.using).length === 0;
      const number = Math.max(...versions.map(({ row }) => row.version)) + 1;
      const added = {
        name,
        version: number,
        query,
        target,
        using: isSame ? using : statement.using,
      };
      return startTraining(state, project, added, select, statement.kind);
    }
    case "activate": {
      const chosen = versions.find(({ row }) => row.version === version);
      if (!chosen) throw unknownVersion(project, name, version);
      activate(project, chosen);
      return undefined;
    }
    case "drop": {
      if (version === undefined) {
        if (versions.length === 0) throw new SqlError(`Model does not exist: ${name}`);
        project.models = project.models.filter(({ row }) => row.name !== name);
        return undefined;
      }
      const chosen = versions.find(({ row }) => row.version === version);
      if (!chosen) throw unknownVersion(project, name, version);
      if (chosen.row.active) {
        throw new SqlError(`Can't remove active version: ${project.name}.${name}.${version}`);
      }
      project.models = project.models.filter((model) => model !== chosen);
      return undefined;
    }
  }
}

function findPath(
  state: State,
  database: string,
  path: string[],
): { project: Project; name: string; version?: number } {
  const last = path.at(-1) ?? "";
  const isVersion = path.length > 1 && /^\d+$/.test(last);
  const names = isVersion ? path.slice(0, -1) : path;
  const [owner = "", name = ""] = names.length > 1 ? names : [database, names[0]];
  const project = state.projects.find((candidate) => candidate.name === owner.toLowerCase());
  if (!project) throw new SqlError(`Project does not exist: ${owner}`);
  return { project, name, ...(isVersion ? { version: Number(last) } : {}) };
}

function unknownVersion(project: Project, name: string, version: number | undefined): SqlError {
  const text = `Model ${name} with version ${String(version)} is not found in ${project.name}: unknown`;
  return new SqlError(text);
}

function startTraining(
  state: State,
  project: Project,
  wanted: {
    name: string;
    version: number;
    query: TrainingQuery;
    target: string;
    using: Record<string, Value>;
  },
  select: SelectRows,
  kind: "create" | "retrain" | "finetune" = "create",
): Model {
  const { name, version, query, target } = wanted;
  const { engine = kind === "create" ? undefined : sampleEngine, active, ...using } = wanted.using;
  if (engine === undefined) throw new SqlError("ML engine must be specified when creating a model");
  if (engine !== sampleEngine) throw new SqlError(`There is no engine '${String(engine)}'`);
  if (!collectDatabases(state).some((database) => database.name === query.source)) {
    throw new SqlError(`Database does not exist: ${query.source}`);
  }
  const now = new Date();
  const ids = state.projects.flatMap(({ models }) => models.map(({ row }) => row.id));
  const model: Model = {
    engine: sampleEngine,
    row: {
      id: Math.max(firstUserId - 1, ...ids) + 1,
      name,
      version,
      is_active: null,
      predict: target,
      status: "generating",
      problem_definition: { __mdb_sql_task: null, target, using },
      current_phase: null,
      accuracy: null,
      data_source: query.source,
      update: "up_to_date",
      active: version === 1,
      mindsdb_version: state.version,
      error: null,
      created_at: formatTimestamp(now).slice(0, 19),
      fetch_data_query: query.select,
      training_time: null,
    },
    training: {
      endsAt: now.getTime() + state.trainingMs,
      activates: active !== 0,
      ...(kind === "finetune" ? { failure: "NotImplementedError: " } : {}),
    },
  };
  try {
    if (model.training && kind !== "finetune") model.training.rows = select(query);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    if (model.training) model.training.failure = error.message;
  }
  project.models.push(model);
  return model;
}

/** Ends the trainings whose time is over. Called before each request. */
export function finishTrainings(state: State, now = Date.now()): void {
  for (const project of state.projects) {
    for (const model of project.models) {
      const { training } = model;
      if (!training || now < training.endsAt) continue;
      const trained = finish(model);
      project.models[project.models.indexOf(model)] = trained;
      if (trained.row.status === "complete" && training.activates) activate(project, trained);
    }
  }
}

function finish({ engine, row, training }: Model): Model {
  const ended = { training_time: 1 };
  try {
    if (training?.failure !== undefined) throw new SqlError(training.failure);
    const rows = training?.rows ?? { columns: [], rows: [] };
    const predictor = fitModel(rows, row.predict);
    const [accuracy = null] = Object.values(predictor.accuracies);
    return {
      engine,
      row: { ...row, ...ended, status: "complete", accuracy },
      trainedOn: rows,
      predictor,
    };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { engine, row: { ...row, ...ended, status: "error", error: text } };
  }
}

/** Models are replaced, never changed, so that the seed's stay as they are. */
function activate(project: Project, chosen: Model): void {
  project.models = project.models.map((model) => {
    const { row } = model;
    if (row.name !== chosen.row.name) return model;
    const isChosen = row.version === chosen.row.version;
    return row.active === isChosen ? model : { ...model, row: { ...row, active: isChosen } };
  });
}

/** Predictors by training, so that reading a file again fits nothing twice. */
const fitted = new Map<string, Predictor>();

/** Like `fitModel`, once for each training. */
export function fitOnce({ id, predict, created_at }: Model["row"], rows: Relation): Predictor {
  const key = JSON.stringify([id, predict, created_at, rows.rows.length]);
  const predictor = fitted.get(key) ?? fitModel(rows, predict);
  fitted.set(key, predictor);
  return predictor;
}

/** Fits numbers by least squares and texts by logistic regression. Throws Error with the reason if the rows do not do. */
export function fitModel({ columns, rows }: Relation, target: string): Predictor {
  const at = columns.indexOf(target);
  if (at < 0) {
    const names = columns.join("', '");
    throw new Error(`Prediction target "${target}" not found in training dataframe: ['${names}']`);
  }
  const usable = rows.filter((row) => row[at] !== null && row[at] !== undefined) as Cell[][];
  if (usable.length < minRows) throw new Error(`The sample server needs ${minRows} rows to train.`);
  const labels = (column: number): number => new Set(usable.map((row) => row[column])).size;
  const isNumeric = (column: number): boolean =>
    usable.every((row) => row[column] === null || typeof row[column] === "number");
  const inputs = columns.filter(
    (_, column) => column !== at && (isNumeric(column) || labels(column) <= maxLabels),
  );
  if (inputs.length === 0) throw new Error("No column is fit to predict from.");
  const table: Table = { source: "", name: "", columns, rows: usable, noun: [], words: {} };
  if (isNumeric(at)) return fitRegression(table, target, inputs);
  if (labels(at) > maxLabels) throw new Error(`"${target}" has more than ${maxLabels} labels.`);
  return fitClassifier(table, target, inputs);
}
