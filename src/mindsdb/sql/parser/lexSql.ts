// Divides SQL into the tokens of MindsDB's lexer (mindsdb-sql-parser 0.13.8), with the same refusals.
import { parserTables } from "./unpackTables.ts";

export interface LexedToken {
  /** A keyword ("GROUP_BY"), a mark ("("), or a kind of value: ID, INTEGER, SINGLE_QUOTED… */
  kind: string;
  /** Offsets in UTF-16 units. */
  start: number;
  end: number;
}

export interface LexedSql {
  tokens: LexedToken[];
  /** Where the lexer refuses a character, if it does. The tokens are those before it. */
  illegalAt: number | undefined;
  /** Where a comment or a quote starts that goes on to the end of the text. Only of a text that is read tolerantly. */
  openAt?: number;
}

// Python's \s and \w are those of Unicode, and so are its word boundaries.
const space = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+`;
const isWordCharacter = /[\p{L}\p{N}_]/u;
// Regardless of case, "ſ" is an "s" for Python, the Kelvin sign a "k", and both Turkish letters are an "i".
const letters = "a-zA-Z\u017f\u212a\u0130\u0131";
const wordRun = /[\p{L}\p{N}_]+/uy;
const nameRun = new RegExp(`[${letters}0-9_$]+`, "uy");
const quotedName = /`[^`]+`/uy;
const number = /\p{Nd}+(?:\.\p{Nd}+)?/uy;
const parameter = new RegExp(String.raw`:[${letters}][${letters}_\p{Nd}]*|\?`, "uy");
const variable = new RegExp(
  ["", "'", "`", '"']
    .map((quote) => {
      const start = String.raw`${quote}[${letters}_.$][${letters}_.$\p{Nd}]`;
      return quote === "" ? `@@?${start}+` : `@@?${start}[^${quote}]*${quote}`;
    })
    .join("|"),
  "uy",
);
const marks = new RegExp(
  [
    ...["(+)", "::", ".", ",", "(", ")", ":=", "{", "}", "[", "]", ";"],
    ...["<->", "<+>", "<#>", "<=>", "<~>", "<%>", "@>", "<@", "&&", "->>", "->"],
    ...["+", "-", "~", "!~", "/", "%", "&", "^", ">>", "<<", "=", "!=", "<>", ">=", ">", "<=", "<"],
    ...["||", "|", "*"],
  ]
    .map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join("|"),
  "uy",
);
const twoWords: Record<string, Record<string, string>> = {
  KNOWLEDGE: { BASE: "KNOWLEDGE_BASE", BASES: "KNOWLEDGE_BASES" },
  PRIMARY: { KEY: "PRIMARY_KEY" },
  NOT: { EXISTS: "NOT_EXISTS", LIKE: "NOT_LIKE", IN: "NOT_IN" },
  IS: { NOT: "IS_NOT" },
  NULLS: { FIRST: "NULLS_FIRST", LAST: "NULLS_LAST" },
  GROUP: { BY: "GROUP_BY" },
  ORDER: { BY: "ORDER_BY" },
  PARTITION: { BY: "PARTITION_BY" },
  FETCH: { FIRST: "FETCH_FIRST", NEXT: "FETCH_FIRST" },
  ROWS: { ONLY: "ROWS_ONLY" },
};
const secondWord = new RegExp(String.raw`${space}([\p{L}\p{N}_]+)`, "uy");
/** Tokens that are named like keywords, but are not written so. */
const valueKinds = new Set(
  "ID INTEGER FLOAT SINGLE_QUOTED DOUBLE_QUOTED PARAMETER VARIABLE SYSTEM_VARIABLE".split(" "),
);
const writtenWithSpace = new Set(
  Object.values(twoWords)
    .flatMap((second) => Object.values(second))
    .filter((kind) => !kind.startsWith("KNOWLEDGE")),
);
let keywords: ReadonlySet<string> | undefined;

/** A keyword's kind as it is written; undefined for marks and values. */
export function keywordText(kind: string): string | undefined {
  if (!/^[A-Z]/.test(kind) || valueKinds.has(kind)) return undefined;
  return writtenWithSpace.has(kind) ? kind.replace("_", " ") : kind;
}

/**
 * The tokens of a text. Takes linear time. `isTolerant`: of a text that is being written, up to what it leaves open, and
 * without the characters that the lexer refuses.
 */
export function lexSql(sql: string, isTolerant = false): LexedSql {
  keywords ??= new Set(
    parserTables().tokens.filter(
      (token) => keywordText(token) !== undefined && !writtenWithSpace.has(token),
    ),
  );
  const tokens: LexedToken[] = [];
  let illegalAt: number | undefined;
  let lastCommentEnd: number | undefined;
  for (let at = 0; at < sql.length;) {
    const char = sql[at]!;
    if (char === " " || char === "\t" || char === "\r" || char === "\n") {
      at++;
      continue;
    }
    if (sql.startsWith("--", at)) {
      const end = sql.indexOf("\n", at);
      if (end < 0 && isTolerant) return { tokens, illegalAt, openAt: at };
      at = end < 0 ? sql.length : end;
      continue;
    }
    // A comment that does not end is none.
    if (sql.startsWith("/*", at) && at + 2 <= (lastCommentEnd ??= sql.lastIndexOf("*/"))) {
      at = sql.indexOf("*/", at + 2) + 2;
      continue;
    }
    const token = tokenAt(sql, at, keywords);
    if (isTolerant && isOpening(sql, at, token)) return { tokens, illegalAt, openAt: at };
    if (!token) {
      illegalAt ??= at;
      if (!isTolerant) return { tokens, illegalAt };
      at++;
      continue;
    }
    tokens.push({ kind: token.kind, start: at, end: token.end });
    at = token.end;
  }
  return { tokens, illegalAt };
}

/** Whether a comment or a quote starts that does not end. */
function isOpening(sql: string, at: number, token: { kind: string } | undefined): boolean {
  if (token) return token.kind === "/" && sql[at + 1] === "*";
  return "'\"`".includes(sql[at]!) && !sql.includes(sql[at]!, at + 1);
}

function tokenAt(
  sql: string,
  at: number,
  known: ReadonlySet<string>,
): { kind: string; end: number } | undefined {
  const char = sql[at]!;
  if (char === "'" || char === '"') {
    const end = quotedEnd(sql, at);
    return end === undefined
      ? undefined
      : { kind: char === "'" ? "SINGLE_QUOTED" : "DOUBLE_QUOTED", end };
  }
  const keyword = keywordAt(sql, at, known);
  if (keyword) return keyword;
  const mark = matchAt(marks, sql, at);
  // ":" is the last of the marks, and a parameter comes before it.
  if (mark !== undefined) return { kind: mark === "<>" ? "!=" : mark, end: at + mark.length };
  const found = matchAt(parameter, sql, at);
  if (found !== undefined) return { kind: "PARAMETER", end: at + found.length };
  if (char === ":") return { kind: ":", end: at + 1 };
  const name = char === "`" ? matchAt(quotedName, sql, at) : matchAt(nameRun, sql, at);
  if (name !== undefined && /[^0-9]/.test(name)) return { kind: "ID", end: at + name.length };
  const digits = matchAt(number, sql, at);
  if (digits !== undefined) {
    return { kind: digits.includes(".") ? "FLOAT" : "INTEGER", end: at + digits.length };
  }
  const reference = char === "@" ? matchAt(variable, sql, at) : undefined;
  if (reference === undefined) return undefined;
  return {
    kind: reference.startsWith("@@") ? "SYSTEM_VARIABLE" : "VARIABLE",
    end: at + reference.length,
  };
}

function keywordAt(
  sql: string,
  at: number,
  known: ReadonlySet<string>,
): { kind: string; end: number } | undefined {
  if (!/[A-Za-z\u0080-\uffff]/.test(sql[at]!) || isAfterWord(sql, at)) return undefined;
  const run = matchAt(wordRun, sql, at);
  if (run === undefined || run.length > 20) return undefined;
  const word = foldCase(run);
  const seconds = Object.hasOwn(twoWords, word) ? twoWords[word] : undefined;
  if (seconds) {
    secondWord.lastIndex = at + run.length;
    const match = secondWord.exec(sql);
    const kind = match ? seconds[foldCase(match[1]!)] : undefined;
    if (match && kind) return { kind, end: secondWord.lastIndex };
  }
  return known.has(word) ? { kind: word, end: at + run.length } : undefined;
}

function isAfterWord(sql: string, at: number): boolean {
  if (at === 0) return false;
  const code = sql.charCodeAt(at - 1);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isWordCharacter.test(sql.slice(at - (isLowSurrogate ? 2 : 1), at));
}

function foldCase(word: string): string {
  const folded = word
    .replaceAll("\u017f", "s")
    .replaceAll("\u212a", "k")
    .replaceAll(/[\u0130\u0131]/g, "i");
  // Other letters stay as they are: the upper case of "ß" would be "SS".
  return /^\w+$/.test(folded) ? folded.toUpperCase() : word;
}

function matchAt(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

/**
 * Where a text in quotes ends. A backslash escapes the next character of its line, and two quotes are one, unless the
 * text would not end then: the server's pattern goes back to the last such place from which it does.
 */
function quotedEnd(sql: string, start: number): number | undefined {
  const quote = sql[start]!;
  let at = start + 1;
  while (at < sql.length) {
    if (sql[at] === "\\" && at + 1 < sql.length && sql[at + 1] !== "\n") at += 2;
    else if (sql[at] !== quote) at++;
    else if (sql[at + 1] === quote) at += 2;
    else return at + 1;
  }
  // From right to left: where a text ends of which the rest starts here; 0 where it does not end.
  const ends = new Int32Array(sql.length - start + 2);
  for (let from = sql.length - 1; from > start; from--) {
    const index = from - start;
    const isQuote = sql[from] === quote;
    const isPair = isQuote
      ? sql[from + 1] === quote
      : sql[from] === "\\" && from + 1 < sql.length && sql[from + 1] !== "\n";
    const afterPair = isPair ? ends[index + 2]! : 0;
    ends[index] = afterPair > 0 ? afterPair : isQuote ? from + 1 : ends[index + 1]!;
  }
  const end = ends[1]!;
  return end > 0 ? end : undefined;
}
