import { tokenizeSql } from "./sqlTokens.ts";

/** The one SELECT of a text, without semicolons and comments around it; undefined if it is something else. */
export function singleSelect(text: string): string | undefined {
  const { statements, isSure } = tokenizeSql(text);
  const [statement, ...others] = statements;
  const verb = statement?.tokens[0]?.text.toLowerCase() ?? "";
  if (!statement || others.length > 0 || !isSure || !["select", "with"].includes(verb)) {
    return undefined;
  }
  return text.slice(statement.start, statement.end);
}
