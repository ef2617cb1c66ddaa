import { dottedName, tokenizeSql, type SqlToken } from "../../mindsdb/sql/sqlTokens.ts";
import { kindOfSql, type StatementKind } from "../../mindsdb/sql/statementKind.ts";
import type { Protection } from "../../shared/connection.ts";
import { formatOnOneLine } from "../../shared/statementText.ts";

/** Statements that are listed beside the one that is about to run. */
const maxListed = 8;
/** Longer statements are not listed: the user would agree to text that the dialog does not show. */
const maxListedLength = 160;

/** Facts for the confirmation before a statement runs that is not read-only. */
export interface StatementPrompt {
  kind: Exclude<StatementKind, "read">;
  /** The statement to run, as the user is to see it. */
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
 * of the notebook with statements. `isPaid` says that a read costs money, because it reads from an agent. `hideSecrets`
 * masks what is shown. Where a protection is set, consent is for one change and for one time.
 */
export function createStatementPrompt(
  text: string,
  cells: readonly string[],
  agreed: ReadonlySet<string>,
  protection: Protection = "none",
  { isPaid = false, hideSecrets = (statement: string) => statement } = {},
): StatementPrompt | undefined {
  const ownKind = kindOfSql(text);
  const kind = ownKind === "read" && isPaid ? "costsMoney" : ownKind;
  if (kind === "read") return undefined;
  if (kind === "write" && protection !== "none") {
    return { kind, statement: hideSecrets(text), others: [], notIncluded: 0, texts: [] };
  }
  if (agreed.has(text)) return undefined;
  const rest = [...new Set(cells)].filter(
    (cell) => cell !== text && !agreed.has(cell) && kindOfSql(cell) !== "read",
  );
  const short = rest
    .map((cell) => ({ cell, shown: formatOnOneLine(hideSecrets(cell)) }))
    .filter(({ shown }) => shown.length <= maxListedLength)
    .slice(0, maxListed);
  return {
    kind,
    statement: hideSecrets(text),
    others: short.map(({ shown }) => shown),
    notIncluded: rest.length - short.length,
    texts: [text, ...short.map(({ cell }) => cell)],
  };
}

/** The table of which an UPDATE or a DELETE concerns all rows; undefined for anything else. */
export function allRowsOf(text: string): string | undefined {
  const { statements, isSure } = tokenizeSql(text);
  const [statement, ...others] = statements;
  if (!isSure || !statement || others.length > 0) return undefined;
  const { tokens } = statement;
  const [verb, second] = tokens.map((token) => token.text.toLowerCase());
  const isDelete = verb === "delete" && second === "from";
  if (!isDelete && verb !== "update") return undefined;
  let depth = 0;
  for (const { text: token, kind } of tokens) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    // After ON are the columns by which the rows of an UPDATE are found.
    if (depth === 0 && kind === "word" && /^(where|on)$/i.test(token)) return undefined;
  }
  return nameAt(tokens, isDelete ? 2 : 1);
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
