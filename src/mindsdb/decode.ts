// Tolerant decoding: invalid rows are dropped, unknown fields are kept.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { AppError } from "./errors.ts";
import type { JsonObject } from "./json.ts";
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
    const parsed = v.safeParse(row, item);
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

/** The error for an answer that is not what its endpoint promises, with the beginning of the answer. */
export function badAnswer(message: string, answer: unknown, secrets: Secrets): AppError {
  // Redacts before truncating: half a key would not be recognized.
  const detail = JSON.stringify(secrets.redactValue(answer))?.slice(0, 4_000);
  return new AppError("badAnswer", message, { detail });
}

/** One object; throws AppError "badAnswer" if it is invalid. */
export function decodeOne<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
  secrets: Secrets,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer);
  if (parsed.success) return parsed.output;
  throw badAnswer(l10n.t("The server sent an unexpected response."), answer, secrets);
}

/** A text that may be null, absent or of another type. */
export const optionalText = v.fallback(v.optional(v.string()), undefined);
/** A number that may be null, absent or of another type. */
export const optionalNumber = v.fallback(v.optional(v.number()), undefined);
/** A list of texts that may be null, absent or of another type. */
export const optionalTexts = v.fallback(v.optional(v.array(v.string())), undefined);
