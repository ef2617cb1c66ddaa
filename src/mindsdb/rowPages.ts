// All rows of a table or of a SELECT, read in pages.
import * as l10n from "@vscode/l10n";
import { AppError, isAppError } from "./errors.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { quoteName, quoteTable, runSql, type SqlResult } from "./sql/runSql.ts";

/** A table, as data source, schema if any, and name; or a SELECT. */
export type RowSource = { table: readonly string[] } | { select: string };

export interface RowPageOptions extends CallOptions {
  /**
   * The column by which pages are cut, best one with a value of its own in each row. Without it a server may give rows in
   * another order for each page, which it does not do for uploaded files.
   */
  orderBy?: string | undefined;
  /** The first size of a page; pages whose answers are too large are made smaller. */
  pageRows?: number;
}

const defaultPageRows = 1_000;

/**
 * Yields all rows, page by page. A SELECT is run again for each page, as the source of another: with LIMIT and OFFSET of
 * its own a server gives too few rows of a knowledge base (seen on 26.1.0 and 25.14.1). Throws AppError, also if fewer
 * rows came than were counted before.
 */
export async function* readRowPages(
  client: Client,
  source: RowSource,
  { orderBy, pageRows = defaultPageRows, ...options }: RowPageOptions = {},
): AsyncGenerator<SqlResult> {
  const from = formatSource(source);
  const total = await countRows(client, from, options);
  const order = orderBy === undefined ? "" : ` ORDER BY ${quoteName(orderBy)}`;
  let read = 0;
  let size = pageRows;
  for (;;) {
    const query = `SELECT * FROM ${from}${order} LIMIT ${String(size)} OFFSET ${String(read)}`;
    let page: SqlResult;
    try {
      page = await runSql(client, query, { limits: responseLimits.rows, ...options });
    } catch (error) {
      if (!isAppError(error, "tooLarge") || size === 1) throw error;
      size = Math.max(1, Math.floor(size / 4));
      continue;
    }
    read += page.rows.length;
    if (page.rows.length > 0) yield page;
    // Not until a page is empty: a server that ignores OFFSET would never end.
    if (page.rows.length === 0 || read >= total) break;
  }
  if (read >= total) return;
  throw new AppError(
    "badAnswer",
    l10n.t(
      "The server gave {0} of {1} rows. They may have changed while they were read: try again.",
      read,
      total,
    ),
  );
}

async function countRows(client: Client, from: string, options: CallOptions): Promise<number> {
  const { rows } = await runSql(client, `SELECT count(*) AS row_count FROM ${from}`, options);
  return Number(rows[0]?.[0] ?? 0);
}

/** The line break ends a comment at the end of the SELECT. */
function formatSource(source: RowSource): string {
  if ("table" in source) return source.table.map(quoteTable).join(".");
  return `(${withoutEnd(source.select)}\n) AS source_rows`;
}

/** A statement without semicolons and white space at its end; a regular expression takes quadratic time for that. */
function withoutEnd(statement: string): string {
  let end = statement.length;
  while (end > 0 && /[\s;]/.test(statement.charAt(end - 1))) end--;
  return statement.slice(0, end);
}
