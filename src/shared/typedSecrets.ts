// Secrets in texts of a form, such as an address with a password: forms are stored, and those are not.
import { isObject, tryParseJson } from "../mindsdb/json.ts";
import { listSecrets } from "../mindsdb/redact/redactJson.ts";
import { isSecretKey, isSecretKeyInSql, mask } from "../mindsdb/redact/secretNames.ts";
import { redactStatement } from "../mindsdb/redact/redactStatement.ts";
import { redactPatterns } from "../mindsdb/redact/secretPatterns.ts";
import { keyPlaceholder } from "./usingClause.ts";

/** The fields that are statements: in these a reader of SQL finds secrets, too. */
const statementFields = new Set(["query", "condition", "select", "statement"]);

/** The draft with placeholders for secrets in its texts. A text stays as it is in `unchanged`, where the form began. */
export function omitTypedSecrets<Draft extends object>(draft: Draft, unchanged?: object): Draft {
  return omitIn(draft, unchanged) as Draft;
}

/**
 * What a page or the extension stores on disk, with placeholders for secrets: those that texts show, and texts of fields,
 * columns and inputs with a secret's name.
 */
export function omitStoredSecrets<Stored extends object>(stored: Stored): Stored {
  return omitTypedSecrets(omitNamed(stored) as Stored);
}

function omitNamed(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(omitNamed);
    return items.every((item, at) => item === value[at]) ? (value as unknown[]) : items;
  }
  if (!isObject(value)) return value;
  // People name columns and inputs. Forms hide the fields that `isSecretKey` tells, and show one called `pass`.
  const subject = [value["column"], value["key"], value["name"]].find(isText);
  const fields = Object.entries(value).map(([name, item]) => {
    const isSecret =
      isSecretKey(name) || (name === "value" && subject !== undefined && isSecretKeyInSql(subject));
    return [name, isSecret && isOpenText(item) ? keyPlaceholder : omitNamed(item)] as const;
  });
  return fields.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(fields);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Switches are texts, too. */
function isOpenText(value: unknown): boolean {
  return isText(value) && !["", "true", "false"].includes(value);
}

interface FormTexts {
  draft: object;
  initial?: object | undefined;
  before?: object | undefined;
}

/**
 * The form as it is stored: with placeholders also for the secrets that the server has in its texts. `omitKeys` is the
 * form's own.
 */
export function omitFormSecrets<Form extends FormTexts>(
  form: Form,
  omitKeys: (draft: Form["draft"]) => Form["draft"] = omitTypedSecrets,
): Form {
  const { draft, initial, before } = form;
  return omitTypedSecrets({
    ...form,
    draft: omitKeys(draft),
    ...(initial && { initial: omitKeys(initial) }),
    ...(before && { before: omitKeys(before) }),
  });
}

/** A stored draft with the secrets that the form has now in the same places. */
export function restoreSecrets<Draft extends object>(draft: Draft, known: object): Draft {
  return restoreIn(draft, known) as Draft;
}

function restoreIn(value: unknown, known: unknown, field?: string): unknown {
  if (typeof value === "string") {
    return typeof known === "string" && value !== known && value === replaceSecrets(known, field)
      ? known
      : value;
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(known) ? known : [];
    return value.map((item, at) => restoreIn(item, items[at]));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const same = isObject(known) && Object.hasOwn(known, name) ? known[name] : undefined;
      return [name, restoreIn(item, same, name)];
    }),
  );
}

/**
 * The field of a draft in which a placeholder is in a secret's place; sent, it would replace the secret. `unchanged` is what
 * the server has, which may be written so.
 */
export function findPlaceholder(draft: object, unchanged: object = {}): string | undefined {
  const known: Record<string, unknown> = { ...unchanged };
  const found = Object.entries(draft).find(([name, value]) => holdsPlaceholder(value, known[name]));
  return found?.[0];
}

function holdsPlaceholder(value: unknown, unchanged: unknown): boolean {
  if (value === unchanged) return false;
  if (typeof value === "string") return value.includes(keyPlaceholder);
  if (typeof value !== "object" || value === null) return false;
  const known: Record<string, unknown> = isObject(unchanged) ? unchanged : {};
  return Object.entries(value).some(([name, item]) => holdsPlaceholder(item, known[name]));
}

function omitIn(value: unknown, unchanged: unknown, field?: string): unknown {
  if (value === unchanged) return value;
  if (typeof value === "string") return replaceSecrets(value, field);
  if (Array.isArray(value)) {
    const known: readonly unknown[] = Array.isArray(unchanged) ? unchanged : [];
    const items = value.map((item, at) => omitIn(item, known[at]));
    return items.every((item, at) => item === value[at]) ? (value as unknown[]) : items;
  }
  if (!isObject(value)) return value;
  const known = isObject(unchanged) ? unchanged : {};
  const fields = Object.entries(value).map(([name, item]) => {
    const same = Object.hasOwn(known, name) ? known[name] : undefined;
    return [name, omitIn(item, same, name)] as const;
  });
  return fields.every(([name, item]) => item === value[name]) ? value : Object.fromEntries(fields);
}

/** Of a text in JSON that has more, nothing is kept, and of one in which looking for them may take a second. */
const maxSecrets = 100;
const maxCompared = 300_000_000;

/** Pages store their long texts again with each key. */
const maxCleanTexts = 10;
const minCleanLength = 1_000;
const cleanTexts = { statements: new Set<string>(), others: new Set<string>() };

function replaceSecrets(text: string, field = ""): string {
  const isStatement = statementFields.has(field);
  const clean = isStatement ? cleanTexts.statements : cleanTexts.others;
  if (clean.has(text)) return text;
  const replaced = findAndReplace(text, isStatement);
  if (replaced === text && text.length >= minCleanLength) {
    clean.add(text);
    if (clean.size > maxCleanTexts) clean.delete(clean.values().next().value!);
  }
  return replaced;
}

/** A placeholder cannot be taken for a part of an address, so a form points at it. */
function findAndReplace(text: string, isStatement: boolean): string {
  // A placeholder that is there already would be taken for a secret.
  const written = text.replaceAll(keyPlaceholder, mask);
  const masked = isStatement ? redactStatement(written) : written;
  if (!holdsSecret(masked)) {
    return masked === written ? text : masked.replaceAll(mask, keyPlaceholder);
  }
  const known = secretsIn(masked).filter(Boolean);
  // Each is looked for in the whole text.
  const length = known.reduce((sum, secret) => sum + secret.length, 0);
  if (known.length > maxSecrets || length * masked.length > maxCompared) return keyPlaceholder;
  // The longest first: one can be a part of another.
  const sorted = known.sort((a, b) => b.length - a.length);
  const rest = sorted.reduce((left, secret) => left.replaceAll(secret, mask), masked);
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
