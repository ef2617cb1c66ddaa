// Secrets that were typed into texts of a draft, such as an address with a password: drafts are stored, and those are not.
import { isObject, tryParseJson } from "../mindsdb/json.ts";
import { listSecrets } from "../mindsdb/redact/redactJson.ts";
import { mask } from "../mindsdb/redact/secretNames.ts";
import { redactPatterns } from "../mindsdb/redact/secretPatterns.ts";
import { keyPlaceholder } from "./usingClause.ts";

/** The draft with placeholders for secrets in its texts. A text stays as it is in `unchanged`, where the form began. */
export function omitTypedSecrets<Draft extends object>(draft: Draft, unchanged?: object): Draft {
  return omitIn(draft, unchanged) as Draft;
}

function omitIn(value: unknown, unchanged: unknown): unknown {
  if (value === unchanged) return value;
  if (typeof value === "string") return replaceSecrets(value);
  if (Array.isArray(value)) {
    const known: readonly unknown[] = Array.isArray(unchanged) ? unchanged : [];
    const items = value.map((item, at) => omitIn(item, known[at]));
    return items.every((item, at) => item === value[at]) ? (value as unknown[]) : items;
  }
  if (!isObject(value)) return value;
  const known = isObject(unchanged) ? unchanged : {};
  const fields = Object.entries(value).map(([name, item]) => {
    return [name, omitIn(item, Object.hasOwn(known, name) ? known[name] : undefined)] as const;
  });
  return fields.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(fields);
}

/** A placeholder cannot be taken for a part of an address, so a form points at it. */
function replaceSecrets(text: string): string {
  if (!holdsSecret(text)) return text;
  const known = secretsIn(text).filter(Boolean);
  // The longest first: one can be a part of another.
  const sorted = known.sort((a, b) => b.length - a.length);
  const rest = sorted.reduce((left, secret) => left.replaceAll(secret, mask), text);
  const replaced = redactPatterns(rest).replaceAll(mask, keyPlaceholder);
  // A secret can be escaped in the text in another way than it was read; then nothing of the text is kept.
  return sorted.some((secret) => replaced.includes(secret)) ? keyPlaceholder : replaced;
}

export function holdsSecret(text: string): boolean {
  return redactPatterns(text) !== text || secretsIn(text).length > 0;
}

/** The secrets in a text by themselves: the password of an address, and those in JSON. */
export function secretsIn(text: string): string[] {
  return [...passwordsIn(text), ...listSecrets(tryParseJson(text))];
}

/**
 * The password of an address, as it is written and as it is meant: up to the last `@` before a slash, and also up to the
 * last of all, because people write slashes into passwords.
 */
function passwordsIn(address: string): string[] {
  const patterns = [
    /^[a-z][a-z0-9+.-]*:\/\/[^:/?#@]*:([^/?#]+)@/i,
    /^[a-z][a-z0-9+.-]*:\/\/[^:/?#@]*:(.+)@/is,
  ];
  const found = patterns.flatMap((pattern) => pattern.exec(address)?.[1] ?? []);
  return [...new Set(found.flatMap((password) => [password, decodePassword(password)]))];
}

function decodePassword(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
