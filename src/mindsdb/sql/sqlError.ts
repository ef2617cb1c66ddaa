// Errors of SQL statements: the message without the repeated statement, and the marked position.
// Read from what mindsdb-sql-parser 0.13.8 (in 25.14.1 and 26.1.0) and DuckDB write.
import * as l10n from "@vscode/l10n";
import { cutOff } from "../cutText.ts";
import { AppError } from "../errors.ts";
import { redactStatement } from "../redact/redactStatement.ts";
import type { Secrets } from "../redact/redact.ts";
import { tokenizeSql } from "./sqlTokens.ts";
import { findWayAround, type Failure } from "./waysAround.ts";

/** A part of a statement, in UTF-16 units. */
interface SqlErrorPlace {
  start: number;
  end: number;
}

/** AppError "sql" with its position in the statement, if the server gives one. */
export class SqlStatementError extends AppError {
  readonly place: SqlErrorPlace | undefined;

  constructor(message: string, more: { detail: string; place: SqlErrorPlace | undefined }) {
    super("sql", message, { detail: more.detail });
    this.place = more.place;
  }
}

/** Longer statements are not searched for the position. */
const maxStatement = 100_000;
/** Characters of an answer that are read, beside the statement's lines in it: of the message so many are never shown. */
const maxAnswer = 200_000;
/** Longer lines of a statement are cut around the place, in characters: a message has room for three of them. */
const maxLine = 160;
/** Characters before the position that must match the statement. */
const maxContext = 200;

/**
 * The part of a parser's message that shows the place: lines of the statement that start with `>`, then as many dashes
 * as there are characters before the place (and one for the `>`), then carets.
 */
interface CaretBlock {
  /** The message before the block, up to the line end, and after it, from the line end. */
  head: string;
  tail: string;
  /** The statement's lines; one of them has line ends where a text in quotes does. */
  lines: string[];
  /** Where the carets are in the last line, in code points. */
  column: number;
  length: number;
  /** Whether the lexer refused a character; its lines are the statement's, the parser's are put together of tokens. */
  isLexer: boolean;
}

/** The error for the server's message about a statement, without secrets that the statement contains. */
export function sqlStatementError(
  statement: string,
  answer: string,
  secrets: Secrets,
): SqlStatementError {
  const repeated = `The SQL statement cannot be parsed - ${statement}: `;
  const whole = answer.startsWith(repeated) ? answer.slice(repeated.length) : answer;
  // It has lines of the statement, and as many dashes.
  const message = cutOff(whole, maxAnswer + 4 * Math.min(statement.length, maxStatement));
  const block = readCaretBlock(message);
  const find = (): SqlErrorPlace | undefined =>
    block ? findMarked(statement, block) : findNamed(statement, message);
  const place = statement.length > maxStatement ? undefined : find();
  const shown = block
    ? formatCaretBlock(block, secrets)
    : withoutCandidates(withoutCursorLine(unwrapSourceError(message)));
  const detail = cutOff(answer, maxAnswer);
  const explained = explainFailure({ message: shown, answer: detail, statement, place });
  return new SqlStatementError(secrets.redact(explained), {
    detail: secrets.redact(block ? redactLines(detail) : detail),
    place,
  });
}

/** With the way around a failure of 26.1.0 whose message does not tell it; `answer` also has the statement that a source got. */
function explainFailure(failure: Failure): string {
  const way = findWayAround(failure);
  return way === undefined ? failure.message : `${failure.message}\n${way}`;
}

/** The error for a statement that needed rows of a data source, which returned none; `answer` is the server's message. */
export function emptySourceError(answer: string): SqlStatementError {
  const message = l10n.t(
    "A data source returned no rows, and this server can't run the rest of the statement without them: nothing was read, created, or inserted. The data source did run its part of the statement.",
  );
  return new SqlStatementError(message, { detail: answer, place: undefined });
}

/**
 * The data source's own error, without the server's report around it, which adds the query derived from the user's
 * (25.14.1 and 26.1.0).
 */
function unwrapSourceError(message: string): string {
  const [title, head, foot] = ["An error occurred while ", "\nError:\n", "\n\nFailed Query:\n"];
  const from = message.indexOf(title);
  const start = message.indexOf(head, from);
  const end = message.lastIndexOf(foot);
  if (from < 0 || start < 0 || end < start) return message;
  const error = message.slice(start + head.length, end).replace(/^ {4}/gm, "");
  return message.slice(0, from) + error.trim();
}

/**
 * Without the line that shows the beginning of the statement that 26.1.0 sends to PostgreSQL, `DECLARE "mindsdb_…" CURSOR
 * FOR SELECT …`, and the caret below it.
 */
function withoutCursorLine(message: string): string {
  const lines = message.split("\n");
  // PostgreSQL cuts the beginning of a line whose caret is far from it.
  const at = lines.findIndex((line) => /^LINE 1: (?:.* CURSOR|\.\.\.[CURSO]*) FOR /.test(line));
  if (at < 0) return message;
  lines.splice(at, /^ *\^ *$/.test(lines[at + 1] ?? "") ? 2 : 1);
  return lines.join("\n").trimEnd();
}

/** Without DuckDB's list of all functions of a name or operator, of which none fits: up to 50 lines. */
function withoutCandidates(message: string): string {
  return message.replace(/\n\tCandidate functions:(?:\n\t[^\n]*)*/, "");
}

function readCaretBlock(message: string): CaretBlock | undefined {
  const header = /(?:Syntax error, [a-z ]{1,40}|Illegal character [^\n]{1,20}):(?=\n[>-])/.exec(
    message,
  );
  if (!header) return undefined;
  const bodyStart = header.index + header[0].length;
  const marks = /\n(-+)(\^+)(?=\n|$)/.exec(message.slice(bodyStart));
  if (!marks) return undefined;
  const [, dashes = "", carets = ""] = marks;
  const marksStart = bodyStart + marks.index;
  const body = message.slice(bodyStart, marksStart);
  return {
    head: message.slice(0, bodyStart),
    tail: message.slice(marksStart + marks[0].length),
    lines: body === "" ? [] : body.slice(2).split("\n>"),
    column: dashes.length - 1,
    length: carets.length,
    isLexer: header[0].startsWith("Illegal"),
  };
}

/** The message with its position visible even in a long line. */
function formatCaretBlock(block: CaretBlock, secrets: Secrets): string {
  const { head, tail, lines, length } = block;
  let { column } = block;
  const last = lines.at(-1) ?? "";
  const redact = (line: string): string => secrets.redact(redactLines(line));
  const shown = lines.slice(0, -1).map((line) => cutLine(redact(line), 0).text);
  const redacted = redact(last);
  const isMoved = redacted !== last;
  const points = Array.from(last);
  const fromPlace = points.slice(column).join("");
  if (isMoved && !redacted.endsWith(fromPlace)) {
    // The position is inside redacted text, or after it at an unknown offset.
    return (
      [head, ...[...shown, cutLine(redacted, 0).text].map((line) => `>${line}`)].join("\n") + tail
    );
  }
  if (isMoved) column = Array.from(redacted).length - (points.length - column);
  const cut = cutLine(redacted, column);
  const marks = `${"-".repeat(cut.column + 1)}${"^".repeat(Math.min(length, maxLine))}`;
  const texts = lines.length === 0 ? [] : [...shown, cut.text];
  return [head, ...texts.map((line) => `>${line}`), marks].join("\n") + tail;
}

/** Without secrets, which a statement that cannot be parsed has in unusual places, and quotes that never end. */
function redactLines(text: string): string {
  return redactStatement(text.split("\n").map(redactStatement).join("\n"));
}

/** Truncates a line around a column; `column` is its new position. */
function cutLine(line: string, column: number): { text: string; column: number } {
  const points = Array.from(line);
  if (points.length <= maxLine) return { text: line, column };
  const from = Math.max(0, Math.min(column - maxLine / 2, points.length - maxLine));
  const text = points.slice(from, from + maxLine).join("");
  const [before, after] = [from > 0 ? "…" : "", from + maxLine < points.length ? "…" : ""];
  return { text: before + text + after, column: column - from + before.length };
}

function findMarked(statement: string, block: CaretBlock): SqlErrorPlace | undefined {
  const points = Array.from(statement);
  const at = block.isLexer ? findCharacter(statement, block) : findToken(points, block);
  if (at === undefined) return undefined;
  const start = points.slice(0, at).join("").length;
  const end = start + points.slice(at, at + block.length).join("").length;
  if (start < statement.trimEnd().length) return { start, end };
  // The statement ends too soon: marks its last token.
  return tokenizeSql(statement).statements.at(-1)?.tokens.at(-1);
}

/** Where a character is that the lexer refuses: it shows the character's line, and the one before it. */
function findCharacter(statement: string, { lines, column }: CaretBlock): number | undefined {
  const all = statement.split("\n");
  // Of a first line that is not the only one, it shows nothing.
  const isShown = (_: string, at: number): boolean =>
    lines.length === 0
      ? at === 0
      : all[at] === lines.at(-1) && (lines.length === 1 || all[at - 1] === lines.at(-2));
  const found = all.flatMap((line, at) => (isShown(line, at) ? [at] : []));
  const [line] = found;
  if (line === undefined || found.length > 1) return undefined;
  return (
    Array.from(
      all
        .slice(0, line)
        .map((text) => `${text}\n`)
        .join(""),
    ).length + column
  );
}

/**
 * Where a token is that the parser refuses. Its lines are one text, cut at line ends, in which each token is as far from
 * the others as in the statement; comments are spaces in it. Of more than three lines it shows the last three.
 */
function findToken(
  statement: readonly string[],
  { lines, column, length }: CaretBlock,
): number | undefined {
  const before = lines
    .slice(0, -1)
    .map((line) => Array.from(line))
    .flat();
  const shown = [...before, ...Array.from(lines.at(-1) ?? "")];
  const place = before.length + column;
  const from = Math.max(0, place - maxContext);
  // The server chooses all three, and the statement is compared at each of its places.
  const end = Math.min(shown.length, place + length, place + maxContext);
  const fits = (start: number): boolean => {
    for (let at = from; at < end; at++) {
      if (shown[at] !== " " && shown[at] !== statement[start + at]) return false;
    }
    return true;
  };
  if (lines.length < 3) return fits(0) ? place : undefined;
  const found: number[] = [];
  for (let start = 0; start + place <= statement.length && found.length < 2; start++) {
    if (fits(start)) found.push(start + place);
  }
  return found.length === 1 ? found[0] : undefined;
}

/** The word that a data source marks in its own statement, if the user's statement contains it exactly once. */
function findNamed(statement: string, message: string): SqlErrorPlace | undefined {
  const lines = message.split("\n");
  const marks = lines.findIndex(
    (line, at) => /^ *\^+ *$/.test(line) && /\bLINE \d/.test(lines[at - 1] ?? ""),
  );
  if (marks < 0) return undefined;
  const marked = (lines[marks - 1] ?? "").slice((lines[marks] ?? "").indexOf("^"));
  const [, quoted, word = quoted] = /^(?:"([^"]{1,200})"|([\w$]{1,200}))/.exec(marked) ?? [];
  if (word === undefined) return undefined;
  const isMeant = (text: string): boolean =>
    text.replace(/[`"]/g, "").toLowerCase() === word.toLowerCase();
  const found = tokenizeSql(statement)
    .statements.flatMap(({ tokens }) => tokens)
    .filter(({ kind, text }) => kind !== "text" && isMeant(text));
  const [token] = found;
  return found.length === 1 && token ? { start: token.start, end: token.end } : undefined;
}
