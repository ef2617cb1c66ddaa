// The rows of a recipe that are on the server: {"table": …} or {"sql": …}.
import * as l10n from "@vscode/l10n";
import { formatTable, type OrderColumn, type RowSource } from "../../mindsdb/rowPages.ts";
import { tokenizeSql, type SqlToken } from "../../mindsdb/sql/sqlTokens.ts";
import { isAboutServerObjects, kindOfSql } from "../../mindsdb/sql/statementKind.ts";
import { isListingName } from "../../mindsdb/sql/tableName.ts";
import { splitName } from "./modelName.ts";

/** Rows of the server that the model is on. */
export interface ServerSource {
  source: RowSource;
  /** The table as the recipe names it; absent for a query. */
  table?: string;
  /** The maximum number of rows. */
  limit?: number;
}

export const serverSourceKeys = ["table", "where", "sql", "limit"] as const;
type ServerSourceKey = (typeof serverSourceKeys)[number];

/** A value of such an object, as JSON. */
export type SourceValues = Partial<Record<ServerSourceKey, string>>;

/** Why the rows cannot be read; `key` is the property that is wrong, absent if one is missing. */
interface SourceProblem {
  wrong: string;
  key?: ServerSourceKey;
}

/** Reads the values of such an object, or explains what is wrong with them. */
export function readServerSource(values: SourceValues): ServerSource | SourceProblem {
  const limit = values.limit === undefined ? undefined : Number(values.limit);
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    return { wrong: l10n.t("“{0}” is a whole number from 1.", "limit"), key: "limit" };
  }
  const source = values.sql === undefined ? readTable(values) : readQuery(values);
  return "wrong" in source ? source : { ...source, ...(limit === undefined ? {} : { limit }) };
}

/** The parts of a table's name, with its data source first; undefined if the text is not one. */
export function parseTableName(text: string): string[] | undefined {
  const parts = splitName(text)?.map((part) => part.text);
  // SQL knows no escape for a backtick.
  return parts && parts.length >= 2 && !parts.join("").includes("`") ? parts : undefined;
}

export function explainTableName(): string {
  return l10n.t('A table is "source.table". Put names with dots or spaces in `backticks`.');
}

function readTable({ table, where }: SourceValues): ServerSource | SourceProblem {
  if (table === undefined) {
    return {
      wrong: l10n.t('Rows on the server are {"table": "source.table"} or {"sql": "SELECT …"}.'),
    };
  }
  const name = readText(table);
  const parts = parseTableName(name);
  if (!parts) return { wrong: explainTableName(), key: "table" };
  if (isListingName(parts)) return { wrong: explainListing(), key: "table" };
  if (where === undefined) return { source: { table: parts }, table: name };
  const condition = readText(where);
  const source = { table: parts, where: condition };
  const wrong =
    explainUnsafe(`SELECT * FROM ${formatTable(source)}`) ?? explainNoCondition(condition);
  return wrong === undefined ? { source, table: name } : { wrong, key: "where" };
}

/** Why a text is not a condition: it would end the brackets around it, and read or join another table. */
function explainNoCondition(condition: string): string | undefined {
  const tokens = tokenizeSql(condition).statements.flatMap((statement) => statement.tokens);
  if (tokens.length === 0) return l10n.t("A condition is a text, like \"city = 'Rome'\".");
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== "mark") continue;
    if (text === "(") depth++;
    if (text === ")" && --depth < 0) break;
  }
  return depth === 0 ? undefined : l10n.t("The brackets of this condition do not match.");
}

function readQuery({ table, where, sql = "" }: SourceValues): ServerSource | SourceProblem {
  if (table !== undefined || where !== undefined) {
    const key = table === undefined ? "where" : "table";
    return { wrong: l10n.t("“{0}” can't be used with “{1}”.", key, "sql"), key };
  }
  const select = readText(sql);
  const wrong = explainUnsafe(select);
  return wrong === undefined ? { source: { select } } : { wrong, key: "sql" };
}

/** Why a query must not be run once for each page; undefined if it may. */
function explainUnsafe(query: string): string | undefined {
  const { statements } = tokenizeSql(query);
  const [first] = statements[0]?.tokens ?? [];
  if (first === undefined || statements.length > 1) return l10n.t("Write one SELECT statement.");
  const kind = kindOfSql(query);
  if (kind === "write" || !/^(select|with|\()$/i.test(first.text)) {
    return l10n.t("Only a SELECT that surely changes nothing is run.");
  }
  if (kind === "costsMoney") {
    return l10n.t("This may ask a paid model again for each page of rows, so it is not run.");
  }
  if (isAboutServerObjects(query)) {
    return explainListing();
  }
  return undefined;
}

function explainListing(): string {
  return l10n.t("This lists what the server holds, which may include credentials: read a table.");
}

function readText(json: string): string {
  const value = JSON.parse(json) as unknown;
  return typeof value === "string" ? value : "";
}

/**
 * The order that a query itself says, as far as it is by columns of its result; empty if it says none or another one.
 * `columns` are those of the result.
 */
export function readOrder(query: string, columns: readonly string[]): OrderColumn[] {
  const order: OrderColumn[] = [];
  for (const term of splitOrder(query)) {
    const column = readOrderColumn(term, columns);
    if (!column) return [];
    order.push(column);
  }
  return order;
}

/** The tokens of each term of a query's own ORDER BY. */
function splitOrder(query: string): SqlToken[][] {
  const terms: SqlToken[][] = [];
  let depth = 0;
  for (const token of tokenizeSql(query).statements[0]?.tokens ?? []) {
    const { text } = token;
    const word = depth === 0 && token.kind === "word" ? text.toLowerCase() : undefined;
    if (token.kind === "mark" && text === "(") depth++;
    if (token.kind === "mark" && text === ")") depth--;
    if (word === "order") terms.push([]);
    else if (terms.length === 0 || word === "by") continue;
    else if (word !== undefined && afterOrder.has(word)) break;
    else if (depth === 0 && token.kind === "mark" && text === ",") terms.push([]);
    else terms.at(-1)!.push(token);
  }
  return terms;
}

const afterOrder = new Set(["limit", "offset", "using", "fetch", "for"]);

/** A column of the result, by its name, perhaps behind a table's, or by its number. */
function readOrderColumn(
  term: readonly SqlToken[],
  columns: readonly string[],
): OrderColumn | undefined {
  const words = term.map(({ text }) => text.toLowerCase());
  const [, name = "", direction = ""] =
    /^((?:\S+ \. )*\S+)(?: (asc|desc))?$/.exec(words.join(" ")) ?? [];
  const last = name.slice(name.lastIndexOf(" ") + 1).replace(/^(["`])(.*)\1$/, "$2");
  const column = /^\d+$/.test(last)
    ? columns[Number(last) - 1]
    : columns.find((one) => one.toLowerCase() === last);
  if (column === undefined) return undefined;
  return { column, isDescending: direction === "desc" };
}
