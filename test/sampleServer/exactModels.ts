// Predictions and descriptions of models as real servers return them, with their errors.
import { describe, explainPrediction, predict } from "../../src/sample/models/models.ts";
import { isObject } from "../../src/sample/server/fields.ts";
import { crash, Refusal } from "../../src/sample/server/replies.ts";
import { createRelation } from "../../src/sample/sql/select.ts";
import type { Model, Project, Row, State } from "../../src/sample/server/state.ts";
import { pythonJson, pythonRepr } from "./pythonFormats.ts";
import type { Dialect } from "./routes.ts";

/** Predicts like 26.x, whose errors include a traceback. */
export function predict26(model: Model, data: unknown): Row[] {
  const rows = readRows(data);
  try {
    return predict(model, rows);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { title, detail } = JSON.parse(error.reply.body) as { title: string; detail: string };
    if (title !== "MLEngineException") throw error;
    throw createEngineError(model, detail.slice(detail.indexOf("]: ") + 3));
  }
}

/** Predicts like lightwood in 25.x, which accepts any value. */
export function predict25(model: Model, data: unknown): Row[] {
  const rows = readRows(data);
  const { predictor } = model;
  if (!predictor) throw crash("Exception", "Error: model creation not completed");
  if (rows.length === 0) {
    const text =
      "Exception: Empty input, aborting prediction. Please try again with some input data.";
    throw createEngineError(model, text);
  }
  const { inputs, target } = predictor;
  const known = createRelation(rows).columns.filter((column) => inputs.includes(column));
  const echoed = [...new Set([...known, ...inputs])];
  return rows.map((row) => {
    const explain = explainPrediction(predictor, row);
    for (const [label, share] of Object.entries(predictor.predict(row).probabilities ?? {})) {
      explain[`probability_class_${label}`] = share;
    }
    const result: Row = {
      ...Object.fromEntries(echoed.map((column) => [column, row[column] ?? null])),
      [target]: explain["predicted_value"],
      __mindsdb_row_id: null,
      select_data_query: null,
      when_data: null,
      [`${target}_original`]: null,
      [`${target}_confidence`]: explain["confidence"],
      [`${target}_explain`]: pythonJson(explain),
      [`${target}_anomaly`]: null,
    };
    const { confidence_lower_bound: lower, confidence_upper_bound: upper } = explain;
    if (lower !== undefined) result[`${target}_min`] = lower;
    if (upper !== undefined) result[`${target}_max`] = upper;
    return result;
  });
}

/** Describes a model: its summary, or the table that the attribute names. */
export function describeExactly(
  dialect: Dialect,
  state: State,
  project: Project,
  model: Model,
  attribute: unknown,
): Row[] {
  const isNewer = dialect === "26";
  const tables = ["info", "features", "model", ...(isNewer ? [] : ["jsonai"])];
  // 26.x uses the first item of a list of attributes; 25.x treats the list as an unknown attribute.
  const wanted: unknown = isNewer && Array.isArray(attribute) ? attribute[0] : attribute;
  if (wanted === null || wanted === undefined) {
    const options = pythonRepr(model.row.problem_definition);
    const rows = describe(state, project, model, undefined);
    return rows.map((row) => ({ ...row, TABLES: tables, TRAINING_OPTIONS: options }));
  }
  if (!tables.some((table) => table === wanted)) return tables.map((table) => ({ tables: table }));
  if (!model.predictor) {
    const failed = "TypeError: 'NoneType' object is not subscriptable";
    return [{ error: isNewer ? failed : "KeyError: 'accuracies'" }];
  }
  if (wanted === "jsonai") {
    const { stages } = model.predictor;
    return [{ ensemble: JSON.stringify({ stages }, null, 2) }];
  }
  const rows = describe(state, project, model, wanted);
  if (isNewer || wanted === "features") return rows;
  return rows.map(({ model: _model, ...row }) => {
    const functions = row["accuracy_functions"];
    return functions === undefined ? row : { ...row, accuracy_functions: pythonRepr(functions) };
  });
}

/** Reads the rows of a request: a list of rows, an object of column arrays, or either as JSON text. */
function readRows(data: unknown): Row[] {
  if (data === undefined) throw crash("KeyError", "'data'");
  if (data === null) return [];
  if (typeof data === "string") return readRows(JSON.parse(data) as unknown);
  if (Array.isArray(data)) return data.map((row: unknown) => (isObject(row) ? row : { 0: row }));
  if (!isObject(data)) throw crash("ValueError", "DataFrame constructor not properly called!");
  const columns = Object.keys(data);
  const lists = columns.map((column) => data[column]).filter(Array.isArray) as unknown[][];
  if (lists.length === 0) {
    throw crash("ValueError", "If using all scalar values, you must pass an index");
  }
  if (lists.length < columns.length || lists.some((list) => list.length !== lists[0]?.length)) {
    throw crash("ValueError", "All arrays must be of the same length");
  }
  return (lists[0] ?? []).map((_, i) =>
    Object.fromEntries(columns.map((column, at) => [column, lists[at]?.[i]])),
  );
}

/** Creates the reply for an engine error, which includes the whole traceback on real servers. */
function createEngineError(model: Model, text: string): Error {
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
