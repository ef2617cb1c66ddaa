// Whether the quotes of a statement hold. MindsDB writes most statements anew before it sends them to a data source or to
// its own DuckDB. Some of what it writes loses its quotes (seen in 26.1.0 and 25.14.1: sqlalchemy_render.py).
import { isMark, isWord, unquoted, type SqlToken } from "./sqlTokens.ts";
import type { TableName } from "./tableName.ts";

/**
 * Whether no text and no quoted name can become SQL of its own:
 * - The text of an INTERVAL is written between quotes without doubling its own, and the field of EXTRACT without quotes.
 * - A backslash before a quote escapes it in some data sources, and not in others.
 * - What the server cannot render is sent as text, to PostgreSQL and DuckDB without backticks and with `\'` for a quote. So
 *   is the condition of each join of two sources. A text after an expression is its alias there, so a name.
 * - Tables that are described, also by a condition on information_schema, are named without quotes.
 */
export function keepsQuotes(
  tokens: readonly SqlToken[],
  tables: readonly TableName[],
  areTablesSure: boolean,
): boolean {
  for (const [at, token] of tokens.entries()) {
    if (hasMixedEscapes(token)) return false;
    if (isWord(token, "interval") && !isPlainInterval(tokens, at + 1)) return false;
    const isExtract = isWord(token, "extract") && isMark(tokens[at + 1], "(");
    if (isExtract && tokens[at + 2]?.kind !== "word") return false;
  }
  const areNamesPlain = tokens.every(
    (token, at) => !isQuotedName(tokens, at) || isPlainName(token),
  );
  const texts = tokens.filter(isText).map(valueOf);
  if (isWord(tokens[0], "show", "describe", "explain") || tables.some(mayListTables)) {
    return areNamesPlain && !texts.some((text) => /[';]/.test(text));
  }
  const areTextsPlain = !texts.some((text) => text.includes("'")) || texts.every(isHarmless);
  if (areNamesPlain && areTextsPlain) return true;
  return areTablesSure && isSurelyRendered(tokens, tables, areTextsPlain);
}

/** Whether a table may be one of information_schema, also after USE, whose texts name tables. */
function mayListTables({ readings, isSure }: TableName): boolean {
  return (
    !isSure ||
    readings.some((parts) =>
      /^(information_schema\.|(columns|tables|meta_\w+)$)/i.test(parts.join(".")),
    )
  );
}

function isText({ kind }: SqlToken): boolean {
  return kind === "text" || kind === "doubleQuoted";
}

/** The text in a token's quotes, with escaped quotes unescaped. */
function valueOf(token: SqlToken): string {
  return unquoted(token).replaceAll(/\\(['"])/g, "$1");
}

/** Whether a backslash may escape a quote in one data source and not in another. No name needs one. */
function hasMixedEscapes(token: SqlToken): boolean {
  if (token.kind === "name") return token.text.includes("\\");
  if (!isText(token) || !valueOf(token).includes("\\")) return false;
  // The server takes one of two backslashes at the end for the quote's.
  return (
    unquoted(token).endsWith("\\") || (token.kind === "text" ? /'/ : /['"]/).test(unquoted(token))
  );
}

/** Whether a token in quotes may be a name. After an expression, also a text in single quotes is one: its alias. */
function isQuotedName(tokens: readonly SqlToken[], at: number): boolean {
  const { kind } = tokens[at]!;
  if (kind !== "text" && kind !== "doubleQuoted") return kind === "name";
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (before?.kind !== "mark") return !isWord(before, ...wordsBeforeText);
  const marks = kind === "text" ? ")?" : ")?.,(";
  return marks.includes(before.text) || (kind === "doubleQuoted" && isMark(next, "."));
}

const wordsBeforeText = (
  "and between by case date distinct else having in interval is like limit not on or select then " +
  "when where"
).split(" ");

function isPlainName(token: SqlToken): boolean {
  const name = unquoted(token);
  return isHarmless(name) && !/['\\]/.test(name);
}

/** Whether a text could be read as SQL without doing anything: SELECT INTO makes a table, FOR UPDATE locks rows. */
function isHarmless(text: string): boolean {
  // Two searches: one for both words takes quadratic time.
  const mayLock = /\bfor\b/i.test(text) && /\bupdate\b/i.test(text);
  return !mayLock && !/["`;()]|--|\/\*|\binto\b/i.test(text);
}

/** Whether the text and the unit after INTERVAL are numbers and plain units: '1 day', '1' day, 1 day. */
function isPlainInterval(tokens: readonly SqlToken[], at: number): boolean {
  const [amount, unit] = [tokens[at], tokens[at + 1]];
  if (amount && isText(amount) && !/^([+-]?\d[\d.:]*( [a-z_]+)?( |$))+$/i.test(unquoted(amount))) {
    return false;
  }
  const hasAmount = amount !== undefined && (isText(amount) || /^\d/.test(amount.text));
  return !hasAmount || unit?.kind !== "name";
}

/**
 * Whether the server surely renders a statement: then every name is quoted and every text escaped. Conditions on what may
 * be a view do not count: the server may move them into the view's statement.
 */
function isSurelyRendered(
  tokens: readonly SqlToken[],
  tables: readonly TableName[],
  areTextsPlain: boolean,
): boolean {
  const [first, ...others] = tokens;
  const [table, second] = tables;
  if (!table || second || !isWord(first, "select")) return false;
  if (others.some((token) => token.kind === "word" && unrendered.has(token.text.toLowerCase()))) {
    return false;
  }
  const isFile = table.readings.every(([source]) => source?.toLowerCase() === "files");
  let isCondition = false;
  let dots = 0;
  return tokens.every((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (isWord(token, "where", "having")) isCondition = true;
    if (isWord(token, "group", "order", "limit")) isCondition = false;
    if (isWord(token, "in")) return isMark(next, "(");
    // Elsewhere they may contain a list.
    if (isMark(token, "(") && (before?.kind !== "word" || isWord(before, ...wordsBeforeList))) {
      return false;
    }
    // After the name of the data source, the server renders names of two parts.
    dots = isMark(token, ".") ? dots + 1 : isMark(before, ".") ? dots : 0;
    if (dots > 2) return false;
    if (token.kind === "mark") return renderedMarks.includes(token.text) && !isMark(before, ":");
    // SQL Server is sent no offset without an order, and refuses backticks.
    const isOffset = isWord(token, "offset") || (isWord(token, "limit") && at + 2 < tokens.length);
    if (isOffset && !areTextsPlain) return false;
    // The server renders no alias with dots, and splits names in double quotes at theirs.
    if (token.kind !== "name" && isQuotedName(tokens, at) && token.text.includes(".")) return false;
    if (isMark(next, ".") && !isMark(before, ".") && !startsExpression(before)) return false;
    if (isFile || !isCondition || token.kind === "word") return true;
    return isText(token) ? isHarmless(valueOf(token)) : isPlainName(token);
  });
}

const wordsBeforeList = ["select", "distinct", "by"];
const renderedMarks = ",.()=<>!+-*/%|:;";

/** Words with which the server sends some or all statements as text. */
const unrendered = new Set(
  (
    "all any asof case cast convert cross date except exists full inner intersect interval is join lateral latest " +
    "null outer over right select some table union with"
  ).split(" "),
);

/** Whether an expression or a table starts after a token, and not the alias of one. */
function startsExpression(before: SqlToken | undefined): boolean {
  if (before?.kind === "mark") return !isMark(before, ")");
  return isWord(before, "from", ...wordsBeforeText);
}
