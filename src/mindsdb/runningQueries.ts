// Queries that a server runs in the background, like an INSERT into a knowledge base. Seen on 26.1.0 and 25.14.1.
import { readNumber, readText } from "./decode.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { omitUndefined } from "./json.ts";
import type { RunningQuery } from "./listItems.ts";
import { runSql } from "./sql/runSql.ts";
import { readInSlices } from "./readInSlices.ts";

/** The queries that have not finished, oldest first. One request. */
export async function listRunningQueries(
  client: Client,
  options: CallOptions = {},
): Promise<RunningQuery[]> {
  const { columns, rows } = await runSql(
    client,
    "SELECT * FROM information_schema.queries",
    options,
  );
  const names = columns.map((column) => column.toUpperCase());
  const read = await readInSlices(rows, (row) =>
    readQuery(Object.fromEntries(names.map((name, at) => [name, row[at]])), client),
  );
  const queries = read.flat().sort((a, b) => a.id - b.id);
  client.observe({ kind: "listed", list: "queries", items: queries });
  return queries;
}

/**
 * Cancels a query, or removes a failed one from the list. The batch under way is still stored. Throws AppError "sql" if it
 * is no longer there. `id` is a number, which needs no quotes.
 */
export async function cancelQuery(client: Client, id: number): Promise<void> {
  await runSql(client, `SELECT query_cancel(${Math.trunc(id)})`);
  client.observe({ kind: "changed", list: "queries" });
}

function readQuery(row: Record<string, unknown>, { secrets }: Client): RunningQuery[] {
  const id = readNumber(row["ID"]) ?? Number(readText(row["ID"]) ?? Number.NaN);
  if (!Number.isSafeInteger(id) || readText(row["FINISHED_AT"])) return [];
  const startedAt = readText(row["STARTED_AT"]);
  const error = readText(row["ERROR"]);
  const state = startedAt ? "running" : "queued";
  return [
    omitUndefined({
      id,
      sql: secrets.redact(readText(row["SQL"]) ?? ""),
      state: error ? "failed" : state,
      startedAt: startedAt || undefined,
      updatedAt: readText(row["UPDATED_AT"]) || undefined,
      processedRows: readNumber(row["PROCESSED_ROWS"]),
      error: error ? secrets.redact(error) : undefined,
    }),
  ];
}
