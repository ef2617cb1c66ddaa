import { dottedName, tokenizeSql, type SqlToken } from "../../mindsdb/sql/sqlTokens.ts";
import { kindOfSql, type StatementKind } from "../../mindsdb/sql/statementKind.ts";
import type { Protection } from "../../connections/connection.ts";
import { oneLine } from "../../shared/oneLine.ts";

/** Statements that are listed beside the one that is about to run. */
const maxListed = 8;
/** Longer statements are not listed: the user would agree to text that the dialog does not show. */
const maxListedLength = 160;
const maxLength = 1_000;

/** What the user is asked before a statement runs that is not read-only. */
export interface StatementPrompt {
  kind: Exclude<StatementKind, "read">;
  /** The statement to run, without comments, on one line; without its middle if it is very long. */
  statement: string;
  /** The notebook's other statements that are not read-only, in full. */
  others: string[];
  /** The number of further statements, which the consent does not include. */
  notIncluded: number;
  /** The texts of the cells that the consent includes. */
  texts: string[];
}

/**
 * The prompt for a statement; undefined if it is read-only or the user has agreed to it. `cells` are the texts of all cells
 * of the notebook with statements. `isPaid` says that a read costs money, because it reads from an agent. Where a
 * protection is set, consent is for one change and for one time.
 */
export function createStatementPrompt(
  text: string,
  cells: readonly string[],
  agreed: ReadonlySet<string>,
  protection: Protection = "none",
  isPaid = false,
): StatementPrompt | undefined {
  const ownKind = kindOfSql(text);
  const kind = ownKind === "read" && isPaid ? "costsMoney" : ownKind;
  if (kind === "read") return undefined;
  if (kind === "write" && protection !== "none") {
    const statement = formatStatement(text);
    return { kind, statement, others: [], notIncluded: 0, texts: [] };
  }
  if (agreed.has(text)) return undefined;
  const rest = [...new Set(cells)].filter(
    (cell) => cell !== text && !agreed.has(cell) && kindOfSql(cell) !== "read",
  );
  const short = rest
    .map((cell) => ({ cell, shown: formatForDialog(cell) }))
    .filter(({ shown }) => shown.length <= maxListedLength)
    .slice(0, maxListed);
  return {
    kind,
    statement: formatStatement(text),
    others: short.map(({ shown }) => shown),
    notIncluded: rest.length - short.length,
    texts: [text, ...short.map(({ cell }) => cell)],
  };
}

/** The name of what a DROP or a DELETE deletes, with its project; undefined for anything else. */
export function deletedName(text: string): string | undefined {
  const { statements, isSure } = tokenizeSql(text);
  const [statement, ...others] = statements;
  if (!isSure || !statement || others.length > 0) return undefined;
  const { tokens } = statement;
  const [verb, second] = tokens.map((token) => token.text.toLowerCase());
  if (verb === "delete" && second === "from") return nameAt(tokens, 2);
  if (verb !== "drop" || tokens.length < 3) return undefined;
  let start = tokens.length - 1;
  while (start > 2 && tokens[start - 1]?.text === ".") start -= 2;
  return nameAt(tokens, start);
}

/** The dotted name that starts at a token, if one does. */
function nameAt(tokens: readonly SqlToken[], start: number): string | undefined {
  return dottedName(tokens, start).join(".") || undefined;
}

/** A statement on one line, without comments, line breaks and invisible characters, which could hide parts of it. */
function formatForDialog(text: string): string {
  const { statements, isSure } = tokenizeSql(text);
  const shown = isSure ? statements.map(({ tokens }) => joinTokens(tokens)).join("; ") : text;
  return oneLine(shown).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

function joinTokens(tokens: readonly SqlToken[]): string {
  const parts = tokens.map((token, at) => {
    const isApart = at > 0 && token.start > tokens[at - 1]!.end;
    return isApart ? ` ${token.text}` : token.text;
  });
  return parts.join("");
}

/** A statement as a dialog shows it: on one line, without its middle if it is very long. */
export function formatStatement(text: string): string {
  const line = formatForDialog(text);
  if (line.length <= maxLength) return line;
  const half = maxLength / 2;
  return `${line.slice(0, half)} … ${line.slice(-half)}`;
}
