// Statements that came from files, to be found again in what the user wrote.
import { holdsText } from "../../mindsdb/matchWildcards.ts";
import { kindOfSql } from "../../mindsdb/sql/statementKind.ts";
import { tokenizeSql, type SqlToken } from "../../mindsdb/sql/sqlTokens.ts";

/** The statements of a text that do more than read, in a form in which blanks and comments do not count. */
export function findForeignStatements(text: string): string[] {
  return split(text)
    .filter((statement) => kindOfSql(statement.sql) !== "read")
    .map(({ form }) => form);
}

/** The most characters that are compared, with all statements together: some 50 ms. */
const maxCompared = 100_000_000;

/** Whether a text holds one of these statements, also within another one. True where looking takes too long. */
export function holdsForeignStatement(text: string, foreign: ReadonlySet<string>): boolean {
  if (foreign.size === 0) return false;
  const forms = split(text)
    .map(({ form }) => form)
    .join("\n");
  if (forms.length * foreign.size > maxCompared) return true;
  return [...foreign].some((statement) => holdsText(forms, statement));
}

function split(text: string): { sql: string; form: string }[] {
  const { statements, isSure } = tokenizeSql(text);
  if (!isSure) return [{ sql: text, form: text.replace(/\s+/g, " ").trim() }];
  return statements
    .filter(({ tokens }) => tokens.length > 0)
    .map(({ start, end, tokens }) => ({ sql: text.slice(start, end), form: join(tokens) }));
}

function join(tokens: readonly SqlToken[]): string {
  return tokens.map(({ text }) => ` ${text} `).join("");
}
