// Reads a statement whose parameters get values before it is sent.
import { lexSql } from "./lexSql.ts";
import { parseSql, type ParsedSql } from "./parseSql.ts";

/** MindsDB has no parameters after these: the text with values has numbers there. */
const limits = new Set(["LIMIT", "OFFSET", "FETCH_FIRST"]);

/** Reads a statement with its parameters. After LIMIT and OFFSET, they are read as numbers of the same length. */
export function parseWithParameters(sql: string): ParsedSql {
  const parsed = parseSql(sql);
  if (parsed.tree || !/:[a-z]/i.test(sql)) return parsed;
  const { tokens } = lexSql(sql);
  let text = "";
  let end = 0;
  for (const [at, { kind, start }] of tokens.entries()) {
    if (kind !== "PARAMETER" || sql[start] !== ":") continue;
    // "LIMIT 5, :n"
    const before = tokens[at - 1]?.kind === "," ? at - 3 : at - 1;
    if (!limits.has(tokens[before]?.kind ?? "")) continue;
    text += sql.slice(end, start) + "1".repeat(tokens[at]!.end - start);
    ({ end } = tokens[at]!);
  }
  const filled = end > 0 ? parseSql(text + sql.slice(end)) : parsed;
  return filled.tree ? filled : parsed;
}
