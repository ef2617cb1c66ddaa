// Completes SQL at a caret from the grammar, the names in the statement, and the known names of the server.
import type { CaretPosition } from "../../mindsdb/sql/parser/caretPosition.ts";
import type { LexedSql, LexedToken } from "../../mindsdb/sql/parser/lexSql.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
import { readFunctions } from "./sqlFunctions.ts";
import { QueryColumns, type SqlNames } from "./queryColumns.ts";
import { readNamePlace } from "./namePlace.ts";
import { readName, readScope, toSqlTokens, type SqlQuery, type SqlToken } from "./sqlScope.ts";
import type { SqlSuggestion } from "./suggestion.ts";
import { listObjects, listTableNames } from "./tableNames.ts";
import { listEngines, listKeys, listUnits, optionsOf, showCategories } from "./sqlOptions.ts";

/** The parser, which is loaded when it is first needed. */
export interface SqlGrammar {
  lexSql: (sql: string, isTolerant: boolean) => LexedSql;
  readCaretPosition: (tokens: readonly LexedToken[]) => CaretPosition | undefined;
}

export interface SqlCompletion {
  /** The replaced range: the name or word at the caret, in UTF-16 units. */
  start: number;
  end: number;
  suggestions: SqlSuggestion[];
}

/** Suggestions for the caret at `offset`; undefined inside of comments, numbers, and texts that name nothing. Never throws. */
export function completeSql(
  sql: string,
  offset: number,
  grammar: SqlGrammar,
  names: SqlNames,
): SqlCompletion | undefined {
  const { from, to } = partAround(sql, offset);
  const found = completePart(sql.slice(from, to), offset - from, grammar, names);
  return found && { ...found, start: from + found.start, end: from + found.end };
}

/**
 * The statement at an offset, or the one before it, up to where the next one starts: the parser's lexer is ten times as slow
 * as what finds them.
 */
function partAround(sql: string, offset: number): { from: number; to: number } {
  // Each side by itself: at the caret, parentheses may be open.
  const before = tokenizeSql(sql.slice(0, offset)).statements.at(-1);
  const after = tokenizeSql(sql.slice(offset)).statements[1];
  return { from: before?.start ?? 0, to: after ? offset + after.start : sql.length };
}

function completePart(
  sql: string,
  offset: number,
  grammar: SqlGrammar,
  names: SqlNames,
): SqlCompletion | undefined {
  const caret = findCaret(sql, offset, grammar);
  if (!caret) return undefined;
  const { start, end, path, quote } = caret;
  const before = lastStatement(caret.before);
  const position = readPosition(before, grammar);
  if (!position) return undefined;
  const complete = (suggestions: SqlSuggestion[]): SqlCompletion => ({ start, end, suggestions });
  const tokens = toSqlTokens(sql, before);
  if (position.textAfter[0] === "{" || position.textAfter[1] === "jsonMembers") {
    return quote === "'" ? undefined : complete(listKeys(tokens, quote === '"', names));
  }
  const isQuoted = quote === "`";
  const isText = !isQuoted && quote !== undefined;
  const engines = path.length > 0 || isQuoted ? undefined : listEngines(tokens, isText, names);
  if (engines) return complete(engines);
  if (isText) return undefined;

  const place = readNamePlace(position);
  const scope = (): SqlQuery =>
    readScope([...tokens, ...tokensAfter(sql, end, grammar)], tokens.length);
  /** A native query is sent to its data source as it is. */
  const inLanguage = ({ source }: SqlQuery, found: SqlSuggestion[]): SqlSuggestion[] =>
    !isQuoted &&
    names.databases().some((one) => one.hasDoubleQuotes && isSameName(one.name, source))
      ? found.flatMap((one) => {
          const { text = one.label } = one;
          // A quotation mark in a name would end it.
          if (text.includes("`") && text.includes('"')) return [];
          return [{ ...one, text: text.replaceAll("`", '"') }];
        })
      : found;
  const inPlace = (): SqlSuggestion[] => {
    switch (place.kind) {
      case "expression": {
        const query = scope();
        const columns = inLanguage(query, new QueryColumns(names).listIn(query, path));
        const isCall = /^\s*\(/.test(sql.slice(end, end + 20));
        return path.length > 0 ? columns : [...columns, ...readFunctions(isCall)];
      }
      case "ownColumn":
        return path.length > 0 ? [] : new QueryColumns(names).listOwn(scope());
      case "table": {
        const query = scope();
        return inLanguage(query, listTableNames(names, query, path, place.isWritten));
      }
      case "database":
        return path.length > 0 ? [] : listObjects(names, "database", []);
      case "object":
        return listObjects(names, place.object, path);
      case "option":
        return path.length > 0 ? [] : optionsOf(tokens, place.statement, names);
      case "unit":
        return path.length > 0 || isQuoted ? [] : listUnits(place.isPlural);
      case "category":
        return path.length > 0 ? [] : showCategories;
      case "none":
        return [];
    }
  };
  const isLower = /^[a-z]/.test(tokens[0]?.text ?? "");
  const omitted = new Set(place.without);
  const keywords =
    path.length > 0 || isQuoted
      ? []
      : [...new Set(position.keywords)]
          .filter((keyword) => !omitted.has(keyword))
          .map((keyword): SqlSuggestion => {
            return { kind: "keyword", label: isLower ? keyword.toLowerCase() : keyword };
          });
  return complete([...(isQuoted ? inPlace().flatMap(toQuoted) : inPlace()), ...keywords]);
}

/**
 * A suggestion that replaces the backtick that is written. A text of quotes and dots stays as it is: a name in double quotes
 * may hold a backtick, which would end the one before it.
 */
function toQuoted(suggestion: SqlSuggestion): SqlSuggestion[] {
  const { kind, label, text = label } = suggestion;
  if (kind === "function") return [];
  return [{ ...suggestion, text: /^\w+$/.test(text) ? `\`${text}\`` : text }];
}

interface Caret {
  before: LexedToken[];
  /** The name at the caret begins with these parts. */
  path: string[];
  start: number;
  end: number;
  /** The quote that the name at the caret, or the text that the caret is in, begins with. */
  quote: "`" | '"' | "'" | undefined;
}

function findCaret(sql: string, offset: number, { lexSql }: SqlGrammar): Caret | undefined {
  const { tokens, openAt } = lexSql(sql.slice(0, offset), true);
  let start = offset;
  let end = offset;
  let quote: Caret["quote"];
  if (openAt !== undefined) {
    const opening = sql[openAt];
    if (opening !== "`" && opening !== '"' && opening !== "'") return undefined;
    quote = opening;
    start = openAt;
    const rest = { "`": /[\w$ -]*`/y, '"': /[\w$ -]*"/y, "'": /[\w$ -]*'/y }[quote];
    rest.lastIndex = offset;
    if (rest.test(sql)) end = rest.lastIndex;
  } else {
    const last = tokens.at(-1);
    if (last?.end === offset && !/^[^\w'"`:@?$]/.test(last.kind)) {
      const text = sql.slice(last.start, offset);
      // A number, a parameter, a text, or two words.
      if (!/^\d*[a-z_$][\w$]*$/i.test(text)) return undefined;
      start = last.start;
      tokens.pop();
      const rest = /[\w$]*/y;
      rest.lastIndex = offset;
      if (rest.test(sql)) end = rest.lastIndex;
    }
  }
  const path: string[] = [];
  while (tokens.at(-1)?.kind === ".") {
    const [name] = toSqlTokens(sql, tokens.slice(-2, -1)).map(readName);
    if (name === undefined) return undefined;
    path.push(name);
    tokens.splice(-2);
  }
  path.reverse();
  return { before: tokens, path, start, end, quote };
}

/** The position in the statement, or in the statement that is in it as a text: a native query, a view's, a job's. */
export function readPosition(
  tokens: readonly LexedToken[],
  { readCaretPosition }: SqlGrammar,
): CaretPosition | undefined {
  let inner = tokens;
  for (let depth = 0; depth < 10; depth++) {
    const position = readCaretPosition(inner);
    if (position?.innerStart === undefined) return position;
    inner = lastStatement(inner.slice(position.innerStart));
  }
  return undefined;
}

function lastStatement(tokens: readonly LexedToken[]): LexedToken[] {
  let depth = 0;
  let start = 0;
  tokens.forEach(({ kind }, index) => {
    if (kind === "(") depth++;
    else if (kind === ")") depth = Math.max(0, depth - 1);
    else if (kind === ";" && depth === 0) start = index + 1;
  });
  return tokens.slice(start);
}

/** The rest of the statement after the caret. */
function tokensAfter(sql: string, offset: number, { lexSql }: SqlGrammar): SqlToken[] {
  const rest = sql.slice(offset);
  const { tokens } = lexSql(rest, true);
  // Of several statements, the first one; parentheses that are open at the caret may close here.
  let depth = 0;
  const end = tokens.findIndex(({ kind }) => {
    if (kind === "(") depth++;
    if (kind === ")") depth--;
    return kind === ";" && depth <= 0;
  });
  return toSqlTokens(rest, end < 0 ? tokens : tokens.slice(0, end));
}
