// Corrections of a statement's problems: for syntax errors, only those with which the server's parser accepts it.
import * as l10n from "@vscode/l10n";
import { keywordText, lexSql, type LexedToken } from "../../mindsdb/sql/parser/lexSql.ts";
import { parseSql, type SqlProblem } from "../../mindsdb/sql/parser/parseSql.ts";
import { parserTables } from "../../mindsdb/sql/parser/unpackTables.ts";
import { fixDialect, fixLimit } from "./dialectFixes.ts";
import { fixByNativeQuery } from "./nativeQuery.ts";
import type { Span } from "./recipe.ts";
import { applyChanges, changeFix, type SqlFix } from "./sqlMisreading.ts";
import { closestKeywords, findMisreadings } from "./sqlMisreadings.ts";

/** Longer statements, in characters, have no fixes for syntax errors: each is tried. */
const maxStatement = 20_000;
/** Fixes of one problem. */
const maxFixes = 3;
/** Words before a refused clause that may be misspelled: each is tried. */
const maxWords = 20;
/** Words of other dialects. */
const otherWords: Record<string, string> = { DESC: "DESCRIBE" };
/** Words of other dialects that mean something else than the keyword that is most like them. */
const foreignWords = new Set(["ILIKE", "RLIKE"]);

/** The fixes for the problem of a statement at a place, the most likely first. */
export function findSqlFixes(sql: string, place: Span): SqlFix[] {
  const { problem } = parseSql(sql);
  if (!problem) {
    const found = findMisreadings(sql).find(
      ({ start, end }) => start === place.start && end === place.end,
    );
    return found?.findFixes() ?? [];
  }
  if (sql.length > maxStatement) return [];
  const fixes: SqlFix[] = [];
  const isAccepted = ({ changes }: SqlFix): boolean =>
    !parseSql(applyChanges(sql, changes)).problem;
  for (const fix of suggest(sql, problem)) {
    if (!isAccepted(fix)) continue;
    // few: at most maxFixes.
    if (fixes.some(({ title }) => title === fix.title)) continue;
    if (fixes.push(fix) === maxFixes) break;
  }
  const native = problem.kind === "token" && fixByNativeQuery(sql, lexSql(sql).tokens);
  return native && isAccepted(native) ? [...fixes, native] : fixes;
}

function* suggest(sql: string, problem: SqlProblem): Generator<SqlFix> {
  const { tokens } = lexSql(sql);
  if (problem.kind === "end") {
    const last = tokens.at(-1);
    const from = tokens.findLastIndex(({ kind }) => kind === "FROM");
    if (from > 0) yield* addBrackets(tokens[from - 1]!.end);
    if (last) yield* addBrackets(last.end);
    return;
  }
  if (problem.kind === "rule") {
    if (problem.rule === "limit") yield* fixLimit(sql, tokens, problem.form.start);
    // A clause is refused where the word that begins the one before it was taken for a name, as in `SELECT a FORM t WHERE b`.
    const before = tokens.filter(({ end }) => end <= problem.form.start);
    for (const word of before.slice(-maxWords).reverse()) yield* correctWord(sql, word);
    return;
  }
  if (problem.kind === "character") {
    const quote = sql.slice(problem.start, problem.end);
    if ("'\"`".includes(quote)) yield* closeQuote(sql, problem.start, quote);
    return;
  }
  const at = tokens.findIndex(({ start }) => start === problem.start);
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (!token) return;
  yield* fixDialect(sql, tokens, at);
  const text = sql.slice(token.start, token.end);
  const other = otherWords[text.toUpperCase()];
  if (other !== undefined) yield changeFix(token, other);
  if (before) yield* fixPair(sql, before, token);
  if (token.kind === "DOUBLE_QUOTED" && !/[`\\]/.test(text)) {
    yield changeFix(token, `\`${text.slice(1, -1)}\``);
  }
  // The parser may go on after a word that is no keyword: it takes it for a name.
  for (const word of [token, before, tokens[at - 2]]) {
    if (word) yield* correctWord(sql, word);
  }
  const end = tokens.findLast(({ kind }) => kind !== ";")!.end;
  yield {
    title: l10n.t("Put in Parentheses"),
    changes: [
      { start: token.start, end: token.start, text: "(" },
      { start: end, end, text: ")" },
    ],
  };
  if (before) yield* addBrackets(before.end);
}

/** After the next word, at the end of the line, or at the end of the statement: the shortest text that can be meant first. */
function* closeQuote(sql: string, start: number, quote: string): Generator<SqlFix> {
  const rest = sql.slice(start + 1);
  const ends = [/^[\w.-]*/, /^.*/, /^[^]*/].map((pattern) => {
    return start + 1 + pattern.exec(rest)![0].trimEnd().length;
  });
  for (const end of new Set(ends)) {
    const text = sql.slice(start, end) + quote;
    const title = l10n.t("Change to {0}", text.length > 60 ? `…${text.slice(-60)}` : text);
    yield { title, changes: [{ start: end, end, text: quote }] };
  }
}

function* fixPair(sql: string, before: LexedToken, token: LexedToken): Generator<SqlFix> {
  const [first, second] = [before, token].map(({ start, end }) => sql.slice(start, end));
  if (first === ",") {
    const change = { start: before.start, end: before.end, text: "" };
    yield { title: l10n.t("Remove {0}", ","), changes: [change] };
  }
  if (first === "=" && second === "=") {
    yield changeFix({ start: before.start, end: token.end }, "=");
  }
  const isType = /^(timestamp|datetime|time)$/i.test(first!);
  if (token.kind === "SINGLE_QUOTED" && isType) {
    const cast = `CAST(${second} AS ${first!.toLowerCase()})`;
    yield changeFix({ start: before.start, end: token.end }, cast);
  }
  const isPrefix = /^[en]$/i.test(first!) && before.end === token.start;
  if (token.kind === "SINGLE_QUOTED" && isPrefix && !second!.includes("\\")) {
    yield changeFix({ start: before.start, end: token.end }, second!);
  }
}

/** The keywords that are most like a word, the closest first. */
function* correctWord(sql: string, { start, end }: LexedToken): Generator<SqlFix> {
  if (foreignWords.has(sql.slice(start, end).toUpperCase())) return;
  const keywords = parserTables().tokens.flatMap((token) => keywordText(token)?.split(" ") ?? []);
  for (const keyword of closestKeywords(sql.slice(start, end), new Set(keywords))) {
    yield changeFix({ start, end }, keyword);
  }
}

function* addBrackets(at: number): Generator<SqlFix> {
  for (const text of [")", "))"]) {
    yield { title: l10n.t("Add {0}", text), changes: [{ start: at, end: at, text }] };
  }
}
