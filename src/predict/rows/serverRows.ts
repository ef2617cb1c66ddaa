// Rows of a table or of a SELECT on the server, read in pages.
import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import type { ResponseLimits } from "../../mindsdb/http/responseBody.ts";
import {
  listSourceColumns,
  readRowTextPages,
  type OrderColumn,
  type RowPageOptions,
  type RowSource,
} from "../../mindsdb/rowPages.ts";
import type { OrderTerm } from "../../mindsdb/sql/parser/queryOrder.ts";
import { readSqlRows } from "./sqlRows.ts";
import type { ServerSource } from "../notebook/serverSource.ts";
import { RowsError, type Row } from "./row.ts";

/** Rows of a page: each one is a query of its own, which takes real servers longer the larger the table is. */
const pageRows = 5_000;

/** Pages with larger rows are made smaller, so that little is in memory at once. */
const pageLimits: ResponseLimits = {
  maxBytes: 8 * 1024 * 1024,
  maxValues: 500_000,
  maxMs: 600_000,
};

interface ServerRowsOptions extends Pick<
  RowPageOptions,
  "signal" | "timeoutMs" | "cost" | "maxRows" | "onColumns" | "onCount" | "onFailure"
> {
  /** Called when a page has been read. */
  onPage?: () => void;
}

/**
 * Yields the rows page by page, with the values as the server writes them. Throws RowsError if there are none, and AppError
 * for everything else.
 */
export async function* readServerRows(
  client: Client,
  { source, limit = Infinity }: ServerSource,
  { maxRows = Infinity, onColumns, onCount, onPage, ...options }: ServerRowsOptions,
): AsyncGenerator<Row[]> {
  const isUploaded = "table" in source && source.table[0]?.toLowerCase() === filesSource;
  const most = Math.min(limit, maxRows);
  let isCut = false;
  const terms = await readTerms(source);
  const pages = readRowTextPages(client, source, {
    ...options,
    orderBy: isUploaded ? undefined : (columns) => chooseOrder(terms, columns, isCut),
    pageRows,
    maxRows: most,
    onCount: (count) => {
      isCut = count === most;
      onCount?.(count);
    },
    onColumns: (columns) => {
      throwIfRepeated(columns);
      onColumns?.(columns);
    },
    limits: pageLimits,
  });
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty = false;
    onPage?.();
    yield readSqlRows(page);
  }
  if (isEmpty) throw new RowsError("empty", l10n.t("There are no rows."));
}

/**
 * The order in which pages are cut: by all columns, because rows that are equal in the others may change places from page
 * to page, also where a query has an order of its own (26.1.0 gave 238,415 different ones of 300,000 rows). That order
 * comes first. Throws AppError "refused" if that order decides which rows are wanted, and pages cannot have it.
 */
export function chooseOrder(
  terms: readonly (OrderTerm | undefined)[],
  columns: readonly string[],
  isCut = false,
): OrderColumn[] {
  const { order, isWhole } = findColumns(terms, columns);
  if (isCut && !isWhole) {
    const message = l10n.t(
      "These rows are sorted by an expression that is not a column of the SELECT, so they can't be read in pages. Add the expression as a column.",
    );
    throw new AppError("refused", message);
  }
  const ordered = new Set(order.map(({ column }) => column));
  const others = columns.filter((column) => !ordered.has(column));
  return [...order, ...others.map((column) => ({ column }))];
}

async function readTerms(source: RowSource): Promise<(OrderTerm | undefined)[]> {
  if (!("select" in source)) return [];
  const { readQueryOrder } = await import("../../mindsdb/sql/parser/queryOrder.ts");
  return readQueryOrder(source.select);
}

/** The order up to the first term that is no column of the result: then it is not whole. */
function findColumns(
  terms: readonly (OrderTerm | undefined)[],
  columns: readonly string[],
): { order: OrderColumn[]; isWhole: boolean } {
  const byName = new Map(columns.toReversed().map((column) => [column.toLowerCase(), column]));
  for (const column of columns) byName.set(column, column);
  const order = new Map<string, OrderColumn>();
  for (const term of terms) {
    const column =
      typeof term?.column === "number"
        ? columns[term.column - 1]
        : (byName.get(term?.column ?? "") ?? byName.get((term?.column ?? "").toLowerCase()));
    if (!term || column === undefined) return { order: [...order.values()], isWhole: false };
    if (!order.has(column)) order.set(column, { ...term, column });
  }
  return { order: [...order.values()], isWhole: true };
}

/** The columns of a source. Throws AppError "refused" if two have the same name. */
export async function listUniqueColumns(
  client: Client,
  source: RowSource,
  options: CallOptions,
): Promise<string[]> {
  const columns = await listSourceColumns(client, source, options);
  throwIfRepeated(columns);
  return columns;
}

export function throwIfRepeated(columns: readonly string[]): void {
  const seen = new Set<string>();
  const repeated = columns.find((name) => seen.size === seen.add(name).size);
  if (repeated === undefined) return;
  const message = l10n.t("Two columns are called “{0}”: rename one of them with AS.", repeated);
  throw new AppError("refused", message);
}
