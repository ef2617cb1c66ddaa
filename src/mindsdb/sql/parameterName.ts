import { tokenizeSql } from "./sqlTokens.ts";

/**
 * The name of the first parameter, `:name`, in statements that the server keeps and runs later, when nothing gives it a
 * value; undefined if there is none. A cast (`::int`) and a value of a JSON key are none.
 */
export function findParameterName(sql: string): string | undefined {
  for (const { tokens } of tokenizeSql(sql).statements) {
    for (const [at, { kind, start, end }] of tokens.entries()) {
      if (kind !== "word" || tokens[at - 1]?.text !== ":" || tokens[at - 1]?.end !== start) {
        continue;
      }
      const before = tokens[at - 2];
      const isOther =
        before?.text === ":" || before?.kind === "text" || before?.kind === "doubleQuoted";
      if (!isOther) return sql.slice(start, end);
    }
  }
  return undefined;
}
