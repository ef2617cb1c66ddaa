// Statements and other foreign texts as a dialog shows them before the user agrees to them.
import { tokenizeSql, type SqlToken } from "../mindsdb/sql/sqlTokens.ts";
import { visibleLine } from "./oneLine.ts";

/** Longer statements do not fit into a dialog. */
const maxLength = 1_000;
/** Longer string literals lose their middle. Nothing else of a statement is left out. */
const maxLiteral = 120;

/** The statement on one line, without comments; undefined if it is too long for a dialog. */
export function formatStatement(text: string): string | undefined {
  const line = formatOnOneLine(text, shortenLiteral);
  return line.length <= maxLength ? line : undefined;
}

/** A statement on one line, without comments and line breaks, which could hide parts of it. */
export function formatOnOneLine(text: string, writeLiteral = (literal: string) => literal): string {
  const { statements, isSure } = tokenizeSql(text);
  const write = (token: SqlToken): string =>
    token.kind === "text" ? writeLiteral(token.text) : token.text;
  const shown = isSure
    ? statements.map(({ tokens }) => joinTokens(tokens, write)).join("; ")
    : text;
  return visibleLine(shown);
}

function shortenLiteral(literal: string): string {
  if (literal.length <= maxLiteral) return literal;
  return `${literal.slice(0, maxLiteral / 2)} … ${literal.slice(-maxLiteral / 2)}`;
}

function joinTokens(tokens: readonly SqlToken[], write: (token: SqlToken) => string): string {
  const parts = tokens.map((token, at) => {
    const isApart = at > 0 && token.start > tokens[at - 1]!.end;
    return isApart ? ` ${write(token)}` : write(token);
  });
  return parts.join("");
}
