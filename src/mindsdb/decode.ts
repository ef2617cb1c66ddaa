// Tolerant decoding: invalid rows are dropped, unknown fields are kept.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { cutOff } from "./cutText.ts";
import { AppError } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Secrets } from "./redact/redact.ts";

/**
 * The valid rows of a list; throws AppError "badAnswer" if the answer is not a list, or if no row is valid.
 * `secrets` are masked in its detail.
 */
export function decodeList<Schema extends v.GenericSchema>(
  row: Schema,
  answer: unknown,
  secrets: Secrets,
): v.InferOutput<Schema>[] {
  const read = (item: JsonObject): v.InferOutput<Schema> | undefined => {
    // As in `decodeOne`.
    const parsed = v.safeParse(row, item, { abortEarly: true });
    return parsed.success ? parsed.output : undefined;
  };
  return decodeRows(answer, read, secrets);
}

/** Like `decodeList`, with a function that returns undefined for an invalid row. */
export function decodeRows<T>(
  answer: unknown,
  read: (row: JsonObject) => T | undefined,
  secrets: Secrets,
): T[] {
  if (!Array.isArray(answer)) {
    throw badAnswer(l10n.t("The server sent an unexpected response."), answer, secrets);
  }
  const rows: T[] = [];
  for (const item of answer) {
    const row = typeof item === "object" && item !== null ? read(item as JsonObject) : undefined;
    if (row !== undefined) rows.push(row);
  }
  if (rows.length === 0 && answer.length > 0) {
    throw badAnswer(l10n.t("The server sent an unexpected response."), answer[0], secrets);
  }
  return rows;
}

export function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function readNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Characters of an answer in the detail of an error. */
const maxDetail = 4_000;
/** Characters of an answer that are searched for secrets: more, since a field's name may stand after its value. */
const maxRedacted = 16 * maxDetail;
const maxDetailDepth = 100;

/** The error for an answer that is not what its endpoint promises, with the beginning of the answer. */
export function badAnswer(message: string, answer: unknown, secrets: Secrets): AppError {
  const redacted = secrets.redactValue(takeBeginning(answer, { left: maxRedacted }));
  const detail = JSON.stringify(redacted)?.slice(0, maxDetail);
  return new AppError("badAnswer", message, { detail });
}

/** The first parts of a JSON value: an answer of many megabytes takes half a minute to redact. */
function takeBeginning(value: unknown, budget: { left: number }, depth = 0): unknown {
  if (typeof value === "string") {
    const text = cutOff(value, maxDetail);
    budget.left -= text.length;
    return text;
  }
  budget.left--;
  if (depth > maxDetailDepth) return "…";
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      if (budget.left <= 0) break;
      items.push(takeBeginning(item, budget, depth + 1));
    }
    return items;
  }
  if (!isObject(value)) return value;
  const fields: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (budget.left <= 0) break;
    const shownName = cutOff(name, maxDetail);
    budget.left -= shownName.length;
    fields.push([shownName, takeBeginning(value[name], budget, depth + 1)]);
  }
  return Object.fromEntries(fields);
}

/** One object; throws AppError "badAnswer" if it is invalid. */
export function decodeOne<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
  secrets: Secrets,
): v.InferOutput<Schema> {
  // Without this, each of a million invalid rows is an issue of its own.
  const parsed = v.safeParse(schema, answer, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw badAnswer(l10n.t("The server sent an unexpected response."), answer, secrets);
}

/** No database has longer names. In characters. */
export const maxItemName = 1_024;
/** The name of an item of a list. Longer ones are left out: thousands of tables repeat that of their schema in their ids. */
export const itemName = v.pipe(v.string(), v.maxLength(maxItemName));
/** A text that may be null, absent or of another type. */
export const optionalText = v.fallback(v.optional(v.string()), undefined);
/** A number that may be null, absent or of another type. */
export const optionalNumber = v.fallback(v.optional(v.number()), undefined);
/** A list of texts that may be null, absent or of another type. */
export const optionalTexts = v.fallback(v.optional(v.array(v.string())), undefined);
