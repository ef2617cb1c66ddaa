// Tokens of SQL as MindsDB's parser (mindsdb-sql-parser 0.13.8, in 25.14.1 and 26.1.0) reads it.

/** A token of SQL, other than white space and comments. */
export interface SqlToken {
  /** "name" is a name in backticks; "text" is in single quotes; double quotes may be either. */
  kind: "word" | "name" | "text" | "doubleQuoted" | "mark";
  /** As written. A mark is one character. */
  text: string;
  /** Offset in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Whether a comment precedes it: two-word keywords ("GROUP BY") allow only spaces between the words. */
  isAfterComment: boolean;
}

export interface SqlStatement {
  tokens: SqlToken[];
  /** From the first token to the last; without the semicolon. */
  start: number;
  end: number;
}

interface TokenizedSql {
  /** At semicolons outside of parentheses; empty ones are left out. */
  statements: SqlStatement[];
  /**
   * Whether the server surely reads the text like this. False where a quote, a comment or a parenthesis is not closed, and
   * for characters that the server's lexer refuses or reads in more than one way.
   */
  isSure: boolean;
}

const space = " \t\r\n";
const commentStarts = "-/#";
/** Marks of the server's operators. "$" and "@" are left out: with them, words and quotes end in surprising places. */
const marks = "()[]{},;.:?+-*/%&|^~!=<>";

/** Kinds of tokens by the quotes around them. */
const quotedKinds = new Map<string, SqlToken["kind"]>([
  ["'", "text"],
  ['"', "doubleQuoted"],
  ["`", "name"],
]);

/** The statements of a text. Never throws; takes linear time. */
export function tokenizeSql(sql: string): TokenizedSql {
  const statements: SqlStatement[] = [];
  let tokens: SqlToken[] = [];
  let isSure = true;
  let depth = 0;
  let isAfterComment = false;

  const endStatement = (): void => {
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (first && last) statements.push({ tokens, start: first.start, end: last.end });
    tokens = [];
  };
  const add = (kind: SqlToken["kind"], start: number, end: number): void => {
    tokens.push({ kind, text: sql.slice(start, end), start, end, isAfterComment });
    isAfterComment = false;
  };

  for (let at = 0; at < sql.length;) {
    const char = sql[at]!;
    if (space.includes(char)) {
      at++;
      continue;
    }
    const comment = commentStarts.includes(char) ? commentAt(sql, at) : undefined;
    if (comment) {
      isSure &&= comment.isSure;
      isAfterComment = true;
      at = comment.end;
      continue;
    }
    const start = at++;
    if (isWordCharacter(sql.charCodeAt(start))) {
      while (at < sql.length && isWordCharacter(sql.charCodeAt(at))) at++;
      add("word", start, at);
      continue;
    }
    const quoted = quotedKinds.get(char);
    if (quoted) {
      const end = char === "`" ? nameEnd(sql, start) : textEnd(sql, start);
      at = end ?? sql.length;
      isSure &&= end !== undefined;
      add(quoted, start, at);
    } else if (char === ";" && depth === 0) {
      endStatement();
    } else {
      if (char === "(") depth++;
      if (char === ")" && --depth < 0) [depth, isSure] = [0, false];
      isSure &&= isKnownMark(sql, start);
      add("mark", start, at);
    }
  }
  endStatement();
  return { statements, isSure: isSure && depth === 0 };
}

/** Whether a token may be a name or a keyword: a text in single quotes is neither. */
export function isName(token: SqlToken | undefined): token is SqlToken {
  return token !== undefined && token.kind !== "mark" && token.kind !== "text";
}

export function isWord(token: SqlToken | undefined, ...words: string[]): boolean {
  return token?.kind === "word" && words.includes(token.text.toLowerCase());
}

export function isMark(token: SqlToken | undefined, mark: string): boolean {
  return token?.kind === "mark" && token.text === mark;
}

/** The parts of the dotted name that starts at a token, without quotes; empty if none does. */
export function dottedName(tokens: readonly SqlToken[], start: number): string[] {
  const parts: string[] = [];
  for (let at = start; ; at += 2) {
    const token = tokens[at];
    if (!isName(token)) return parts;
    parts.push(unquoted(token));
    if (tokens[at + 1]?.text !== ".") return parts;
  }
}

/** A name without its quotes. */
export function unquoted({ kind, text }: SqlToken): string {
  return kind === "word" ? text : text.slice(1, -1);
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}

/**
 * System variables are known too, "@@version", and the operators "@>" and "<@", but not after another "<": "<<" is one, too.
 * Other variables may be in quotes that have rules of their own.
 */
function isKnownMark(sql: string, at: number): boolean {
  const char = sql[at]!;
  if (marks.includes(char)) return true;
  if (char === "#") return isVectorOperator(sql, at);
  if (char !== "@") return false;
  if (/(^|[^<])<$/.test(sql.slice(Math.max(0, at - 2), at))) return sql[at + 1] !== "@";
  return (
    (sql[at + 1] === ">" && sql[at - 1] !== "@") ||
    (sql[at + 1] === "@" && isWordCharacter(sql.charCodeAt(at + 2))) ||
    (sql[at - 1] === "@" && isWordCharacter(sql.charCodeAt(at + 1)))
  );
}

/** "<#>", where "#" starts no comment. */
function isVectorOperator(sql: string, at: number): boolean {
  return sql[at - 1] === "<" && sql[at + 1] === ">";
}

/** The comment that starts at a place. The servers refuse those that start with "#", so what they hide is not sure. */
function commentAt(sql: string, at: number): { end: number; isSure: boolean } | undefined {
  if (sql.startsWith("/*", at)) {
    const end = sql.indexOf("*/", at + 2);
    return end < 0 ? { end: sql.length, isSure: false } : { end: end + 2, isSure: true };
  }
  const isLine = sql.startsWith("--", at);
  if (!isLine && (sql[at] !== "#" || isVectorOperator(sql, at))) return undefined;
  // A lone \r ends no comment.
  const end = sql.indexOf("\n", at);
  return { end: end < 0 ? sql.length : end + 1, isSure: isLine };
}

/** Where a name in backticks ends, if it does. The server knows no escape in it, and no empty one. */
function nameEnd(sql: string, start: number): number | undefined {
  const end = sql.indexOf("`", start + 1);
  return end <= start + 1 ? undefined : end + 1;
}

/** Where a text in quotes ends, if it does: a backslash escapes what follows it, and two quotes are one. */
function textEnd(sql: string, start: number): number | undefined {
  const quote = sql[start];
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === "\\") at++;
    else if (sql[at] === quote && sql[at + 1] === quote) at++;
    else if (sql[at] === quote) return at + 1;
  }
  return undefined;
}
