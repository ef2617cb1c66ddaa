// Statements and other foreign texts as a dialog shows them before the user agrees to them.
import { isMark, isWord, tokenizeSql, type SqlToken } from "../mindsdb/sql/sqlTokens.ts";
import { visibleLine } from "./oneLine.ts";

/** Longer statements do not fit into a dialog. */
const maxLength = 1_000;
/** Longer string literals lose their middle, unless they may run as SQL. Nothing else of a statement is left out. */
const maxLiteral = 120;

/** The statement on one line, without comments; undefined if it is too long for a dialog. */
export function formatStatement(text: string): string | undefined {
  const line = formatOnOneLine(text, shortenValues);
  return line.length <= maxLength ? line : undefined;
}

/** A statement on one line, without comments and line breaks, which could hide parts of it. */
export function formatOnOneLine(text: string, write: WriteTokens = writeWhole): string {
  const { statements, isSure } = tokenizeSql(text);
  const shown = isSure
    ? statements.map(({ tokens }) => joinTokens(tokens, write(tokens))).join("; ")
    : text;
  return visibleLine(shown);
}

type WriteTokens = (tokens: readonly SqlToken[]) => string[];

const writeWhole: WriteTokens = (tokens) => tokens.map(({ text }) => text);

/**
 * Shortens texts that are values. A function's argument (`exec('…')`), what follows a word (`DO '…'`), and an option may run
 * as SQL.
 */
const shortenValues: WriteTokens = (tokens) => {
  /** For each open parenthesis, whether values are in it. */
  const open = [true];
  return tokens.map((token, at) => {
    const before = tokens[at - 1];
    if (isMark(token, "(")) {
      const isOfWord = before !== undefined && before.kind !== "mark";
      open.push(isOfWord ? isWord(before, ...wordsBeforeValues) : open.at(-1)!);
    } else if (isMark(token, ")") && open.length > 1) {
      open.pop();
    }
    const isInPlace =
      before?.kind === "mark" ? before.text !== ":" : isWord(before, ...wordsBeforeValues);
    return open.at(-1)! && isInPlace ? shortenLiteral(token) : token.text;
  });
};

const wordsBeforeValues =
  "and between distinct else in is like limit not or select then value values when where".split(
    " ",
  );

/** Shortens a literal, unless a data source may see its end at another quote than MindsDB does. */
function shortenLiteral({ kind, text }: SqlToken): string {
  if (kind !== "text" || text.length <= maxLiteral || /['"`\\]/.test(text.slice(1, -1))) {
    return text;
  }
  return `${text.slice(0, maxLiteral / 2)} … ${text.slice(-maxLiteral / 2)}`;
}

function joinTokens(tokens: readonly SqlToken[], texts: readonly string[]): string {
  const parts = tokens.map((token, at) => {
    const before = tokens[at - 1];
    const isApart = before !== undefined && token.start > before.end;
    return (isApart ? " " : "") + texts[at]!;
  });
  return parts.join("");
}
