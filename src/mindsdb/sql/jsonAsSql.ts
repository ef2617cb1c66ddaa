import * as l10n from "@vscode/l10n";
import { cutOff } from "../cutText.ts";
import { AppError } from "../errors.ts";
import { sqlLiteral } from "./sqlWithValues.ts";

/**
 * A value, which is JSON, as SQL. Objects and lists are texts with JSON, and so are numbers with an exponent, which MindsDB's
 * parser takes for names. Throws AppError "sql" for a text that SQL can't express.
 */
export function jsonAsSql(json = "null"): string {
  if (json === "null") return "NULL";
  if (json === "true" || json === "false") return json.toUpperCase();
  if (/^-?\d+(\.\d+)?$/.test(json)) return json;
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  const literal = sqlLiteral(text);
  if (literal !== undefined) return literal;
  throw new AppError(
    "sql",
    l10n.t(
      "SQL can't express this text because of its quotes or backslashes: {0}",
      cutOff(text, 80),
    ),
  );
}
