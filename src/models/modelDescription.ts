// Makes one description of what servers and engines tell of a model, each in its own way and none of them all of it.
import * as v from "valibot";
import { withoutTraceback } from "../mindsdb/http/httpResponse.ts";
import { optionalNumber, optionalText, optionalTexts } from "../mindsdb/decode.ts";
import type { DescribedRow } from "../mindsdb/describeModel.ts";
import { asText, isObject, type JsonObject } from "../mindsdb/json.ts";
import { isListed } from "../mindsdb/models.ts";
import type { Model, ModelVersion } from "../mindsdb/listItems.ts";
import { isTraining } from "../mindsdb/modelStatus.ts";
import type { AttributeTable, Column, Figure, ModelDescription } from "./messages.ts";

/** What describing gave; an attribute is absent until it was asked for. */
export interface ServerAnswers {
  summary?: DescribedRow[];
  info?: DescribedRow[];
  features?: DescribedRow[];
  /** Describing failed: why, in one sentence. */
  failure?: string;
}

/** Attributes that the page shows in its own way. */
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

/** Any object, with all its names: a record of valibot's lacks those that a column `constructor` brings. */
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

/** One version of a model with all that is known of it. The model's row is there at once; the answers may come later. */
export function buildDescription(
  model: Model,
  version: ModelVersion,
  answers: ServerAnswers = {},
): ModelDescription {
  const summary = v.parse(summaryRow, answers.summary?.[0] ?? {});
  const info = v.parse(infoRow, answers.info?.[0] ?? {});
  const features = columnsOf(answers.features ?? []);
  const error = version.error ?? summary.ERROR;
  const accuracies = figures(info.accuracies);
  const overall = summary.ACCURACY ?? version.accuracy;
  if (accuracies.length === 0 && overall !== undefined) {
    accuracies.push({ name: "", value: overall });
  }
  const inputs = withTypes(info.inputs, features.inputs);
  const outputs = withTypes(info.outputs, features.outputs);
  const isSilent = accuracies.length + inputs.length + outputs.length === 0;
  return {
    ...(isListed(model) ? { version: version.version } : {}),
    versions: model.versions.map(({ version, status, active }) => ({ version, status, active })),
    status: isListed(model) ? version.status : (summary.STATUS ?? version.status),
    isTraining: model.versions.some(isTraining),
    ...given("target", version.target ?? summary.PREDICT),
    ...given("engine", summary.ENGINE ?? version.engine),
    accuracies,
    importances: figures(info.column_importances).sort((a, b) => b.value - a.value),
    inputs,
    outputs,
    stages: stagesOf(info.model ?? ""),
    ...given("query", version.query ?? summary.SELECT_DATA_QUERY),
    ...given("options", summary.TRAINING_OPTIONS),
    ...given("createdAt", version.createdAt),
    ...given("trainingTime", version.trainingTime),
    ...given("updateStatus", summary.UPDATE_STATUS),
    ...given("serverVersion", summary.MINDSDB_VERSION),
    ...given("error", error === undefined ? undefined : readError(error)),
    ...(isSilent ? silenceOf(version, answers) : {}),
    attributes: (summary.TABLES ?? []).filter((name) => !ownAttributes.includes(name)),
  };
}

/** An attribute's rows as texts, its columns in the order in which they first appear. */
export function attributeTable(rows: DescribedRow[]): AttributeTable {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    columns,
    rows: rows.map((row) =>
      columns.map((column) => (Object.hasOwn(row, column) ? asText(row[column]) : "")),
    ),
  };
}

function silenceOf(
  version: ModelVersion,
  { summary, failure }: ServerAnswers,
): Pick<ModelDescription, "silence" | "silenceReason"> {
  if (isTraining(version)) return { silence: "training" };
  if (version.status === "error") return { silence: "trainingFailed" };
  if (failure !== undefined) return { silence: "failed", silenceReason: failure };
  return { silence: summary === undefined ? "asking" : "nothing" };
}

/** What is a number; an engine may write it as a text. */
function figures(record: Record<string, unknown>): Figure[] {
  return Object.entries(record).flatMap(([name, written]) => {
    const value = typeof written === "string" ? Number(written.trim() || NaN) : written;
    return typeof value === "number" && Number.isFinite(value) ? [{ name, value }] : [];
  });
}

function columnsOf(rows: DescribedRow[]): { inputs: Column[]; outputs: Column[] } {
  const inputs: Column[] = [];
  const outputs: Column[] = [];
  for (const row of rows) {
    const parsed = v.safeParse(featureRow, row);
    if (!parsed.success) continue;
    const { column: name, type, encoder, role } = parsed.output;
    const list = role === "target" ? outputs : inputs;
    list.push({ name, ...given("type", type), ...given("encoder", encoder) });
  }
  return { inputs, outputs };
}

/** The columns by their names, with what is known of them; all known ones where no names are given. */
function withTypes(names: string[] | undefined, known: Column[]): Column[] {
  if (!names) return known;
  return names.map((name) => known.find((column) => column.name === name) ?? { name });
}

function stagesOf(text: string): string[] {
  return text
    .split("-->")
    .map((stage) => stage.trim())
    .filter((stage) => stage !== "");
}

function readError(text: string): { sentence: string; whole?: string } {
  const sentence = withoutTraceback(text);
  return sentence === text.trim() ? { sentence } : { sentence, whole: text };
}

/** A field that is left out where there is nothing to say. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>);
}
