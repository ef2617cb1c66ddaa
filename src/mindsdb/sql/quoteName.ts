// Values that cannot be parameters of a statement: names, and the numbers of LIMIT and OFFSET.
import * as l10n from "@vscode/l10n";
import { AppError } from "../errors.ts";

/** A name as SQL: `` `name` ``. MindsDB's parser knows no escape for a backtick inside, so such a name is refused. */
export function quoteName(name: string): string {
  if (name.includes("`")) {
    throw new AppError(
      "sql",
      l10n.t("SQL can't reference {0} because backticks in names can't be escaped.", name),
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

/**
 * A dotted name as SQL, with its data source or project first; `quote` quotes a part. Throws AppError "sql" for a name that
 * the server would read as another one: it splits a first part in double quotes, and sends a name of four parts to the
 * data source without its quotes (seen on 26.1.0 and 25.14.1).
 */
export function quotePath(parts: readonly string[], quote = quoteTable): string {
  const [first = ""] = parts;
  if (first.includes("`") && /^`|`$|\./.test(first)) quoteName(first);
  if (parts.length > 3 && !parts.every((part) => /^\w*$/.test(part))) {
    throw new AppError(
      "sql",
      l10n.t(
        "MindsDB can't reference {0}: it loses the quotes of names with four parts.",
        parts.join("."),
      ),
    );
  }
  return parts.map(quote).join(".");
}

/** A number of rows as SQL. Throws RangeError for anything but a whole number, whatever its type says. */
export function formatCount(count: number): string {
  if (Number.isSafeInteger(count) && count >= 0) return String(count);
  throw new RangeError("A number of rows must be a whole number.");
}
