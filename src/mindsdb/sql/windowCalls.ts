// Calls of window functions, `sum(a) OVER (…)`, which MindsDB's parser takes as a whole value only.
import * as l10n from "@vscode/l10n";
import { tokenizeSql } from "./sqlTokens.ts";

/** Longer statements are not read. */
const maxStatement = 100_000;
const operator = /^(?:[-+*/%<>=!|]|::)/;

/** Whether the parser stops because of such a call: at its OVER, where it is in another call, or at what follows it. */
export function isBesideWindowCall(
  sql: string,
  { start, end }: { start: number; end: number },
): boolean {
  const token = sql.slice(start, end);
  if (/^over$/i.test(token)) return true;
  if (sql.length > maxStatement || !operator.test(token)) return false;
  const before = sql.slice(0, start).trimEnd();
  if (!before.endsWith(")")) return false;
  const tokens = tokenizeSql(before).statements.flatMap((one) => one.tokens);
  let depth = 0;
  for (let at = tokens.length - 1; at > 0; at--) {
    const { text } = tokens[at]!;
    if (text === ")") depth++;
    else if (text === "(") depth--;
    if (depth === 0) return /^over$/i.test(tokens[at - 1]!.text);
  }
  return false;
}

/** What to write instead. */
export function describeWindowCall(): string {
  return l10n.t(
    "MindsDB can't calculate with the result of a window function, or pass it to a function. Do that around a subquery: SELECT … FROM (SELECT …, sum(a) OVER (…) AS b FROM …) AS t.",
  );
}
