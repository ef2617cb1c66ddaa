// JSON helpers. Also used by pages, so without Node modules.

export type JsonObject = Record<string, unknown>;

/** True for an object that is not an array or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function omitUndefined<Fields extends object>(fields: Fields): Fields {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as Fields;
}

/** Returns the value of a JSON text; undefined for any other text. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text as it is, anything else as JSON; nothing for null. Throws RangeError for what is nested very deeply. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
