import type { AgentFields } from "../../mindsdb/agentFields.ts";
import { isObject } from "../../mindsdb/json.ts";
import { isSecretKey } from "../../mindsdb/redact/secretNames.ts";
import { quoteName } from "../../mindsdb/sql/runSql.ts";
import { sqlLiteral } from "../../mindsdb/sql/sqlWithValues.ts";
import { keyPlaceholder } from "../requestAsCode.ts";

/** Returns a CREATE AGENT statement with a placeholder for the key; undefined if SQL cannot express one of the values. */
export function createAgentStatement(project: string, fields: AgentFields): string | undefined {
  const { name = "", model, data, prompt_template: instruction, params = {} } = fields;
  if (`${project}${name}`.includes("`")) return undefined;
  const settings: [name: string, value: unknown][] = [
    ["model", model],
    ["data", data],
    ["prompt_template", instruction],
    ...Object.entries(params).filter(([, value]) => value !== null),
  ];
  const given = settings.filter(([, value]) => value !== undefined);
  // USING must not be empty.
  if (given.length === 0) given.push(["prompt_template", ""]);
  const lines = given.map(([key, value]) => {
    const written = /^\w+$/.test(key) ? writeValue(key, value) : undefined;
    return written === undefined ? undefined : `  ${key} = ${written}`;
  });
  if (lines.includes(undefined)) return undefined;
  return `CREATE AGENT ${quoteName(project)}.${quoteName(name)}\nUSING\n${lines.join(",\n")};\n`;
}

/** Writes a value for MindsDB's parser, which does not support JSON's escapes. */
function writeValue(name: string, value: unknown): string | undefined {
  if (isSecretKey(name) && typeof value === "string") return sqlLiteral(keyPlaceholder);
  if (typeof value === "string") return sqlLiteral(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => writeValue(name, item));
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => {
    const written = /^\w+$/.test(key) ? writeValue(key, member) : undefined;
    return written === undefined ? undefined : `"${key}": ${written}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(", ")}}`;
}
