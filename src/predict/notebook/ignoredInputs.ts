// Finds inputs that `SELECT … FROM model WHERE input = value` ignores: servers pass a name that is not plain on in
// backticks, and no engine knows such a column (seen on 26.1.0; the code of 25.14.1 is the same).
import { dottedName, isName, type SqlToken } from "../../mindsdb/sql/sqlTokens.ts";
import type { Span } from "./recipe.ts";

interface IgnoredInputs {
  /** As the model has them. */
  names: string[];
  /** The first name in the text. */
  span: Span;
  /** All conditions as a row in JSON; absent if one of the values cannot be taken over. */
  row?: string;
}

/** Words that servers write in backticks. */
const quotedWords = new Set(
  (
    "values describe then write with insert drop cross set asc is in not into window alter where distinct use inner " +
    "collate for using full like join select over case limit end union delete having outer from as character intersect " +
    "convert when or and update between desc explain show except left else read right"
  ).split(" "),
);

/** Reads the conditions after WHERE, joined by AND; undefined if none of their names is ignored. */
export function findIgnoredInputs(
  sql: string,
  tokens: readonly SqlToken[],
  alias: string,
): IgnoredInputs | undefined {
  const names: string[] = [];
  const values: [name: string, json: string | undefined][] = [];
  let span: Span | undefined;
  let at = 0;
  while (isName(tokens[at])) {
    const parts = dottedName(tokens, at);
    const from = at;
    at += 2 * parts.length - 1;
    const end = tokens[at - 1]!.end;
    if (tokens[at]?.text !== "=") break;
    if (parts.length > 1 && parts[0] === alias) parts.shift();
    const first = tokens[++at];
    while (tokens[at] && !endsValue(tokens[at]!)) at++;
    const last = tokens[at - 1];
    if (!first || !last) break;
    const name = parts.join(".");
    values.push([name, readValue(sql, first, last)]);
    // few: a name has two parts at most.
    if (parts.some((part) => !isPlain(part))) {
      names.push(name);
      span ??= { start: tokens[from]!.start, end };
    }
    if (wordOf(tokens[at]) !== "and") break;
    at++;
  }
  if (!span) return undefined;
  const isWhole = at >= tokens.length && values.every(([, json]) => json !== undefined);
  if (!isWhole) return { names, span };
  const row = values.map(([name, json]) => `${JSON.stringify(name)}: ${json}`).join(", ");
  return { names, span, row: `{ ${row} }` };
}

function isPlain(part: string): boolean {
  return /^[a-z_]\w*$/i.test(part) && !quotedWords.has(part.toLowerCase());
}

function endsValue(token: SqlToken): boolean {
  return ["and", "or", "using", "limit", "order", "group"].includes(wordOf(token) ?? "");
}

/** A number or a text without escapes, as JSON. */
function readValue(sql: string, first: SqlToken, last: SqlToken): string | undefined {
  const written = sql.slice(first.start, last.end);
  if (first.kind === "text" || first.kind === "doubleQuoted") {
    const text = written.slice(1, -1);
    return first === last && !/['"\\]/.test(text) ? JSON.stringify(text) : undefined;
  }
  return /^(-?(0|[1-9]\d*)(\.\d+)?|null|true|false)$/i.test(written)
    ? written.toLowerCase()
    : undefined;
}

function wordOf(token: SqlToken | undefined): string | undefined {
  return token?.kind === "word" ? token.text.toLowerCase() : undefined;
}
