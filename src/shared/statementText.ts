// Statements and other foreign texts as a dialog shows them before the user agrees to them.
import { isWord, tokenizeSql, type SqlToken } from "../mindsdb/sql/sqlTokens.ts";
import { visibleLine } from "./oneLine.ts";

/** Longer statements do not fit into a dialog. */
const maxLength = 1_000;
/** Longer string literals lose their middle, unless they may run as SQL. Nothing else of a statement is left out. */
const maxLiteral = 120;

/** The statement on one line, without comments; undefined if it is too long for a dialog. */
export function formatStatement(text: string): string | undefined {
  const line = formatOnOneLine(text, shortenLiteral);
  return line.length <= maxLength ? line : undefined;
}

/** A statement on one line, without comments and line breaks, which could hide parts of it. */
export function formatOnOneLine(text: string, write: WriteToken = (token) => token.text): string {
  const { statements, isSure } = tokenizeSql(text);
  const shown = isSure
    ? statements.map(({ tokens }) => joinTokens(tokens, write)).join("; ")
    : text;
  return visibleLine(shown);
}

type WriteToken = (token: SqlToken, before: SqlToken | undefined) => string;

const shortenLiteral: WriteToken = ({ kind, text }, before) => {
  if (kind !== "text" || text.length <= maxLiteral || mayRun(text, before)) return text;
  return `${text.slice(0, maxLiteral / 2)} … ${text.slice(-maxLiteral / 2)}`;
};

/**
 * Whether a literal may run as SQL: servers write what follows INTERVAL without escaping it, and a data source may see the
 * end of a text at another quote than MindsDB does.
 */
function mayRun(literal: string, before: SqlToken | undefined): boolean {
  return isWord(before, "interval") || /['"`\\]/.test(literal.slice(1, -1));
}

function joinTokens(tokens: readonly SqlToken[], write: WriteToken): string {
  const parts = tokens.map((token, at) => {
    const before = tokens[at - 1];
    const isApart = before !== undefined && token.start > before.end;
    return (isApart ? " " : "") + write(token, before);
  });
  return parts.join("");
}
