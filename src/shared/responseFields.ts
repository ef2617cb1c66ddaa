// Reads the fields of a server's object for display.
import { isObject, type JsonObject } from "../mindsdb/json.ts";

/** One field of a response; value and type are absent if the server does not send it. */
export interface ResponseField {
  /** Its name in the response; `params.x` for one inside `params`. */
  name: string;
  /** Strings unchanged, other values as JSON. */
  value?: string;
  /** `string`, `number`, `null`, `boolean`, `object` or `list`. */
  type?: string;
}

export function readResponseField(row: JsonObject, name: string): ResponseField {
  const value = responseValue(row, name);
  if (value === undefined) return { name };
  return { name, value: formatValue(value), type: detectType(value) };
}

/** The value of a field; undefined if the server does not send it. */
export function responseValue(row: JsonObject, name: string): unknown {
  const inside = /^params\.(.*)$/.exec(name)?.[1];
  if (inside === undefined) return row[name];
  return isObject(row["params"]) ? row["params"][inside] : undefined;
}

/** True for an empty value: absent, null, or an empty string, list or object. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Returns the strings of a list; an empty list for other values. */
export function textsIn(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is string => typeof item === "string");
}

function formatValue(value: unknown): string {
  if (typeof value === "string") return value;
  const isOneLine = !isObject(value) || Object.keys(value).length === 0;
  return JSON.stringify(value, null, isOneLine ? 0 : 2);
}

function detectType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
