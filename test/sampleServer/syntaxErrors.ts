// Builds the exact syntax error messages of mindsdb-sql-parser 0.13.8.
import { parse } from "../../src/sample/sql/parser.ts";
import { SqlSyntaxError, tokenize, type PlacedText } from "../../src/sample/sql/tokens.ts";

/** Returns the message of a real server for a statement that cannot be parsed, or undefined if it can be. */
export function findSyntaxError(
  sql: string,
  params: Record<string, unknown> = {},
): string | undefined {
  const illegal = findWrong(() => tokenize(sql));
  if (illegal) return describeIllegalCharacter(sql, illegal.at);
  const wrong = findWrong(() => parse(sql, params));
  if (!wrong) return undefined;
  const message = describeSyntaxError(sql, wrong);
  // A semicolon after a whole statement is wrong only if another statement follows.
  const isWhole = wrong.text === ";" && !findWrong(() => parse(sql.slice(0, wrong.at), params));
  return isWhole
    ? `${message}\nOnly a single sql statement is expected. Got multiple instead`
    : message;
}

/** Returns what makes this fail with a syntax error. */
function findWrong(read: () => unknown): PlacedText | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof SqlSyntaxError) return error.wrong;
    throw error;
  }
}

/** Returns the message for an unexpected token, or for an unexpected end. */
function describeSyntaxError(sql: string, unexpected: PlacedText): string {
  const tokens = tokenize(sql).slice(0, -1);
  const wrong = unexpected.text === "" ? undefined : unexpected;
  if (tokens.length === 0) return wrapMessage(sql, "Empty input");
  // The real parser rebuilds the lines from tokens and replaces everything between two tokens with spaces.
  const lines: { number: number; start: number; text: string }[] = [];
  let end = 0;
  for (const { text, at } of tokens) {
    const number = sql.slice(0, at).split("\n").length;
    let line = lines.at(-1);
    if (line?.number !== number) lines.push((line = { number, start: end, text: "" }));
    line.text += " ".repeat(at - end) + text;
    end = at + text.length;
  }
  const isWrong = ({ start, text }: { start: number; text: string }): boolean =>
    wrong !== undefined && wrong.at < start + text.length;
  const found = wrong ? lines.findIndex(isWrong) : lines.length - 1;
  const shown = lines.slice(Math.max(0, found - 2), found + 1);
  const column = (wrong?.at ?? end) - (lines[found]?.start ?? 0);
  const says = wrong ? "unknown input" : "unexpected end of query";
  const marks = "-".repeat(column + 1) + "^".repeat(wrong?.text.length ?? 1);
  const message = [`Syntax error, ${says}:`, ...shown.map(({ text }) => `>${text}`), marks];
  return wrapMessage(sql, message.join("\n"));
}

/** Returns the message for a character that cannot start a token. */
function describeIllegalCharacter(sql: string, at: number): string {
  const before = sql.slice(0, at).split("\n");
  const number = before.length - 1;
  const lines = sql.split("\n");
  // The real parser shows nothing if the error is in the first of several lines.
  const shown = number > 0 ? lines.slice(number - 1, number + 1) : lines.length === 1 ? lines : [];
  const marks = `${"-".repeat((before.at(-1) ?? "").length + 1)}^`;
  const character = sql[at] === "'" ? `"'"` : `'${sql[at] ?? ""}'`;
  return [`Illegal character ${character}:`, ...shown.map((line) => `>${line}`), marks].join("\n");
}

function wrapMessage(sql: string, message: string): string {
  return `The SQL statement cannot be parsed - ${sql}: ${message}`;
}
