import type { AgentFields } from "../../mindsdb/agentFields.ts";
import { quoteName } from "../../mindsdb/sql/runSql.ts";
import { formatUsing } from "../../shared/usingClause.ts";

/**
 * Returns a CREATE AGENT statement with a placeholder for the key, or `withKeys`; undefined if SQL cannot express one of
 * the values.
 */
export function createAgentStatement(
  project: string,
  fields: AgentFields,
  options?: { withKeys: boolean },
): string | undefined {
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
  const using = formatUsing(given, options);
  return using && `CREATE AGENT ${quoteName(project)}.${quoteName(name)}\n${using};\n`;
}
