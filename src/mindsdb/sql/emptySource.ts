// Data sources that return no rows, which 26.1.0 reports as an error of its own.
import { isMark, isWord, tokenizeSql, type SqlToken } from "./sqlTokens.ts";

/**
 * Whether this is what 26.1.0 says after a data source has done what it was asked and has returned no rows: for a native
 * query like `SELECT * FROM duck (CREATE TABLE t (a int))`, and for some SELECTs that find nothing.
 */
export function isAboutEmptySource(message: string): boolean {
  return /^'OkResponse' object has no attribute '\w+'$/.test(message);
}

/**
 * Whether a statement has no rows if a data source returned none to it: one SELECT from one source. A UNION, a join, an
 * aggregate or a NOT IN would have rows all the same, and CREATE and INSERT would create something; the server does
 * nothing of that, but stops (26.1.0).
 */
export function isEmptyLikeItsSource(query: string): boolean {
  const { statements, isSure } = tokenizeSql(query);
  return isSure && statements.length === 1 && isEmptyLikeSource(statements[0]!.tokens, 0);
}

/** Queries in queries that are looked into: each is copied. */
const maxDepth = 20;

function isEmptyLikeSource(tokens: readonly SqlToken[], depth: number): boolean {
  if (depth > maxDepth) return false;
  const from = findAtTop(tokens, "from");
  if (!isWord(tokens[0], "select") || from < 0) return false;
  const list = tokens.slice(0, from);
  let at = from + 1;
  const isSubquery = isMark(tokens[at], "(");
  if (!isSubquery) {
    at++;
    while (isMark(tokens[at], ".")) at += 2;
  }
  const isNative = !isSubquery && isMark(tokens[at], "(");
  if (isSubquery || isNative) {
    const end = closingMark(tokens, at);
    if (isSubquery && !isEmptyLikeSource(tokens.slice(at + 1, end), depth + 1)) return false;
    at = end + 1;
  }
  if (isWord(tokens[at], "as")) at++;
  if (tokens[at] && !isWord(tokens[at], ...clauses)) at++;
  const rest = tokens.slice(at);
  if (rest[0] && !isWord(rest[0], ...clauses)) return false;
  if (findAtTop(rest, "union", "intersect", "except") >= 0) return false;
  if ([...list.slice(1), ...rest].some((token) => isWord(token, "select"))) return false;
  // The data source itself computes what is asked of a table.
  const isComputedHere = isSubquery || isNative;
  const hasCall = list.some((token, i) => isMark(token, "(") && list[i - 1]?.kind === "word");
  return !isComputedHere || !hasCall || findAtTop(rest, "group") >= 0;
}

/** Keywords that can follow a source and its alias. */
const clauses = ["where", "group", "having", "order", "limit", "offset", "using"];

/** The index of the first of these words outside of parentheses, or -1. */
function findAtTop(tokens: readonly SqlToken[], ...words: string[]): number {
  let depth = 0;
  return tokens.findIndex((token) => {
    if (isMark(token, "(")) depth++;
    else if (isMark(token, ")")) depth--;
    return depth === 0 && isWord(token, ...words);
  });
}

/** The index of the parenthesis that closes the one at `start`; the tokens' length if none does. */
function closingMark(tokens: readonly SqlToken[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (isMark(tokens[at], "(")) depth++;
    else if (isMark(tokens[at], ")") && --depth === 0) return at;
  }
  return tokens.length;
}
