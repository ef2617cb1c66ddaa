// Values that cannot be parameters of a statement: names, and the numbers of LIMIT and OFFSET.
import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";

/** A name as SQL: `` `name` ``. MindsDB's parser knows no escape for a backtick inside, so such a name is refused. */
export function quoteName(name: string): string {
  if (name.includes("`")) {
    throw new AppError(
      "sql",
      l10n.t("SQL cannot name {0}: a backtick in a name has no escape.", name),
    );
  }
  return `\`${name}\``;
}

/**
 * The name of a table or of what is asked like one, after FROM: there a name in double quotes is one too, and may hold a
 * backtick (seen on 25.14.1; elsewhere such a name is a text).
 */
export function quoteTable(name: string): string {
  return name.includes("`") && !/["\\]/.test(name) ? `"${name}"` : quoteName(name);
}

/** A number of rows as SQL. Throws RangeError for anything but a whole number, whatever its type says. */
export function formatCount(count: number): string {
  if (Number.isSafeInteger(count) && count >= 0) return String(count);
  throw new RangeError("A number of rows must be a whole number.");
}
