// What every reader of a server's JSON needs. The streams use it too, and with them pages: no Node here.

export type JsonObject = Record<string, unknown>;

/** True for an object, and not for a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text as it is, anything else as JSON; nothing for null. Throws RangeError for what is nested very deeply. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
