// The rows of a recipe that are on the server: {"table": …} or {"sql": …}.
import * as l10n from "@vscode/l10n";
import { defaultProjectName } from "../../mindsdb/projects.ts";
import { formatTable, type OrderColumn, type RowSource } from "../../mindsdb/rowPages.ts";
import { explainListing } from "../../mindsdb/sql/findListingUse.ts";
import { listingUse } from "../../mindsdb/sql/listingUse.ts";
import { dottedName, tokenizeSql, unquoted, type SqlToken } from "../../mindsdb/sql/sqlTokens.ts";
import { kindOfSql } from "../../mindsdb/sql/statementKind.ts";
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
  if (isSurelyListing(`SELECT * FROM ${formatTable({ table: parts })}`)) {
    return { wrong: explainListing(), key: "table" };
  }
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
  return isSurelyListing(query) ? explainListing() : undefined;
}

/** Whether a query reads a listing of the server, unless the first part of a table's name is a data source's. */
function isSurelyListing(query: string): boolean {
  return listingUse(query, (schema) => schema !== defaultProjectName) !== "none";
}

function readText(json: string): string {
  const value = JSON.parse(json) as unknown;
  return typeof value === "string" ? value : "";
}

/**
 * The order that a query itself says, up to the first term that is no column of its result: then it is not whole. `columns`
 * are those of the result.
 */
export function readOrder(
  query: string,
  columns: readonly string[],
): { order: OrderColumn[]; isWhole: boolean } {
  const byName = new Map(columns.toReversed().map((column) => [column.toLowerCase(), column]));
  for (const column of columns) byName.set(column, column);
  const order = new Map<string, OrderColumn>();
  let isWhole = true;
  for (const term of splitOrder(query)) {
    const found = readOrderColumn(term, columns, byName);
    isWhole = found !== undefined;
    if (!found) break;
    if (!order.has(found.column)) order.set(found.column, found);
  }
  return { order: [...order.values()], isWhole };
}

/** The tokens of each term of a query's own ORDER BY. */
function splitOrder(query: string): SqlToken[][] {
  const tokens = withoutBrackets(tokenizeSql(query).statements[0]?.tokens ?? []);
  const terms: SqlToken[][] = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const term = terms.at(-1);
    // After a dot each word is a name.
    const word = depth === 0 && tokens[at - 1]?.text !== "." ? readWord(token) : "";
    if (isMark(token, "(")) depth++;
    if (isMark(token, ")")) depth--;
    if (!term) {
      // "order" alone is a name.
      if (word !== "order" || readWord(tokens[at + 1]) !== "by") continue;
      terms.push([]);
      at++;
    } else if (term.length > 0 && afterOrder.has(word)) break;
    else if (depth === 0 && isMark(token, ",")) terms.push([]);
    else term.push(token);
  }
  return terms;
}

const afterOrder = new Set(["limit", "offset", "using", "fetch", "for"]);

/** The tokens inside of brackets around a whole query. */
function withoutBrackets(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const open: number[] = [];
  const ends = new Map<number, number>();
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, "(")) open.push(at);
    if (isMark(token, ")")) ends.set(open.pop() ?? -1, at);
  }
  let depth = 0;
  while (depth < tokens.length / 2 && ends.get(depth) === tokens.length - 1 - depth) depth++;
  return tokens.slice(depth, tokens.length - depth);
}

/** A column of the result, by its name, perhaps after a table's, or by its number. */
function readOrderColumn(
  term: readonly SqlToken[],
  columns: readonly string[],
  byName: ReadonlyMap<string, string>,
): OrderColumn | undefined {
  const nameAt = term.findIndex((token) => !isMark(token, "("));
  const path = dottedName(term, nameAt);
  const last = term[nameAt + 2 * path.length - 2];
  if (nameAt < 0 || path.length === 0 || !last) return undefined;
  const after = term.slice(nameAt + 2 * path.length - 1);
  // As many brackets are closed as were opened before the name: nothing else is inside of them.
  if (!after.slice(0, nameAt).every((token) => isMark(token, ")"))) return undefined;
  const words = after.slice(nameAt).map(readWord);
  const nulls = words.at(-2) === "nulls" ? words.splice(-2)[1] : undefined;
  const [direction = "asc", ...others] = words;
  const isKnown = /^(asc|desc)$/.test(direction) && /^(first|last)?$/.test(nulls ?? "");
  if (!isKnown || others.length > 0) return undefined;
  const name = unquoted(last);
  const column = isPosition(last)
    ? columns[Number(last.text) - 1]
    : (byName.get(name) ?? byName.get(name.toLowerCase()));
  if (column === undefined) return undefined;
  return {
    column,
    isDescending: direction === "desc",
    ...(nulls && { nulls: nulls as "first" | "last" }),
  };
}

function isPosition({ kind, text }: SqlToken): boolean {
  return kind === "word" && /^\d+$/.test(text);
}

function isMark(token: SqlToken | undefined, mark: string): boolean {
  return token?.kind === "mark" && token.text === mark;
}

/** A keyword or a name without quotes, in lower case; empty for anything else. */
function readWord(token: SqlToken | undefined): string {
  return token?.kind === "word" ? token.text.toLowerCase() : "";
}
