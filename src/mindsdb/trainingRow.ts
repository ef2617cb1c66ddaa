// Reads an example row from a model's training table. The training query is parsed for the table's name and never run.
import { listDatabases } from "./dataSources.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { AppError } from "./errors.ts";
import { CostConsent } from "./http/costConsent.ts";
import { throwIfListing } from "./sql/findListingUse.ts";
import { quoteName, quotePath, runSql } from "./sql/runSql.ts";
import { dottedName, tokenizeSql } from "./sql/sqlTokens.ts";

/** Values of a row, with the table it comes from. */
export interface TrainingRow {
  /** The table by its parts: data source, schema if any, name. */
  table: string[];
  /** By column, in the order asked for. */
  values: Map<string, unknown>;
  /** The values of all rows that were read, by column. */
  seen: Map<string, unknown[]>;
}

/** Rows among which the one with the fewest missing values is used, and that are read unless more are wanted. */
const rowsCompared = 10;

/** Maximum data sources to try: servers do not tell which one contains a model's table. */
const maxSources = 8;

/**
 * A row of the table that a training query names first, if it has all of the columns. All that is run is a SELECT of our
 * own, with quoted names and a limit, in each place where the table may be. Undefined if none of them has such a row in
 * time.
 */
export async function readTrainingRow(
  client: Client,
  {
    project,
    query,
    columns,
    maxRows = rowsCompared,
  }: { project: string; query: string; columns: readonly string[]; maxRows?: number },
  options: CallOptions = {},
): Promise<TrainingRow | undefined> {
  const named = trainingTable(query);
  if (!named) return undefined;
  const databases = await listDatabases(client, options);
  const isDatabase = databases.some(({ name }) => name === named[0]?.toLowerCase());
  const sources = databases.filter(({ kind }) => kind === "data").slice(0, maxSources);
  // The project too: models can be trained on its views.
  const owners = [...sources.map(({ name }) => name), project];
  const places = [
    ...(isDatabase && named.length > 1 ? [named] : []),
    ...owners.map((owner) => [owner, ...named]),
  ];
  const found = new AbortController();
  const signal = AbortSignal.any([found.signal, ...(options.signal ? [options.signal] : [])]);
  const own: CallOptions = { signal, cost: CostConsent.refusal() };
  try {
    // The first result, so that an unavailable data source causes no delay.
    return await Promise.any(
      places.map((table) => findRow(client, table, { columns, maxRows }, own)),
    );
  } catch {
    return undefined;
  } finally {
    found.abort();
  }
}

/** Rejects if the table does not exist, has other columns, or may be a listing of the server. */
async function findRow(
  client: Client,
  table: string[],
  { columns, maxRows }: { columns: readonly string[]; maxRows: number },
  options: CallOptions,
): Promise<TrainingRow> {
  const name = quotePath(table, quoteName);
  const query = `SELECT * FROM ${name} LIMIT ${maxRows}`;
  await throwIfListing(client, query, options);
  const found = await runSql(client, query, options);
  const placeOf = new Map(found.columns.map((column, at) => [column, at]));
  const places = columns.map((column) => placeOf.get(column) ?? -1);
  if (places.includes(-1)) throw new AppError("notFound", `No row of ${name} fits.`);
  const gaps = (row: unknown[]): number => row.filter((value) => value === null).length;
  // A server may ignore the limit.
  const rows = found.rows.slice(0, maxRows).map((row) => places.map((place) => row[place] ?? null));
  const [fullest] = rows.slice(0, rowsCompared).sort((a, b) => gaps(a) - gaps(b));
  if (!fullest) throw new AppError("notFound", `No row of ${name} fits.`);
  return {
    table,
    values: new Map(columns.map((column, at) => [column, fullest[at]])),
    seen: new Map(columns.map((column, at) => [column, rows.map((row) => row[at])])),
  };
}

/** The parts of the first table's name after a SELECT's FROM; undefined for every other statement. */
export function trainingTable(query: string): string[] | undefined {
  const [statement] = tokenizeSql(query).statements;
  const tokens = statement?.tokens ?? [];
  if (tokens[0]?.text.toLowerCase() !== "select") return undefined;
  let depth = 0;
  for (const [at, { kind, text }] of tokens.entries()) {
    if (text === "(") depth++;
    if (text === ")") depth--;
    if (depth > 0 || kind !== "word" || text.toLowerCase() !== "from") continue;
    const name = dottedName(tokens, at + 1);
    // With a parenthesis it is a function or a native query.
    const isTable = name.length > 0 && tokens[at + 2 * name.length]?.text !== "(";
    return isTable ? name : undefined;
  }
  return undefined;
}
