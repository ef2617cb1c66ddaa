// The columns that agents are asked and knowledge bases are searched by.
import { isMark, unquoted, type SqlToken } from "./sqlTokens.ts";

/** Columns for the question to an agent or the search text of a knowledge base (seen on 26.1.0 and 25.14.1). */
const questionColumns = new Set(["question", "content", "chunk_content"]);

/** Whether a token is the key in `metadata->>'content'`, of which the server makes a condition on the column. */
export function asksByJsonKey({ kind, text }: SqlToken, before: SqlToken | undefined): boolean {
  if (kind !== "text" || !isMark(before, ">")) return false;
  // The server takes quotes and backticks at the ends of a text off.
  return questionColumns.has(text.replaceAll(/['"`\\]/g, "").toLowerCase());
}

/** Whether a name may be that of a column that agents are asked by; the server may split names in double quotes. */
export function isQuestionColumn(token: SqlToken): boolean {
  const name = unquoted(token).toLowerCase();
  const last = token.kind === "doubleQuoted" ? name.split(".").at(-1)! : name;
  return questionColumns.has(last.replaceAll("`", ""));
}
