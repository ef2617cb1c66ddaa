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

const quote = 0x22;
const backslash = 0x5c;
/** Characters before each value of a list or object: a comma or an opening bracket. */
const separators = new Uint8Array(128);
for (const character of ",[{") separators[character.charCodeAt(0)] = 1;

/**
 * True if a JSON text holds more than so many values, empty lists and objects included; counted before anything is made
 * of them. Of a text that is no JSON it says something similar.
 */
export function hasMoreValues(text: string, max: number): boolean {
  // Each value has at least one character.
  if (text.length <= max) return false;
  let count = 1;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === quote) {
      do {
        if (code === backslash) at++;
        code = text.charCodeAt(++at);
      } while (code !== quote && at < text.length);
    } else if (separators[code] === 1 && ++count > max) {
      return true;
    }
  }
  return false;
}

/** Text as it is, anything else as JSON; nothing for null. Throws RangeError for what is nested very deeply. */
export function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}
