// Predicts with models and describes them.
import { isObject } from "../server/fields.ts";
import { crash, formatNames, problem } from "../server/replies.ts";
import { readCell, toNumber } from "./regression.ts";
import { createRelation } from "../sql/select.ts";
import { formatValue } from "../server/state.ts";
import type { Model, Predictor, Project, Row, State } from "../server/state.ts";

/** The active version of the model, or the version that the name ends with (`name.2`). */
export function findModel(project: Project, name: string): Model | undefined {
  const numbered = /^(.+)\.(\d+)$/.exec(name);
  return project.models.find(({ row }) =>
    numbered
      ? row.name === numbered[1] && row.version === Number(numbered[2])
      : row.name === name && row.active,
  );
}

/**
 * Returns one prediction for each row of a request, in order: the row's columns, the prediction and an explanation.
 * Throws error replies.
 */
export function predict({ predictor, engine, row: { name } }: Model, rows: unknown): Row[] {
  if (!predictor) throw crash("Exception", "Error: model creation not completed");
  if (!Array.isArray(rows) || !rows.every(isObject)) {
    throw problem(400, "Wrong data", '"data" must be a list of rows');
  }
  const columns = new Set(createRelation(rows).columns);
  const { inputs, target, features } = predictor;
  const others = [...columns].filter((column) => column !== target);
  const numbers = features
    .filter(({ role, type }) => role === "feature" && type === "float")
    .map(({ column }) => column);
  const fail = (text: string) => crash("MLEngineException", `[${engine}/${name}]: ${text}`);
  if (!inputs.some((input) => columns.has(input))) {
    throw fail(`ValueError: missing input columns: ${formatNames(inputs)}`);
  }
  return rows.map((row) => {
    // few: the columns that the model was trained on.
    const wrong = numbers.find((column) => !isNumeric(readCell(row, column)));
    if (wrong !== undefined) {
      const text = formatValue(readCell(row, wrong));
      throw fail(`ValueError: could not convert string to float: '${text}'`);
    }
    const explain = explainPrediction(predictor, row);
    // The predicted column comes last, whatever the row says of it. `fromEntries` also takes a column named `__proto__`.
    return Object.fromEntries([
      ...others.map((column) => [column, readCell(row, column) ?? null]),
      [target, explain["predicted_value"]],
      [`${target}_explain`, JSON.stringify(explain)],
    ]) as Row;
  });
}

/** Returns the summary of a model if `attribute` is missing, otherwise the table of that name. */
export function describe(state: State, project: Project, model: Model, attribute: unknown): Row[] {
  const tables = ["info", "features", "model"];
  if (attribute === null || attribute === undefined) {
    return [{ TABLES: tables, ...summarizeModel(state, project, model) }];
  }
  if (!tables.some((table) => table === attribute)) return tables.map((name) => ({ tables: name }));
  if (!model.predictor) return [{ error: "The model was not trained." }];
  const { accuracies, importances, inputs, target, stages, features } = model.predictor;
  if (attribute === "features") return features;
  if (attribute === "info") {
    const outputs = [target];
    return [{ accuracies, column_importances: importances, outputs, inputs, model: stages }];
  }
  return [
    {
      name: stages.split(" --> ").at(-1),
      performance: Object.values(accuracies)[0],
      training_time: 0,
      selected: 1,
      accuracy_functions: Object.keys(accuracies),
    },
  ];
}

/** A version as SQL lists it and as its summary begins. */
export function summarizeModel(state: State, project: Project, { engine, row }: Model): Row {
  return {
    NAME: row.name,
    ENGINE: engine,
    PROJECT: project.name,
    ACTIVE: row.active,
    VERSION: row.version,
    STATUS: row.status,
    ACCURACY: row.accuracy,
    PREDICT: row.predict,
    UPDATE_STATUS: row["update"],
    MINDSDB_VERSION: state.version,
    ERROR: row.error,
    SELECT_DATA_QUERY: row.fetch_data_query,
    TRAINING_OPTIONS: JSON.stringify(row.problem_definition),
    TAG: null,
  };
}

/** Whether a cell is missing, a number, or text that is a number. */
function isNumeric(value: unknown): boolean {
  return value === null || value === undefined || toNumber(value) !== undefined;
}

/** Predicts a row, with the fields of a prediction's explanation. */
export function explainPrediction(predictor: Predictor, row: Row): Row {
  const { value, confidence, lower, upper } = predictor.predict(row);
  const explain: Row = { predicted_value: value, confidence, anomaly: null, truth: null };
  if (lower !== undefined) explain["confidence_lower_bound"] = lower;
  if (upper !== undefined) explain["confidence_upper_bound"] = upper;
  return explain;
}
