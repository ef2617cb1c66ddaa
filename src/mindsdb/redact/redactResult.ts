// Redacts SQL results. In the user's own rows only known secrets are masked.
import type { ListingUse } from "../sql/listingUse.ts";
import type { Secrets } from "./redact.ts";
import { isSecretKey, mask } from "./secretNames.ts";
import type { SqlResult } from "../sql/runSql.ts";

export interface RedactedResult extends SqlResult {
  /** Whether all values are masked, because secrets among them cannot be told. */
  isMasked?: boolean;
}

/**
 * The result with masked secrets. Listings of server objects contain credentials in JSON or Python dicts (`SHOW AGENTS`
 * gives keys in clear on 25.14.1 and 26.1.0): there, secret fields are masked too, and all values of a statement that
 * may take secrets out of their fields, or change or rename them.
 */
export function redactResult(result: SqlResult, use: ListingUse, secrets: Secrets): RedactedResult {
  const { columns, rows } = result;
  const redactRow = createRowRedactor(columns, use, secrets);
  return {
    columns: redactColumns(columns, secrets),
    rows: rows.map(redactRow),
    ...(use === "derived" && rows.length > 0 && { isMasked: true }),
  };
}

export function redactColumns(columns: readonly string[], secrets: Secrets): string[] {
  return columns.map((name) => secrets.redactKnown(name));
}

/** Masks secrets in rows like `redactResult`. The columns count for listings only. */
export function createRowRedactor(
  columns: readonly string[],
  use: ListingUse,
  secrets: Secrets,
): (row: readonly unknown[]) => unknown[] {
  if (use === "derived") return (row) => row.map(masked);
  if (use === "none") return (row) => row.map((cell) => knownMasked(cell, secrets));
  const lowerCase = columns.map((name) => name.toLowerCase());
  const key = lowerCase.indexOf("key");
  const value = lowerCase.indexOf("value");
  const secretColumns = lowerCase.map(isSecretColumn);
  return (row) => {
    const isSecretRow = value >= 0 && typeof row[key] === "string" && isSecretKey(row[key]);
    return row.map((cell, column) =>
      (secretColumns[column] || (isSecretRow && column === value)) && cell !== null && cell !== ""
        ? mask
        : secrets.redactValue(cell),
    );
  };
}

/** No values are shown as such. */
function masked(cell: unknown): unknown {
  return cell === null || cell === "" ? cell : mask;
}

/** True for names like `webhook_token`. A column just called `token` or `password` belongs to a table of the user. */
function isSecretColumn(name: string): boolean {
  return name.includes("_") && isSecretKey(name);
}

/** Fast path: most cells are numbers and short strings. */
function knownMasked(cell: unknown, secrets: Secrets): unknown {
  if (typeof cell === "string") return secrets.redactKnown(cell);
  return typeof cell === "object" ? secrets.redactKnownValue(cell) : cell;
}
