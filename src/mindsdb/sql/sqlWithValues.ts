// Statements for copying, with the values in place of parameters.
import { tokenizeSql } from "./sqlTokens.ts";

/**
 * The statement with each `:name` replaced by its value, or undefined where SQL cannot say a value: MindsDB's parser
 * takes a backslash before a quote for an escape and drops quotes at a text's ends (see runSql).
 */
export function sqlWithValues(
  query: string,
  params: Readonly<Record<string, string | number>>,
): string | undefined {
  let text = "";
  let end = 0;
  for (const { tokens } of tokenizeSql(query).statements) {
    for (const [at, mark] of tokens.entries()) {
      const name = tokens[at + 1];
      if (mark.kind !== "mark" || mark.text !== ":" || name?.start !== mark.end) continue;
      const value = Object.hasOwn(params, name.text) ? params[name.text] : undefined;
      const literal = value === undefined ? undefined : sqlLiteral(value);
      if (literal === undefined) return undefined;
      text += query.slice(end, mark.start) + literal;
      end = name.end;
    }
  }
  return text + query.slice(end);
}

/** A number or string as SQL; undefined if SQL cannot express it. */
export function sqlLiteral(value: string | number): string | undefined {
  if (typeof value === "number") {
    const digits = String(value);
    return /^-?\d+(\.\d+)?$/.test(digits) ? digits : undefined;
  }
  const isExpressible = !/^'|['\\]$|\\['"]/.test(value);
  return isExpressible ? `'${value.replaceAll("'", "''")}'` : undefined;
}
