// The statement that creates a data source, to copy.
import type { StoredDataSource } from "../mindsdb/dataSourceChanges.ts";
import type { Handler } from "../mindsdb/handlers.ts";
import { isObject } from "../mindsdb/json.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";
import { quoteName } from "../mindsdb/sql/runSql.ts";
import { secretParameters } from "./connectionFields.ts";
import { holdsSecret } from "../shared/typedSecrets.ts";
import { isMask } from "./storedDraft.ts";

export interface Statement {
  sql: string;
  /** The parameters that have a placeholder instead of their value. */
  placeholders: string[];
}

/** Secrets, and values that MindsDB's parser would change, are placeholders. Throws AppError "sql" for some names. */
export function createDatabaseStatement(
  handler: Handler,
  { name, engine, parameters }: StoredDataSource,
): Statement {
  const isSecretParameter = secretParameters(handler);
  const placeholders: string[] = [];
  const lines = Object.entries(parameters).flatMap(([parameter, value]) => {
    if (value === null || value === undefined || !isPlain(parameter)) return [];
    const isSecret = isSecretParameter(parameter) && value !== "";
    const written = isSecret ? undefined : formatValue(value);
    if (written === undefined) placeholders.push(parameter);
    return [`  "${parameter}": ${written ?? `"<${parameter}>"`}`];
  });
  const head = `CREATE DATABASE ${quoteName(name)}\nWITH ENGINE = '${isPlain(engine) ? engine : "<engine>"}'`;
  const sql = lines.length === 0 ? head : `${head},\nPARAMETERS = {\n${lines.join(",\n")}\n}`;
  return { sql, placeholders };
}

/** Undefined for a secret, and for what the parser has no notation for: escapes, negative numbers and exponents. */
function formatValue(value: unknown): string | undefined {
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "number") {
    return /^\d+(?:\.\d+)?$/.test(String(value)) ? String(value) : undefined;
  }
  if (typeof value === "string") {
    return isPlain(value) && !holdsSecret(value) && !isMask(value) ? `"${value}"` : undefined;
  }
  if (Array.isArray(value)) {
    const items = value.map(formatValue);
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).map(([key, member]) => {
    const written = isPlain(key) && !isSecretKey(key) ? formatValue(member) : undefined;
    return written === undefined ? undefined : `"${key}": ${written}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(", ")}}`;
}

/** Text that the parser keeps between double quotes: it strips quotes at the ends, and has no escapes. */
function isPlain(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- a line break may stay, other control characters may not
  return !/["'\\\u0000-\u001f]/.test(text);
}
