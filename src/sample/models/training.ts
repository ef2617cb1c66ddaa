// Trains models on the sample server. A training fits a real model to real rows.
import {
  createId,
  filesSource,
  formatTimestamp,
  formatValue,
  sampleEngine,
  sampleVersion,
} from "../server/state.ts";
import type { Cell, Model, Predictor, Project, Relation, State } from "../server/state.ts";
import { hasDatabase } from "../server/listings.ts";
import { maskKeys } from "../server/maskKeys.ts";
import { resolveName, type NameScope } from "../server/lookup.ts";
import { findMlEngine } from "../mlEngines/mlEngines.ts";
import { SqlError } from "../sql/tokens.ts";
import type { Training, TrainingQuery, Value } from "../sql/statements.ts";
import { fitClassifier, fitRegression } from "./regression.ts";

/** How long a training takes, so that users see it happen. */
const trainingMs = 1_500;
const minRows = 10;
/** More rows are thinned out, and further columns left out: nothing else runs while a model is fitted. */
const maxRows = 1_000;
const maxNumbersPerRow = 60;
/** The most different texts of a column, and labels of a target, that are fitted. */
const maxLabels = 40;

/** Runs a SELECT in a database. Throws SqlError. */
type SelectRows = (query: TrainingQuery) => Relation;

/** Trains the first or the next version of a model. Throws SqlError. */
export function train(
  scope: NameScope,
  statement: Training,
  select: SelectRows,
): { project: Project; model: Model } {
  const { state } = scope;
  const { project, name, versions } = findVersions(scope, statement.path);
  const { version, query, target, using } =
    statement.kind === "createModel"
      ? readFirstTraining(statement, `${project.name}.${name}`, versions)
      : readNextTraining(statement, name, versions);
  const { engine = sampleEngine, active, ...options } = using;
  checkEngine(state, String(engine));
  if (!hasDatabase(state, query.source)) {
    throw new SqlError(`Database does not exist: ${query.source}`);
  }
  const id = createId(state.projects.flatMap(({ models }) => models.map(({ row }) => row.id)));
  const kept = maskKeys(options) as Record<string, Value>;
  const model: Model = {
    ...createVersion({ id, name, version, target, using: kept, ...query }),
    training: {
      endsAt: Date.now() + trainingMs,
      activates: active !== 0,
      ...readTrainingRows(query, select),
    },
  };
  project.models.push(model);
  return { project, model };
}

/** Only one kind of engine trains. Throws SqlError. */
function checkEngine(state: State, name: string): void {
  const engine = findMlEngine(state, name);
  if (engine?.handler === sampleEngine) return;
  if (!engine) throw new SqlError(`There is no engine '${name}'. Use '${sampleEngine}'.`);
  throw new SqlError(`The sample server does not train with ${engine.handler}.`);
}

/** The input of a training. */
interface Wanted {
  version: number;
  query: TrainingQuery;
  target: string;
  using: Record<string, Value>;
}

function readFirstTraining(
  { query, target, using }: Training,
  name: string,
  versions: readonly Model[],
): Wanted {
  if (versions.length > 0) throw new SqlError(`Model already exists: ${name}`);
  if (!query || target === undefined) {
    throw new SqlError("The sample server trains models only FROM rows, to PREDICT a column.");
  }
  if (!using["engine"]) throw new SqlError("ML engine must be specified when creating a model");
  return { version: 1, query, target, using };
}

/** Values that the statement omits are those of the active version. */
function readNextTraining(
  { query, target, using }: Training,
  name: string,
  versions: readonly Model[],
): Wanted {
  const row = (versions.find((model) => model.row.active) ?? versions.at(-1))?.row;
  if (!row) throw new SqlError(`Predictor not found: name='${name}' id='-'`);
  const { data_source: source, problem_definition: before } = row;
  return {
    version: Math.max(...versions.map((model) => model.row.version)) + 1,
    query: query ?? { source: formatValue(source) || filesSource, select: row.fetch_data_query },
    target: target ?? row.predict,
    using: Object.keys(using).length > 0 ? using : ((before["using"] ?? {}) as Wanted["using"]),
  };
}

/** Makes a version the active one, or drops a version or a whole model. Throws SqlError. */
export function changeModel(
  scope: NameScope,
  kind: "activateModel" | "dropModel",
  path: string[],
): undefined {
  const { project, name, version, versions } = findVersions(scope, path);
  if (kind === "dropModel" && version === undefined) {
    if (versions.length === 0) throw new SqlError(`Model does not exist: ${name}`);
    const dropped = new Set(versions);
    project.models = project.models.filter((model) => !dropped.has(model));
    return;
  }
  const full = `${project.name}.${name}.${String(version)}`;
  const chosen = versions.find(({ row }) => row.version === version);
  if (!chosen) throw new SqlError(`Model version not found: ${full}`);
  if (kind === "activateModel") activate(project, chosen);
  else if (chosen.row.active) throw new SqlError(`Can't remove active version: ${full}`);
  else project.models = project.models.filter((model) => model !== chosen);
}

/** The versions of the model that a statement names, and the version if it names one. */
function findVersions(scope: NameScope, path: string[]) {
  const last = path.at(-1) ?? "";
  const isVersion = path.length > 1 && /^\d+$/.test(last);
  const { owner, name, project } = resolveName(scope, isVersion ? path.slice(0, -1) : path);
  if (!project) throw new SqlError(`Project does not exist: ${owner}`);
  const versions = project.models.filter(({ row }) => row.name === name);
  return { project, name, version: isVersion ? Number(last) : undefined, versions };
}

/** A version that is not trained yet. */
export function createVersion(given: {
  id: number;
  name: string;
  version: number;
  target: string;
  select: string;
  source?: string;
  using?: Record<string, Value>;
}): Model {
  const { id, name, version, target, select, source = null, using = {} } = given;
  return {
    engine: sampleEngine,
    row: {
      id,
      name,
      version,
      is_active: null,
      predict: target,
      status: "generating",
      problem_definition: { __mdb_sql_task: null, target, using },
      current_phase: null,
      accuracy: null,
      data_source: source,
      update: "up_to_date",
      active: version === 1,
      mindsdb_version: sampleVersion,
      error: null,
      created_at: formatTimestamp().slice(0, 19),
      fetch_data_query: select,
      training_time: null,
    },
  };
}

/** The rows to train on, or why the training will fail. */
function readTrainingRows(
  query: TrainingQuery,
  select: SelectRows,
): Pick<NonNullable<Model["training"]>, "rows" | "failure"> {
  try {
    const { columns, rows } = select(query);
    const step = Math.ceil(rows.length / maxRows);
    return { rows: { columns, rows: rows.filter((_, at) => at % step === 0) } };
  } catch (error) {
    if (error instanceof SqlError) return { failure: error.message };
    throw error;
  }
}

/** Ends the trainings whose time is over. Called before each request. */
export function finishTrainings(state: State, now = Date.now()): void {
  for (const project of state.projects) {
    for (const [at, model] of project.models.entries()) {
      const { training } = model;
      if (!training || now < training.endsAt) continue;
      const trained = finish(model);
      project.models[at] = trained;
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
  let numbersPerRow = 0;
  const inputs = columns.filter((_, column) => {
    const numbers = isNumeric(column) ? 1 : labels(column);
    const isFit = column !== at && numbers <= maxLabels;
    if (!isFit || numbersPerRow + numbers > maxNumbersPerRow) return false;
    numbersPerRow += numbers;
    return true;
  });
  if (inputs.length === 0) throw new Error("No column can be used for predictions.");
  const table = { columns, rows: usable };
  if (isNumeric(at)) return fitRegression(table, target, inputs);
  if (labels(at) > maxLabels) throw new Error(`"${target}" has more than ${maxLabels} labels.`);
  return fitClassifier(table, target, inputs);
}
