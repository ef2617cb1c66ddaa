// The USING clause of a statement to copy, with placeholders for keys, or to send.
import { isObject } from "../mindsdb/json.ts";
import { isSecretKey, mask } from "../mindsdb/redact/secretNames.ts";
import { redactPatterns } from "../mindsdb/redact/secretPatterns.ts";
import { sqlLiteral } from "../mindsdb/sql/sqlWithValues.ts";

export const keyPlaceholder = "<your API key>";

/**
 * Returns the lines of a USING clause; undefined if SQL cannot express one of the values. `withKeys`: it is sent, so its
 * keys are no placeholders.
 */
export function formatUsing(
  settings: readonly [name: string, value: unknown][],
  { withKeys = false } = {},
): string | undefined {
  const lines = settings.map(([key, value]) => {
    const written = /^\w+$/.test(key) ? formatValue(key, value, withKeys) : undefined;
    return written === undefined ? undefined : `  ${key} = ${written}`;
  });
  return lines.includes(undefined) ? undefined : `USING\n${lines.join(",\n")}`;
}

/** Writes a value for MindsDB's parser, which does not support JSON's escapes. */
function formatValue(name: string, value: unknown, withKeys: boolean): string | undefined {
  const isMasked = !withKeys && isSecretKey(name);
  if (isMasked && typeof value === "string") return sqlLiteral(keyPlaceholder);
  if (typeof value === "string") {
    // Addresses can contain passwords.
    return sqlLiteral(withKeys ? value : redactPatterns(value).replaceAll(mask, keyPlaceholder));
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => formatValue(name, item, withKeys));
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const written = /^\w+$/.test(key) ? formatValue(key, member, withKeys) : undefined;
    return written === undefined ? undefined : `"${key}": ${written}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(", ")}}`;
}
