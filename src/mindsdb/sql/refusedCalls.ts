// Calls of functions that MindsDB's parser refuses: of windows in other values, and with ORDER BY in their parentheses.
import * as l10n from "@vscode/l10n";
import { tokenizeSql, type SqlToken } from "./sqlTokens.ts";

/** Longer statements are not read. */
const maxStatement = 100_000;
const operator = /^(?:[-+*/%<>=!|]|::)/;

/** What to write instead of the call at which the parser stops; undefined where it stops for another reason. */
export function explainRefusedCall(
  sql: string,
  { start, end }: { start: number; end: number },
): string | undefined {
  const token = sql.slice(start, end);
  if (/^over$/i.test(token)) return windowText();
  const isOrder = /^order\b/i.test(token);
  if (sql.length > maxStatement || !(isOrder || operator.test(token))) return undefined;
  const tokens = tokenizeSql(sql.slice(0, start)).statements.flatMap((one) => one.tokens);
  if (isOrder) return isInCall(tokens) ? orderText() : undefined;
  return endsWithWindow(tokens) ? windowText() : undefined;
}

/** `sum(a) OVER (…)` */
function endsWithWindow(tokens: readonly SqlToken[]): boolean {
  const last = tokens.length - 1;
  if (tokens[last]?.text !== ")") return false;
  return /^over$/i.test(tokens[findOpening(tokens, last) - 1]?.text ?? "");
}

/** `string_agg(a, ','` */
function isInCall(tokens: readonly SqlToken[]): boolean {
  const opening = findOpening(tokens, tokens.length);
  const [before, after] = [tokens[opening - 1], tokens[opening + 1]];
  const isQuery = /^(select|with)$/i.test(after?.text ?? "");
  return before?.kind === "word" && !/^(over|group|in|from|as)$/i.test(before.text) && !isQuery;
}

/** The index of the parenthesis that is open there; -1 if there is none. */
function findOpening(tokens: readonly SqlToken[], before: number): number {
  let depth = 1;
  for (let at = before - 1; at >= 0; at--) {
    const { text } = tokens[at]!;
    if (text === ")") depth++;
    else if (text === "(") depth--;
    if (depth === 0) return at;
  }
  return -1;
}

function windowText(): string {
  return l10n.t(
    "MindsDB can't calculate with the result of a window function, or pass it to a function. Do that around a subquery: SELECT … FROM (SELECT …, sum(a) OVER (…) AS b FROM …) AS t.",
  );
}

function orderText(): string {
  return l10n.t(
    "MindsDB knows no ORDER BY in a call. Sort the rows in a subquery: SELECT string_agg(a, ',') FROM (SELECT … ORDER BY a) AS t.",
  );
}
