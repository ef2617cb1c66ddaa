// Finds and masks secrets in JSON values.
import { isObject, tryParseJson, type JsonObject } from "../json.ts";
import { isSecretKey, mask } from "./secretNames.ts";
import { withheldText } from "./withheldText.ts";

/** Values nested deeper than this are not read. */
const maxDepth = 100;

/** The value of an `Authorization` header, in which the word before the secret is none. */
const headerValue = /^\s*(?:basic|bearer|token|api-?key|key)\s+(\S{8,})\s*$/i;

/** JSON in the texts of one answer: their number, since each that is none takes an error, and their characters. */
const maxJsonTexts = 20_000;
const maxJson = 2_000_000;

/** The values of secret fields anywhere in a JSON value, also in JSON that is a text in it. */
export function listSecrets(answer: unknown): string[] {
  const found: string[] = [];
  let texts = 0;
  let characters = 0;
  const mayParse = (text: string): boolean => {
    if (texts >= maxJsonTexts || characters + text.length > maxJson) return false;
    texts++;
    characters += text.length;
    return true;
  };
  const search = (value: unknown, isSecret: boolean, depth: number): void => {
    if (depth > maxDepth) return;
    if (typeof value === "string") {
      if (isSecret) found.push(value, ...(headerValue.exec(value)?.slice(1) ?? []));
      if (/^\s*[{[]/.test(value) && mayParse(value)) {
        search(tryParseJson(value), isSecret, depth + 1);
      }
    } else if (typeof value === "number") {
      if (isSecret && Number.isSafeInteger(value)) found.push(String(value));
    } else if (Array.isArray(value)) {
      for (const item of value) search(item, isSecret, depth + 1);
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        search(item, isSecretField(value, name), depth + 1);
      }
    }
  };
  search(answer, false, 0);
  return found;
}

/** A copy of a JSON value with redacted strings and names; `fields` says how secret fields are treated. */
export function copyRedacted(
  value: unknown,
  redact: (text: string) => string,
  fields: "mask" | "omit" | "keep",
): unknown {
  const copy = (item: unknown, isSecret: boolean, depth: number): unknown => {
    if (typeof item === "string") return isSecret && item !== "" ? mask : redact(item);
    // Booleans say whether a secret exists, and fractions below 1 are column importances.
    if (typeof item === "number") return isSecret && Math.abs(item) >= 1 ? mask : item;
    if (typeof item !== "object" || item === null) return item;
    if (depth > maxDepth) return withheldText;
    if (Array.isArray(item)) return item.map((one) => copy(one, isSecret, depth + 1));
    let renamed = 0;
    return Object.fromEntries(
      Object.entries(item).flatMap(([name, field]) => {
        const isNamed = fields !== "keep" && isSecretField(item as JsonObject, name);
        const isSecretHere = isSecret || isNamed;
        if (
          fields === "omit" &&
          (isSecretHere ||
            redact(name) !== name ||
            (typeof field === "string" && redact(field) !== field))
        ) {
          return [];
        }
        const shown = redact(name);
        // Several names can become the same one.
        const unique = shown === name || ++renamed === 1 ? shown : `${shown} (${String(renamed)})`;
        return [[unique, copy(field, isSecretHere, depth + 1)]];
      }),
    );
  };
  return copy(value, false, 0);
}

/** Language model engines list their arguments, including keys, as rows `{key, value}` (seen on 26.1.0 and 25.14.1). */
function isSecretField(object: JsonObject, name: string): boolean {
  if (name !== "value") return isSecretKey(name);
  const { key } = object;
  return typeof key === "string" && isSecretKey(key);
}
