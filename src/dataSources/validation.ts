// Checks the draft of a data source or ML engine before it is sent. What servers do with mistakes was seen on 26.1.0 and 25.14.1.
import * as l10n from "@vscode/l10n";
import type { Database } from "../mindsdb/dataSources.ts";
import type { Handler, HandlerKind } from "../mindsdb/handlers.ts";
import { isObject, tryParseJson } from "../mindsdb/json.ts";
import { isSameName } from "../mindsdb/nameOrder.ts";
import { isParameterValue } from "../mindsdb/trainingOptions.ts";
import { toPlainName } from "../mindsdb/sql/plainName.ts";
import type { Problem } from "../shared/formPage.ts";
import { isSecretRow, type ConnectionField } from "./connectionFields.ts";
import {
  fieldOf,
  keyOfRow,
  readRowValue,
  readValue,
  shownFields,
  type DataSourceDraft,
  type FreeRow,
  type Keys,
} from "./dataSourceDraft.ts";
import { isMask, type StoredDraft } from "./storedDraft.ts";

/** Paths of these would be read as other requests. */
const reservedNames = ["status"];

/** Databases as servers call their kinds, and ML engines, which share the names of data sources. */
export interface Taken {
  name: string;
  kind: Database["kind"] | "mlEngine";
}

export interface Known {
  handler: Handler;
  /** Null if it could not be read. */
  taken: readonly Taken[] | null;
}

interface Typed {
  keys: Keys;
  /** Secrets that were typed before the page was hidden. */
  hadKeys: Readonly<Record<string, boolean>>;
  /** The data source before its change; absent for a new one. */
  before?: StoredDraft | undefined;
}

/** Converts a name to one that SQL finds without quotes. */
export function toPlainSourceName(name: string, kind: HandlerKind): string {
  return toPlainName(name, kind === "ml" ? "engine" : "source");
}

/** Returns all problems of a draft, in the form's order. */
export function validateDraft(draft: DataSourceDraft, known: Known, typed: Typed): Problem[] {
  return [
    // A data source keeps its name.
    ...(typed.before ? [] : checkName(draft.name, known)),
    ...shownFields(known.handler, draft).flatMap((field) => checkField(field, draft, typed)),
    ...checkRows(draft, typed),
    ...(known.handler.kind === "ml" ? checkExpressible(known.handler, draft, typed.keys) : []),
  ];
}

/** SQL would find one of two databases that differ in case, and none whose name is empty or has a slash. */
function checkName(name: string, known: Known): Problem[] {
  if (name === "") {
    const missing =
      known.handler.kind === "ml"
        ? l10n.t("Enter a name.")
        : l10n.t("Give the data source a name.");
    return [{ field: "name", text: missing, isMissing: true }];
  }
  const text = findNameProblem(name, known);
  return text === undefined ? [] : [{ field: "name", text }];
}

function findNameProblem(name: string, { handler: { kind }, taken }: Known): string | undefined {
  const plain = toPlainSourceName(name, kind);
  if (plain === "") {
    return l10n.t("Use lowercase letters, digits, and underscores, with at least one letter.");
  }
  if (plain !== name) {
    return kind === "ml"
      ? l10n.t("SQL can't find an ML engine by this name. Try {0}.", plain)
      : l10n.t("SQL can't find a data source by this name. Try {0}.", plain);
  }
  const other = taken?.find((one) => isSameName(one.name, name));
  if (other?.kind === "project") {
    return l10n.t("The server has a project named {0}. Choose another name.", other.name);
  }
  if (other || reservedNames.includes(name)) {
    return l10n.t(
      "The name {0} is already used on this server. Choose another name.",
      other?.name ?? name,
    );
  }
  return undefined;
}

function checkField(field: ConnectionField, draft: DataSourceDraft, typed: Typed): Problem[] {
  const { label, control, isRequired } = field;
  const name = fieldOf(field.name);
  const value = readValue(field, draft, typed.keys);
  if (value === "") {
    const isNeeded = isRequired && typed.before?.storedKeys[name] !== true;
    if (field.isSecret && typed.hadKeys[name] === true) return [secretGone(name, isNeeded)];
    if (!isNeeded) return [];
    return [{ field: name, text: l10n.t("{0} is missing.", label), isMissing: true }];
  }
  if (field.isSecret && isMask(value)) return [maskTyped(name)];
  if (control === "number" && !/^\d{1,9}$/.test(value)) {
    return [{ field: name, text: l10n.t("Enter a whole number.") }];
  }
  if (control === "number" && /(?:^|_)port$/i.test(field.name) && !isPort(Number(value))) {
    return [{ field: name, text: l10n.t("Enter a port from 1 to 65535.") }];
  }
  if (control === "json" && !isObject(tryParseJson(value))) {
    return [{ field: name, text: l10n.t('Enter a JSON object, like {"name": "value"}.') }];
  }
  return [];
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

/** Problems of values that are sent by SQL, whose parser would change their quotes or backslashes. */
function checkExpressible(handler: Handler, draft: DataSourceDraft, keys: Keys): Problem[] {
  const wrong = (value: unknown): boolean => value !== "" && !isParameterValue(value);
  const text = l10n.t(
    "MindsDB's SQL can't express this value because of a quote at its start or end, or a backslash before a quote.",
  );
  return [
    ...shownFields(handler, draft)
      .filter((field) => wrong(readValue(field, draft, keys)))
      .map(({ name }) => ({ field: fieldOf(name), text })),
    ...(draft.rows.some((row) => wrong(readRowValue(row, keys))) ? [{ field: "rows", text }] : []),
  ];
}

function checkRows({ rows }: DataSourceDraft, typed: Typed): Problem[] {
  const names = rows.map(({ name }) => name.trim()).filter((name) => name !== "");
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  const isNameless = rows.some((row) => row.name.trim() === "" && row.value.trim() !== "");
  const gone = rows.find(
    (row) =>
      isSecretRow(row.name) &&
      typed.hadKeys[keyOfRow(row)] === true &&
      readRowValue(row, typed.keys) === "",
  );
  const formerNames = new Map(typed.before?.draft.rows.map(({ id, name }) => [id, name]));
  return [
    ...(repeated === undefined
      ? []
      : [{ field: "rows", text: l10n.t("{0} appears twice.", repeated) }]),
    ...(isNameless ? [{ field: "rows", text: l10n.t("Give each value a name.") }] : []),
    ...(gone === undefined ? [] : [secretGone("rows", false)]),
    ...rows
      .filter((row) => isRenamedSecret(row, typed, formerNames))
      .map(({ name }) => secretRenamed(name)),
    ...(rows.some((row) => isMask(readRowValue(row, typed.keys))) ? [maskTyped("rows")] : []),
  ];
}

/** The form does not have the value that the server stores under the old name. */
function isRenamedSecret(
  row: FreeRow,
  { before, keys }: Typed,
  formerNames: ReadonlyMap<string, string>,
): boolean {
  if (before?.storedKeys[keyOfRow(row)] !== true || readRowValue(row, keys) !== "") return false;
  return formerNames.get(row.id) !== row.name.trim();
}

function secretRenamed(name: string): Problem {
  return {
    field: "rows",
    text: l10n.t("Enter the value of {0} again, because it was renamed.", name),
  };
}

/** Servers store it in place of the secret. */
function maskTyped(field: string): Problem {
  return { field, text: l10n.t("This is a mask. Enter the value itself, or leave it empty.") };
}

function secretGone(field: string, isNeeded: boolean): Problem {
  const text = l10n.t("Your entry was not stored while this page was hidden. Enter it again.");
  return { field, text, isWarning: !isNeeded, isEarly: true };
}
