// Combines the data of servers and engines about a model into one description.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { withoutTraceback } from "../mindsdb/http/httpResponse.ts";
import { optionalNumber, optionalText, optionalTexts } from "../mindsdb/decode.ts";
import type { DescribedRow } from "../mindsdb/describeModel.ts";
import { findMissingEngine } from "../mindsdb/engineMissing.ts";
import { asText, isObject, type JsonObject } from "../mindsdb/json.ts";
import { isListed } from "../mindsdb/models.ts";
import type { Model, ModelVersion } from "../mindsdb/listItems.ts";
import { isTraining } from "../mindsdb/modelStatus.ts";
import type { AttributeTable, Column, Figure, ModelDescription } from "./modelPage.ts";

/** The responses to describing; an attribute is absent until it was requested. */
export interface ServerAnswers {
  summary?: DescribedRow[];
  info?: DescribedRow[];
  features?: DescribedRow[];
  /** Why describing failed, in one sentence. */
  failure?: string;
}

/** Attributes that the page shows as sections, not as tables. */
const ownAttributes = ["info", "features"];

const summaryRow = v.looseObject({
  TABLES: optionalTexts,
  ENGINE: optionalText,
  STATUS: optionalText,
  ACCURACY: optionalNumber,
  PREDICT: optionalText,
  UPDATE_STATUS: optionalText,
  MINDSDB_VERSION: optionalText,
  ERROR: optionalText,
  SELECT_DATA_QUERY: optionalText,
  TRAINING_OPTIONS: optionalText,
});

/** Any object. Not valibot's record, which drops names like `constructor`. */
const anyObject = v.fallback(v.custom<JsonObject>(isObject), {});

const infoRow = v.looseObject({
  accuracies: anyObject,
  column_importances: anyObject,
  inputs: optionalTexts,
  outputs: optionalTexts,
  model: optionalText,
});

const featureRow = v.looseObject({
  column: v.string(),
  type: optionalText,
  encoder: optionalText,
  role: optionalText,
});

/** Returns the description of one version. Without `answers`, it has only the data from the list of models. */
export function buildDescription(
  model: Model,
  version: ModelVersion,
  answers: ServerAnswers = {},
): ModelDescription {
  const summary = v.parse(summaryRow, answers.summary?.[0] ?? {});
  const info = v.parse(infoRow, answers.info?.[0] ?? {});
  const features = readFeatureColumns(answers.features ?? []);
  const error = version.error ?? summary.ERROR;
  const accuracies = readFigures(info.accuracies);
  const overall = summary.ACCURACY ?? version.accuracy;
  if (accuracies.length === 0 && overall !== undefined) {
    accuracies.push({ name: "", value: overall });
  }
  const inputs = addTypes(info.inputs, features.inputs);
  const outputs = addTypes(info.outputs, features.outputs);
  const isSilent = accuracies.length + inputs.length + outputs.length === 0;
  return {
    version: isListed(model) ? version.version : undefined,
    versions: model.versions.map(({ version, status, active }) => ({ version, status, active })),
    status: isListed(model) ? version.status : (summary.STATUS ?? version.status),
    isTraining: model.versions.some(isTraining),
    target: version.target ?? summary.PREDICT,
    engine: summary.ENGINE ?? version.engine,
    accuracies,
    importances: readFigures(info.column_importances).sort((a, b) => b.value - a.value),
    inputs,
    outputs,
    stages: readStages(info.model ?? ""),
    query: version.query ?? summary.SELECT_DATA_QUERY,
    options: summary.TRAINING_OPTIONS,
    createdAt: version.createdAt,
    trainingTime: version.trainingTime,
    updateStatus: summary.UPDATE_STATUS,
    serverVersion: summary.MINDSDB_VERSION,
    error: error === undefined ? undefined : readError(error),
    ...(isSilent ? explainMissing(version, answers) : {}),
    missingEngine: findMissingEngine(error ?? answers.failure ?? ""),
    attributes: (summary.TABLES ?? []).filter((name) => !ownAttributes.includes(name)),
  };
}

/** Rows can each have keys of their own, which would make columns times rows of empty cells. */
const maxAttributeColumns = 200;

/** Returns an attribute's rows as texts, with columns in order of first appearance. */
export function attributeTable(rows: DescribedRow[]): AttributeTable {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = all.slice(0, maxAttributeColumns);
  const left = all.length - columns.length;
  return {
    columns: left > 0 ? [...columns, l10n.t("Columns not shown: {0}", left)] : columns,
    rows: rows.map((row) =>
      columns.map((column) => (Object.hasOwn(row, column) ? asText(row[column]) : "")),
    ),
  };
}

function explainMissing(
  version: ModelVersion,
  { summary, failure }: ServerAnswers,
): Pick<ModelDescription, "missing" | "missingReason"> {
  if (isTraining(version)) return { missing: "training" };
  if (version.status === "error") return { missing: "trainingFailed" };
  if (failure !== undefined) return { missing: "failed", missingReason: failure };
  return { missing: summary === undefined ? "loading" : "nothing" };
}

/** Returns the values that are numbers; some engines write them as texts. */
function readFigures(record: Record<string, unknown>): Figure[] {
  return Object.entries(record).flatMap(([name, written]) => {
    const value = typeof written === "string" ? Number(written.trim() || NaN) : written;
    return typeof value === "number" && Number.isFinite(value) ? [{ name, value }] : [];
  });
}

function readFeatureColumns(rows: DescribedRow[]): { inputs: Column[]; outputs: Column[] } {
  const inputs: Column[] = [];
  const outputs: Column[] = [];
  for (const row of rows) {
    const parsed = v.safeParse(featureRow, row);
    if (!parsed.success) continue;
    const { column: name, type, encoder, role } = parsed.output;
    const list = role === "target" ? outputs : inputs;
    list.push({ name, type, encoder });
  }
  return { inputs, outputs };
}

/** Returns the named columns with their types; all known ones without names. */
export function addTypes(names: string[] | undefined, known: Column[]): Column[] {
  if (!names) return known;
  const byName = new Map(known.toReversed().map((column) => [column.name, column]));
  return names.map((name) => byName.get(name) ?? { name });
}

function readStages(text: string): string[] {
  return text
    .split("-->")
    .map((stage) => stage.trim())
    .filter((stage) => stage !== "");
}

function readError(text: string): { sentence: string; whole?: string } {
  const sentence = withoutTraceback(text);
  return sentence === text.trim() ? { sentence } : { sentence, whole: text };
}
