// The draft of a data source that a server has, and what of it has changed. Its secrets are left out: the form knows only
// that there are some, and sends those that were typed again.
import type { JsonObject } from "../mindsdb/json.ts";
import type { StoredDataSource } from "../mindsdb/dataSourceChanges.ts";
import type { Handler } from "../mindsdb/handlers.ts";
import {
  createConnectionForm,
  isSecretRow,
  secretParameters,
  type ConnectionField,
} from "./connectionFields.ts";
import { holdsSecret, secretsIn } from "../shared/typedSecrets.ts";
import {
  convertValue,
  fieldOf,
  keyOfRow,
  readRowValue,
  readValue,
  shownFields,
  valueOf,
  type DataSourceDraft,
  type Keys,
} from "./dataSourceDraft.ts";

/** A data source before its change, as a form knows it. */
export interface StoredDraft {
  draft: DataSourceDraft;
  /** The fields whose values are not in the draft. */
  storedKeys: Record<string, boolean>;
}

export function createStoredDraft(
  handler: Handler,
  { name, engine, parameters }: StoredDataSource,
): StoredDraft {
  const { fields, alternative, hasFreeRows } = createConnectionForm(handler);
  const storedKeys: Record<string, boolean> = {};
  const values = new Map<string, string>();
  for (const field of fields) {
    const text = textOf(parameters, field.name);
    if (text === "") continue;
    if (field.isSecret || holdsSecret(text)) storedKeys[fieldOf(field.name)] = true;
    else values.set(field.name, text);
  }
  const names = hasFreeRows ? Object.keys(parameters).filter(isStored(parameters)) : [];
  const rows = names.map((parameter, at) => {
    const row = { id: String(at + 1), name: parameter, value: textOf(parameters, parameter) };
    if (!isSecretRow(parameter) && !holdsSecret(row.value)) return row;
    storedKeys[keyOfRow(row)] = true;
    return { ...row, value: "" };
  });
  const sentAs = alternative?.sentAs;
  const stated = sentAs === undefined ? "" : textOf(parameters, sentAs);
  const options = alternative?.options ?? [];
  const option =
    options.find(({ id }) => id === stated) ??
    // Where there are both, a URL replaces the rest.
    options.findLast((one) => Object.keys(one.fields).some(isStored(parameters))) ??
    options[0];
  return {
    draft: {
      name,
      engine,
      alternative: option?.id ?? "",
      values: Object.fromEntries(values),
      rows,
    },
    storedKeys,
  };
}

/** The parameters to send: those that were changed, and `null` for those that lost their value. */
export function buildChanges(
  handler: Handler,
  before: StoredDraft,
  draft: DataSourceDraft,
  keys: Keys,
): JsonObject {
  const shown = shownFields(handler, draft);
  const { alternative } = createConnectionForm(handler);
  const isSwitched = draft.alternative !== before.draft.alternative;
  return Object.fromEntries([
    ...shown.flatMap((field) => changeOf(field, before, draft, keys)),
    ...(isSwitched ? listLeftOver(handler, before, shown) : []),
    ...(isSwitched && alternative?.sentAs !== undefined
      ? [[alternative.sentAs, draft.alternative] as const]
      : []),
    ...changesOfRows(before, draft, keys),
  ]);
}

/** The secrets of a data source: errors of the server can repeat them. */
export function listStoredSecrets(handler: Handler, { parameters }: StoredDataSource): string[] {
  const isSecretParameter = secretParameters(handler);
  return Object.keys(parameters).flatMap((name) => {
    const text = textOf(parameters, name);
    const isSecret = isSecretParameter(name) || holdsSecret(text);
    return isSecret && text !== "" ? [text, ...secretsIn(text)] : [];
  });
}

/** A parameter whose stored value is only a mask: the server does not show it, or has lost it. */
export function findMask(parameters: JsonObject): string | undefined {
  return Object.keys(parameters).find((name) => isMask(textOf(parameters, name)));
}

/** Whether a value stands for a secret that is not shown. Stored, it would replace that secret. */
export function isMask(value: string): boolean {
  return /^(?:\*{3,}|•{3,})$/.test(value.trim());
}

/** A value that is not in the former draft, because it is hidden, has changed if something was typed in its place. */
function changeOf(
  field: ConnectionField,
  { draft: before }: StoredDraft,
  draft: DataSourceDraft,
  keys: Keys,
): [string, unknown][] {
  const { name } = field;
  const value = readValue(field, draft, keys);
  if (value === "" && draft.removed?.includes(name)) return [[name, null]];
  if (value === valueOf(before, name).trim()) return [];
  return [[name, value === "" ? null : convertValue(field, value)]];
}

/** Parameters that belong only to the alternative that is no longer chosen. */
function listLeftOver(
  handler: Handler,
  { draft: before, storedKeys }: StoredDraft,
  shown: readonly ConnectionField[],
): [string, unknown][] {
  const kept = new Set(shown.map(({ name }) => name));
  return shownFields(handler, before)
    .filter(({ name }) => !kept.has(name))
    .filter(({ name }) => valueOf(before, name) !== "" || storedKeys[fieldOf(name)] === true)
    .map(({ name }) => [name, null]);
}

function changesOfRows(
  { draft: before, storedKeys }: StoredDraft,
  draft: DataSourceDraft,
  keys: Keys,
): [string, unknown][] {
  const former = new Map(before.rows.map((row) => [row.name, row]));
  const kept = new Set(draft.rows.map(({ name }) => name.trim()));
  const gone = [...former.keys()].filter((name) => !kept.has(name));
  const changed = draft.rows.flatMap((row): [string, unknown][] => {
    const name = row.name.trim();
    const value = readRowValue(row, keys);
    const old = former.get(name);
    if (name === "" || (value === "" && (!old || storedKeys[keyOfRow(old)] === true))) return [];
    if (value === old?.value) return [];
    return [[name, value === "" ? null : value]];
  });
  return [...gone.map((name): [string, unknown] => [name, null]), ...changed];
}

function isStored(parameters: JsonObject): (name: string) => boolean {
  return (name) => textOf(parameters, name) !== "";
}

function textOf(parameters: JsonObject, name: string): string {
  const value: unknown = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
