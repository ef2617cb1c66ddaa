// Predicts with models and describes them, in the formats of both server generations.
import { crash, pythonJson, pythonRepr } from "./replies.ts";
import { toNumber } from "./regression.ts";
import { relationOf } from "./select.ts";
import type { Dialect, Model, Predictor, Project, Relation, State } from "./state.ts";

type Row = Record<string, unknown>;

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
 * Returns one prediction for each row, in order. `data` comes from the request: an array of rows, an object of column
 * arrays, or either as JSON text. Throws the error replies of real servers.
 */
export function predict(dialect: Dialect, model: Model, data: unknown): Row[] {
  const { columns, rows } = toRelation(data);
  const predictor = model.predictor;
  if (!predictor) throw crash("Exception", "Error: model creation not completed");
  if (dialect === "25" && rows.length === 0) {
    throw engineError(
      model,
      "Exception: Empty input, aborting prediction. Please try again with some input data.",
    );
  }
  const known = predictor.inputs.filter((input) => columns.includes(input));
  if (dialect === "26" && known.length === 0) {
    throw engineError(model, `ValueError: missing input columns: ${pythonRepr(predictor.inputs)}`);
  }
  const echoed =
    dialect === "26"
      ? columns.filter((column) => column !== predictor.target)
      : [...new Set([...columns.filter((c) => predictor.inputs.includes(c)), ...predictor.inputs])];
  return rows.map((cells) => {
    const row = createRow();
    columns.forEach((column, i) => (row[column] = cells[i] ?? null));
    if (dialect === "26") checkNumbers(model, predictor, row);
    const result = createRow();
    for (const column of echoed) result[column] = row[column] ?? null;
    return Object.assign(result, predictRow(dialect, predictor, row));
  });
}

/** Returns the summary of a model if `attribute` is missing, otherwise the table of that name. */
export function describe(state: State, project: Project, model: Model, attribute: unknown): Row[] {
  const newer = state.dialect === "26";
  const tables = newer ? ["info", "features", "model"] : ["info", "features", "model", "jsonai"];
  // 26.x uses the first item of a list of attributes; 25.x treats the list as an unknown attribute.
  const wanted: unknown = newer && Array.isArray(attribute) ? attribute[0] : attribute;
  if (wanted === null || wanted === undefined) return [summarize(state, project, model, tables)];
  if (!tables.some((table) => table === wanted)) return tables.map((table) => ({ tables: table }));
  if (model.predictor) return describeAttribute(model.predictor, newer, wanted);
  const failed = newer
    ? "TypeError: 'NoneType' object is not subscriptable"
    : "KeyError: 'accuracies'";
  return [{ error: failed }];
}

function summarize(state: State, project: Project, { engine, row }: Model, tables: string[]): Row {
  return {
    TABLES: tables,
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
    TRAINING_OPTIONS: pythonRepr(row.problem_definition),
    TAG: null,
  };
}

function describeAttribute(predictor: Predictor, newer: boolean, attribute: unknown): Row[] {
  const { accuracies, importances, inputs, target, stages, features } = predictor;
  if (attribute === "features") return features;
  if (attribute === "jsonai") return [{ ensemble: JSON.stringify({ stages }, null, 2) }];
  if (attribute === "model") {
    const functions = Object.keys(accuracies);
    return [
      {
        name: stages.split(" --> ").at(-1),
        performance: Object.values(accuracies)[0],
        training_time: 0,
        selected: 1,
        accuracy_functions: newer ? functions : pythonRepr(functions),
      },
    ];
  }
  const info = { accuracies, column_importances: importances, outputs: [target], inputs };
  return [newer ? { ...info, model: stages } : info];
}

/** Creates an object without a prototype, so that a column can be named `__proto__`. */
function createRow(): Row {
  return Object.create(null) as Row;
}

function toRelation(data: unknown): Relation {
  if (data === undefined) throw crash("KeyError", "'data'");
  if (data === null) return { columns: [], rows: [] };
  if (typeof data === "string") return toRelation(JSON.parse(data) as unknown);
  if (Array.isArray(data)) {
    return relationOf(data.map((row: unknown) => (isRow(row) ? row : { 0: row })));
  }
  if (!isRow(data)) throw crash("ValueError", "DataFrame constructor not properly called!");
  const columns = Object.keys(data);
  const lists = columns.map((column) => data[column]).filter(Array.isArray) as unknown[][];
  if (lists.length === 0) {
    throw crash("ValueError", "If using all scalar values, you must pass an index");
  }
  if (lists.length < columns.length || lists.some((list) => list.length !== lists[0]?.length)) {
    throw crash("ValueError", "All arrays must be of the same length");
  }
  return { columns, rows: (lists[0] ?? []).map((_, i) => lists.map((list) => list[i])) };
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws if a numeric input is not a number, as the engine of 26.x does. lightwood (25.x) accepts any value. */
function checkNumbers(model: Model, predictor: Predictor, row: Row): void {
  for (const input of predictor.inputs) {
    const value = row[input] ?? null;
    if (value !== null && predictor.isNumber(input) && toNumber(value) === undefined) {
      throw engineError(
        model,
        `ValueError: could not convert string to float: ${pythonRepr(value)}`,
      );
    }
  }
}

function predictRow(dialect: Dialect, predictor: Predictor, row: Row): Row {
  const { value, confidence, lower, upper, probabilities } = predictor.predict(row);
  const { target } = predictor;
  const explain: Row = { predicted_value: value, confidence, anomaly: null, truth: null };
  if (lower !== undefined) explain["confidence_lower_bound"] = lower;
  if (upper !== undefined) explain["confidence_upper_bound"] = upper;
  if (dialect === "26") return { [target]: value, [`${target}_explain`]: pythonJson(explain) };
  for (const [label, share] of Object.entries(probabilities ?? {})) {
    explain[`probability_class_${label}`] = share;
  }
  const result: Row = {
    [target]: value,
    __mindsdb_row_id: null,
    select_data_query: null,
    when_data: null,
    [`${target}_original`]: null,
    [`${target}_confidence`]: confidence,
    [`${target}_explain`]: pythonJson(explain),
    [`${target}_anomaly`]: null,
  };
  if (lower !== undefined) result[`${target}_min`] = lower;
  if (upper !== undefined) result[`${target}_max`] = upper;
  return result;
}

/** Creates the reply for an engine error, which includes the whole traceback on real servers. */
function engineError(model: Model, text: string): Error {
  const folder = "/opt/sample/lib/python3.11/site-packages/mindsdb/integrations";
  const trace = [
    `[${model.engine}/${model.row.name}]: ${text}`,
    "Traceback (most recent call last):\n",
    `  File "${folder}/libs/ml_handler_process/predict_process.py", line 33, in predict_process`,
    "    predictions = ml_handler.predict(dataframe, args)",
    "                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n",
    text,
  ];
  return crash("MLEngineException", trace.join("\n"));
}
