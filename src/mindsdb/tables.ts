// Tables of data sources: their columns with types, and their first rows.
import { filesSource } from "./filesSource.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { CostConsent } from "./http/costConsent.ts";
import { omitUndefined } from "./json.ts";
import { redactResult, type RedactedResult } from "./redact/redactResult.ts";
import { formatCount } from "./sql/quoteName.ts";
import { quotePath, runSql } from "./sql/runSql.ts";
import { kindOfSql } from "./sql/statementKind.ts";

/** `type` is the data source's own name for it, or what the first rows hold; absent if neither tells. */
export interface TableColumn {
  name: string;
  type?: string;
}

/** The type that the server gives all columns of a view (26.1.0). */
const viewType = "varchar(1024)";

/** How many rows the types of columns are read from. */
const typedRows = 20;

/** The first rows of a table, given as data source, schema if any, and name, without secrets. */
export async function readFirstRows(
  client: Client,
  table: readonly string[],
  limit: number,
  options: CallOptions = {},
): Promise<RedactedResult> {
  const name = quotePath(table);
  const statement = `SELECT * FROM ${name} LIMIT ${formatCount(limit)}`;
  const own = { cost: CostConsent.refusal(), ...omitUndefined(options) };
  const use = await client.findListingUse(statement, own);
  // Of a listing, each text is searched for secrets.
  const limits = use === "plain" ? responseLimits.small : undefined;
  const limited = { ...own, ...(limits && { limits }) };
  const [result] = await Promise.all([runSql(client, statement, limited), client.learnSecrets()]);
  return redactResult(result, use, client.secrets);
}

/**
 * The columns of a table with their types. For uploaded files the server says "text" of every column, so their types
 * are read from the first rows; so are those of data sources that do not describe their tables.
 */
export async function listTableColumns(
  client: Client,
  table: readonly string[],
): Promise<TableColumn[]> {
  const { columns, rows } = await readFirstRows(client, table, typedRows);
  const types = table[0] === filesSource ? undefined : await readDeclaredTypes(client, table);
  return columns.map((name, at) => {
    const type = types?.get(name) ?? typeOfValues(rows.map((row) => row[at]));
    return omitUndefined({ name, type });
  });
}

/** The types that the data source declares, by column; undefined if it does not describe the table. */
async function readDeclaredTypes(
  client: Client,
  table: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const query = `SHOW COLUMNS FROM ${quotePath(table)}`;
  // The server writes the name into a statement without quotes.
  if (kindOfSql(query) !== "read") return undefined;
  const types = await readTypes(client, query, ["field", "type"]);
  if (!types || types.size > 0) return types;
  // It shows none of a schema that is not the source's own. Only names without quotes are looked for.
  const [source = "", schema = "", name = ""] = table;
  if (![schema, name].every((one) => /^\w+$/.test(one))) return types;
  const columns = `SELECT column_name, data_type FROM ${quotePath([source, "information_schema", "columns"])}`;
  const wanted = `table_schema = '${schema}' AND table_name = '${name}'`;
  return readTypes(client, `${columns} WHERE ${wanted}`, ["column_name", "data_type"]);
}

/** The types that a statement returns, by column. `titles`: the columns with the name and the type. */
async function readTypes(
  client: Client,
  query: string,
  titles: readonly [name: string, type: string],
): Promise<ReadonlyMap<string, string> | undefined> {
  const answer = await runSql(client, query).catch(() => undefined);
  if (!answer) return undefined;
  const names = answer.columns.map((column) => column.toLowerCase());
  const [field, type] = titles.map((title) => names.indexOf(title)) as [number, number];
  if (field < 0 || type < 0) return undefined;
  const types = new Map<string, string>();
  for (const row of answer.rows) {
    const [column, declared] = [row[field], row[type]];
    if (typeof column === "string" && typeof declared === "string" && declared !== "") {
      // The server writes so where it should write a number.
      types.set(column, declared.replace(/\(\d+,NUMERIC_SCALE\)$/, ""));
    }
  }
  return new Set(types.values()).size === 1 && types.values().next().value === viewType
    ? new Map()
    : types;
}

/** The type that all values have; undefined without values, "mixed" if they differ. */
export function typeOfValues(values: readonly unknown[]): string | undefined {
  const types = new Set(
    values.filter((value) => value !== null && value !== undefined).map(typeOfValue),
  );
  if (types.delete("longInteger") && !types.has("text")) types.add("number");
  const [first, ...others] = types;
  return others.length > 0 ? "mixed" : first;
}

function typeOfValue(value: unknown): string {
  // Whole numbers beyond JavaScript's arrive as texts (http/httpResponse.ts).
  if (typeof value === "string") return isLongInteger(value) ? "longInteger" : "text";
  return typeof value === "object" ? "object" : typeof value;
}

function isLongInteger(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
