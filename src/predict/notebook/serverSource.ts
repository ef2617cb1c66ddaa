// The rows of a recipe that are on the server: {"table": …} or {"sql": …}.
import * as l10n from "@vscode/l10n";
import { defaultProjectName } from "../../mindsdb/projects.ts";
import { formatTable, type RowSource } from "../../mindsdb/rowPages.ts";
import { explainListing } from "../../mindsdb/sql/findListingUse.ts";
import { listingUse } from "../../mindsdb/sql/listingUse.ts";
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
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
    return { wrong: l10n.t("“{0}” must be a whole number of at least 1.", "limit"), key: "limit" };
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
      wrong: l10n.t(
        'Specify rows on the server as {"table": "source.table"} or {"sql": "SELECT …"}.',
      ),
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
  if (tokens.length === 0) return l10n.t("A condition must be a string, like \"city = 'Rome'\".");
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
  if (first === undefined || statements.length > 1) {
    return l10n.t("Enter exactly one SELECT statement.");
  }
  const kind = kindOfSql(query);
  if (kind === "write" || !/^(select|with|\()$/i.test(first.text)) {
    return l10n.t("Only a SELECT that can't change anything is run.");
  }
  if (kind === "costsMoney") {
    return l10n.t("Not run: the query may call a paid model for each page of rows.");
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
