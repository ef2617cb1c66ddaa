// What a user agrees to before a notebook's statements run that do more than read.
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
import { kindOfSql, type StatementKind } from "../../mindsdb/sql/statementKind.ts";
import { oneLine } from "../../shared/oneLine.ts";

/** Statements that are listed beside the one that is about to run. */
const maxListed = 8;
/** Longer statements are not listed: the user would agree to text that the dialog does not show. */
const maxListedLength = 160;
const maxLength = 1_000;

export interface StatementPrompt {
  kind: Exclude<StatementKind, "read">;
  /** The statement that is about to run, without comments, on one line, its middle left out if it is very long. */
  statement: string;
  /** The notebook's other statements that are not read-only, whole. */
  others: string[];
  /** How many more there are, which this agreement does not include. */
  notIncluded: number;
  /** The texts of the cells that it does include. */
  texts: string[];
}

/**
 * What to ask before a cell's statement runs, or undefined where nothing is to ask: it reads only, or is agreed to. `cells`
 * are the texts of all the notebook's cells with statements.
 */
export function statementPrompt(
  text: string,
  cells: readonly string[],
  agreed: ReadonlySet<string>,
): StatementPrompt | undefined {
  const kind = kindOfSql(text);
  if (kind === "read" || agreed.has(text)) return undefined;
  const rest = [...new Set(cells)].filter(
    (cell) => cell !== text && !agreed.has(cell) && kindOfSql(cell) !== "read",
  );
  const short = rest
    .map((cell) => ({ cell, shown: shownSql(cell) }))
    .filter(({ shown }) => shown.length <= maxListedLength)
    .slice(0, maxListed);
  return {
    kind,
    statement: withoutMiddle(shownSql(text)),
    others: short.map(({ shown }) => shown),
    notIncluded: rest.length - short.length,
    texts: [text, ...short.map(({ cell }) => cell)],
  };
}

/** A statement on one line, without what could hide the rest of it: comments, line breaks, invisible characters. */
function shownSql(text: string): string {
  const { statements, isSure } = tokenizeSql(text);
  const shown = isSure
    ? statements
        .map(({ tokens }) =>
          tokens
            .map((token, at) => {
              const isApart = at > 0 && token.start > tokens[at - 1]!.end;
              return isApart ? ` ${token.text}` : token.text;
            })
            .join(""),
        )
        .join("; ")
    : text;
  return oneLine(shown).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

function withoutMiddle(text: string): string {
  if (text.length <= maxLength) return text;
  const half = maxLength / 2;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
