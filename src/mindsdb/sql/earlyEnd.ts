// Results that can lack rows without an error: where fetching rows from PostgreSQL fails, 26.x ends the result after the
// batches that it has, which are of 10,000 rows each (seen on 26.1.0; 25.14.1 sends the error).
import { listDatabases } from "../dataSources.ts";
import type { CallOptions, Client } from "../http/client.ts";
import { isObject } from "../json.ts";
import { isMark, isWord, tokenizeSql, type SqlToken } from "./sqlTokens.ts";
import { startsQuery } from "./statementKind.ts";
import { orUnknown, searchTables } from "./tableSearch.ts";

const batchRows = 10_000;
/** Engines whose handlers are that of PostgreSQL. */
const postgresEngines = new Set(["postgres", "redshift", "timescaledb"]);

/**
 * Whether rows may be missing at the end of a query's result, also of one that reads from PostgreSQL through views.
 * `database`: that of names without one. False where that cannot be found out.
 */
export async function mayEndEarly(
  client: Client,
  statement: string,
  rows: number,
  { database, ...options }: CallOptions & { database?: string | undefined } = {},
): Promise<boolean> {
  const { statements, isSure } = tokenizeSql(statement);
  const tokens = statements[0]?.tokens ?? [];
  const isQuery = isSure && statements.length === 1 && startsQuery(tokens[0]);
  if (!isQuery || rows % batchRows !== 0 || readLimit(tokens) === rows) return false;
  const databases = await listDatabases(client, options).catch(() => []);
  const sources = databases.filter(({ engine = "" }) => postgresEngines.has(engine));
  if (sources.length === 0) return false;
  const names = new Set(sources.map(({ name }) => name.toLowerCase()));
  const search = searchTables(client, { signal: options.signal, database });
  const isRead = await orUnknown(search.mayReadFrom(statement, names), false);
  return isRead && (await endsEarly(client, options));
}

/** The number of rows that a query asks for at its end: as many are all of them. */
function readLimit(tokens: readonly SqlToken[]): number | undefined {
  let end = tokens.length;
  while (isMark(tokens[end - 1], ")")) end--;
  const last = tokens.slice(Math.max(0, end - 5), end);
  const limit = last.findIndex((token) => isWord(token, "limit"));
  const [first, mark, second, ...more] = last.slice(limit + 1).map(({ text }) => text);
  if (limit < 0 || more.length > 0) return undefined;
  // The first number of two is the offset, if a comma is between them.
  const count = mark === "," ? second : first;
  const isWhole = mark === undefined || second !== undefined;
  return isWhole && /^\d{1,15}$/.test(count ?? "") ? Number(count) : undefined;
}

async function endsEarly(client: Client, options: CallOptions): Promise<boolean> {
  const status = await client.get("/api/status", options).catch(() => undefined);
  const version = isObject(status) ? status["mindsdb_version"] : undefined;
  return typeof version === "string" && Number.parseInt(version, 10) >= 26;
}
