// All rows of a table or of a SELECT, read in pages.
import * as l10n from "@vscode/l10n";
import { AppError, isAppError } from "./errors.ts";
import { filesSource } from "./filesSource.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { mayEndEarly } from "./sql/earlyEnd.ts";
import { isAboutEmptySource, isEmptyLikeItsSource } from "./sql/emptySource.ts";
import { explainEarlyEnd } from "./sql/explainEarlyEnd.ts";
import { throwIfListing } from "./sql/findListingUse.ts";
import { formatCount } from "./sql/quoteName.ts";
import {
  quoteName,
  quotePath,
  runSql,
  runSqlForText,
  type SqlResult,
  type SqlResultText,
} from "./sql/runSql.ts";

/** A table, as data source, schema if any, and name, with a condition if not all rows are wanted; or a SELECT. */
export type RowSource =
  { table: readonly string[]; where?: string | undefined } | { select: string };

export interface OrderColumn {
  column: string;
  isDescending?: boolean;
  /** Where rows without a value go, if the order says it. */
  nulls?: "first" | "last";
}

export interface RowPageOptions extends CallOptions {
  /**
   * The column or columns by which pages are cut, best with other values in each row. Without them a server may give
   * rows in another order for each page, which it does not do for uploaded files.
   */
  orderBy?: string | ((columns: readonly string[]) => readonly OrderColumn[]) | undefined;
  /** The first size of a page; pages whose answers are too large are made smaller. */
  pageRows?: number;
  maxRows?: number;
  /** Called with the columns before rows are yielded. */
  onColumns?: (columns: readonly string[]) => void;
  /** Called with the number of rows that will be read, while the first of them are. */
  onCount?: (count: number) => void;
  /** Called if rows cannot be read. They are read again when this resolves to true; otherwise the error is thrown. */
  onFailure?: (error: unknown) => Promise<boolean>;
}

const defaultPageRows = 1_000;

/** Yields all rows, page by page; see `readPages`. */
export function readRowPages(
  client: Client,
  source: RowSource,
  options: RowPageOptions = {},
): AsyncGenerator<SqlResult> {
  return readPages(client, source, options, runSql);
}

/** Yields all rows, page by page, with the values as the server writes them; see `readPages`. */
export function readRowTextPages(
  client: Client,
  source: RowSource,
  options: RowPageOptions = {},
): AsyncGenerator<SqlResultText> {
  return readPages(client, source, options, runSqlForText);
}

/**
 * Yields all rows, page by page. A SELECT is run again for each page, as the source of another: with LIMIT and OFFSET of
 * its own a server gives too few rows of a knowledge base (seen on 26.1.0 and 25.14.1). Throws AppError: "refused" if the
 * rows may come from the server's listings, and another if fewer rows came than were counted before.
 */
async function* readPages<
  Page extends Pick<SqlResultText, "columns"> & { rows: { length: number } },
>(
  client: Client,
  source: RowSource,
  {
    orderBy,
    pageRows = defaultPageRows,
    maxRows = Infinity,
    onColumns,
    onCount,
    onFailure,
    ...options
  }: RowPageOptions,
  readPage: (client: Client, query: string, options: CallOptions) => Promise<Page>,
): AsyncGenerator<Page> {
  const from = formatSource(source);
  const retrying = async <T>(read: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (!(await onFailure?.(error))) throw error;
      }
    }
  };
  await retrying(() => throwIfListing(client, `SELECT * FROM ${from}`, options));
  const counted = retrying(async () => {
    const total = Math.min(maxRows, await countFrom(client, from, options));
    onCount?.(total);
    return total;
  });
  // It is awaited below, unless the first page already ends everything.
  counted.catch(() => undefined);
  let order = orderBy === undefined ? "" : undefined;
  let read = 0;
  let size = pageRows;
  do {
    const count = Math.min(size, maxRows - read);
    const query = `SELECT * FROM ${from}${order ?? ""} LIMIT ${formatCount(count)} OFFSET ${formatCount(read)}`;
    let page: Page;
    try {
      page = await readPage(client, query, { limits: responseLimits.rows, ...options });
    } catch (error) {
      if (isAppError(error, "tooLarge") && size > 1) size = Math.max(1, Math.floor(size / 4));
      else if (!(await onFailure?.(error))) throw error;
      continue;
    }
    if (read === 0) onColumns?.(page.columns);
    // The only page of a source needs no order, and its columns may have any names. Others are read again with one.
    if (order === undefined && count < maxRows && page.rows.length < (await counted)) {
      order = writeOrder(orderBy!, page.columns);
      continue;
    }
    if (page.rows.length === 0) break;
    read += page.rows.length;
    yield page;
  } while (read < (await counted));
  const total = await counted;
  if (read >= total) return;
  // A page of fewer rows than one batch ends with 0 rows.
  const isEarly = await mayEndEarly(client, `SELECT * FROM ${from}`, 0, options);
  const message = isEarly
    ? `${l10n.t("The server returned {0} of {1} rows.", read, total)} ${explainEarlyEnd()}`
    : l10n.t(
        "The server returned {0} of {1} rows. They may have changed while they were read: try again.",
        read,
        total,
      );
  throw new AppError("badAnswer", message);
}

function writeOrder(
  orderBy: NonNullable<RowPageOptions["orderBy"]>,
  columns: readonly string[],
): string {
  const order = typeof orderBy === "string" ? [{ column: orderBy }] : orderBy(columns);
  const terms = order.map(({ column, isDescending, nulls }) => {
    const places = nulls === undefined ? "" : ` NULLS ${nulls === "first" ? "FIRST" : "LAST"}`;
    return `${quoteName(column)}${isDescending ? " DESC" : ""}${places}`;
  });
  return ` ORDER BY ${terms.join(", ")}`;
}

/** The names of a source's columns, whether it has rows or not. Throws AppError like `countRows`. */
export async function listSourceColumns(
  client: Client,
  source: RowSource,
  options: CallOptions = {},
): Promise<string[]> {
  const query = `SELECT * FROM ${formatSource(source)} LIMIT 1`;
  await throwIfListing(client, query, options);
  return (await runSql(client, query, options)).columns;
}

/** The number of a source's rows. Throws AppError "refused" if they may come from the server's listings. */
export async function countRows(
  client: Client,
  source: RowSource,
  options: CallOptions = {},
): Promise<number> {
  const from = formatSource(source);
  await throwIfListing(client, `SELECT * FROM ${from}`, options);
  return countFrom(client, from, options);
}

async function countFrom(client: Client, from: string, options: CallOptions): Promise<number> {
  const query = `SELECT count(*) AS row_count FROM ${from}`;
  try {
    const { rows } = await runSql(client, query, options);
    return Number(rows[0]?.[0] ?? 0);
  } catch (error) {
    const isEmpty =
      isAppError(error, "sql") &&
      isAboutEmptySource(error.detail ?? "") &&
      isEmptyLikeItsSource(`SELECT * FROM ${from}`);
    if (isEmpty) return 0;
    throw error;
  }
}

/**
 * Returns the SQL after FROM. Line breaks end comments. Only an uploaded file is read directly: other tables may be
 * knowledge bases.
 */
export function formatSource(source: RowSource): string {
  if ("select" in source) return `(${withoutEnd(source.select)}\n) AS source_rows`;
  const table = formatTable(source);
  return source.table[0] === filesSource ? table : `(SELECT * FROM ${table}) AS source_rows`;
}

/** A table with its condition, as they stand after FROM. */
export function formatTable({ table, where }: Extract<RowSource, { table: unknown }>): string {
  const name = quotePath(table);
  return where === undefined ? name : `${name} WHERE (${where}\n)`;
}

/** A statement without semicolons and white space at its end; a regular expression takes quadratic time for that. */
function withoutEnd(statement: string): string {
  let end = statement.length;
  while (end > 0 && /[\s;]/.test(statement.charAt(end - 1))) end--;
  return statement.slice(0, end);
}
