// Results that can lack rows without an error: where fetching rows from PostgreSQL fails, 26.x ends the result after the
// batches that it has, which are of 10,000 rows each (seen on 26.1.0; 25.14.1 sends the error).
import { listDatabases } from "../dataSources.ts";
import type { CallOptions, Client } from "../http/client.ts";
import { isObject } from "../json.ts";
import { singleSelect } from "./singleSelect.ts";
import { findTables } from "./statementKind.ts";

const batchRows = 10_000;
/** Engines whose handlers are that of PostgreSQL. */
const postgresEngines = new Set(["postgres", "redshift", "timescaledb"]);

/**
 * Whether rows may be missing at the end of a SELECT's result. Views are not followed. `database`: that of names without
 * one. False where that cannot be found out.
 */
export async function mayEndEarly(
  client: Client,
  statement: string,
  rows: number,
  { database, ...options }: CallOptions & { database?: string | undefined } = {},
): Promise<boolean> {
  const select = singleSelect(statement);
  if (select === undefined || rows % batchRows !== 0 || isLimit(select, rows)) return false;
  const { tables, natives } = findTables(select);
  const owners = [...tables, ...natives].flatMap(({ readings }) =>
    readings.map(([first]) => first),
  );
  const named = new Set([...owners, database].map((name) => name?.toLowerCase()));
  const databases = await listDatabases(client, options).catch(() => []);
  const isRead = databases.some(
    ({ name, engine = "" }) => postgresEngines.has(engine) && named.has(name.toLowerCase()),
  );
  return isRead && (await endsEarly(client, options));
}

/** As many rows as the statement asks for are all of them. */
function isLimit(select: string, rows: number): boolean {
  const [, limit] = /\blimit\s+(\d{1,15})\s*$/i.exec(select.slice(-100)) ?? [];
  return rows > 0 && Number(limit) === rows;
}

async function endsEarly(client: Client, options: CallOptions): Promise<boolean> {
  const status = await client.get("/api/status", options).catch(() => undefined);
  const version = isObject(status) ? status["mindsdb_version"] : undefined;
  return typeof version === "string" && Number.parseInt(version, 10) >= 26;
}
