// The draft of a data source, and the parameters that are sent. Secrets are never part of a draft, because drafts are
// stored: they are among the form's keys.
import * as v from "valibot";
import type { JsonObject } from "../mindsdb/json.ts";
import type { Handler } from "../mindsdb/handlers.ts";
import { holdsSecret, omitTypedSecrets, secretsIn } from "../shared/typedSecrets.ts";
import {
  createConnectionForm,
  fieldsOfAlternative,
  isSecretRow,
  type ConnectionField,
} from "./connectionFields.ts";
import { recordOf } from "../mindsdb/recordOf.ts";

/** A parameter that the user names. */
const freeRow = v.object({
  id: v.string(),
  name: v.string(),
  /** Empty for a secret. */
  value: v.string(),
});
export type FreeRow = v.InferOutput<typeof freeRow>;

export const dataSourceDraft = v.object({
  name: v.string(),
  engine: v.string(),
  /** The id of the chosen alternative; empty if the engine has none. */
  alternative: v.string(),
  /** By the names of parameters. */
  values: recordOf(v.string()),
  rows: v.array(freeRow),
  /** Stored secrets that lose their value. */
  removed: v.optional(v.array(v.string())),
});
export type DataSourceDraft = v.InferOutput<typeof dataSourceDraft>;

/** The typed secrets, by the names of their fields. */
export type Keys = Readonly<Record<string, string>>;

/** The field of a parameter; others are `name`, `alternative` and `rows`. */
export function fieldOf(parameter: string): string {
  return `arg-${parameter}`;
}

/** The name of a free row's secret among the keys. */
export function keyOfRow({ id }: FreeRow): string {
  return `row-${id}`;
}

export function emptyDraft(handler: Handler, name: string): DataSourceDraft {
  const { fields, alternative, hasFreeRows } = createConnectionForm(handler);
  const initial = fields.filter((field) => field.initial !== "");
  return {
    name,
    engine: handler.name,
    alternative: alternative?.options[0]?.id ?? "",
    values: Object.fromEntries(initial.map((field) => [field.name, field.initial])),
    rows: hasFreeRows && fields.length === 0 ? [{ id: "1", name: "", value: "" }] : [],
  };
}

/** The fields that a draft shows. */
export function shownFields(handler: Handler, draft: DataSourceDraft): ConnectionField[] {
  return fieldsOfAlternative(createConnectionForm(handler), draft.alternative);
}

export function readValue({ name, isSecret }: ConnectionField, draft: DataSourceDraft, keys: Keys) {
  return (isSecret ? (keys[fieldOf(name)] ?? "") : valueOf(draft, name)).trim();
}

export function readRowValue(row: FreeRow, keys: Keys): string {
  return (isSecretRow(row.name) ? keys[keyOfRow(row)] : row.value)?.trim() ?? "";
}

/** The parameters of a valid draft. What is empty is left out. */
export function buildParameters(handler: Handler, draft: DataSourceDraft, keys: Keys): JsonObject {
  const shown = shownFields(handler, draft);
  const { alternative } = createConnectionForm(handler);
  const entries = [
    ...shown.map((field) => [field.name, convertValue(field, readValue(field, draft, keys))]),
    ...(alternative?.sentAs === undefined ? [] : [[alternative.sentAs, draft.alternative]]),
    ...draft.rows.map((row) => [row.name.trim(), readRowValue(row, keys)]),
  ] as [string, unknown][];
  return Object.fromEntries(entries.filter(([name, value]) => name !== "" && value !== ""));
}

/** The text typed for a parameter, whose name is the server's. */
export function valueOf({ values }: DataSourceDraft, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? "") : "";
}

/** The draft without values that hold a password, such as an address with one: drafts are stored. */
export function omitTypedKeys(draft: DataSourceDraft): DataSourceDraft {
  const omit = (value: string): string => (holdsSecret(value) ? "" : value);
  const { values, rows } = draft;
  const shortened = {
    ...draft,
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, omit(value)])),
    rows: rows.map((row) => ({ ...row, value: omit(row.value) })),
  };
  const hasKeys = [...Object.values(values), ...rows.map(({ value }) => value)].some(holdsSecret);
  return omitTypedSecrets(hasKeys ? shortened : draft);
}

/** The typed secrets that are sent: errors of the server can repeat them. */
export function listSecrets(handler: Handler, draft: DataSourceDraft, keys: Keys): string[] {
  const fields = shownFields(handler, draft).map((field): [isSecret: boolean, value: string] => [
    field.isSecret,
    readValue(field, draft, keys),
  ]);
  const rows = draft.rows.map((row): [isSecret: boolean, value: string] => [
    isSecretRow(row.name),
    readRowValue(row, keys),
  ]);
  return [...fields, ...rows]
    .filter(([isSecret, value]) => value !== "" && (isSecret || holdsSecret(value)))
    .flatMap(([, value]) => [value, ...secretsIn(value)]);
}

export function convertValue({ control }: ConnectionField, value: string): unknown {
  if (value === "") return "";
  if (control === "number") return Number(value);
  if (control === "switch") return value === "true";
  return control === "json" ? (JSON.parse(value) as unknown) : value;
}
