// Triggers of a project: listing, creating and deleting. Servers have no HTTP for them. Seen on 26.1.0 and 25.14.1.
import { listDatabases } from "./dataSources.ts";
import { readText } from "./decode.ts";
import { AppError } from "./errors.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { omitUndefined } from "./json.ts";
import type { Trigger } from "./listItems.ts";
import { compareNames } from "./nameOrder.ts";
import type { ItemPlace } from "./references.ts";
import { enclosedSql, isEnclosable } from "./sql/enclosedSql.ts";
import { quoteName, quotePath, runSql } from "./sql/runSql.ts";
import { readInSlices } from "./readInSlices.ts";

/**
 * The triggers of a project, by name. One request if there are none, otherwise two: for a data source that was disconnected
 * servers show `?`, or a project with the same id. The list of all projects fails if one of them was deleted.
 */
export async function listTriggers(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Trigger[]> {
  const sql = "SELECT * FROM information_schema.triggers WHERE project = :project";
  const { columns, rows } = await runSql(client, sql, { ...options, params: { project } });
  const databases = rows.length > 0 ? await listDatabases(client, options) : [];
  const sources = new Set(databases.filter(({ kind }) => kind === "data").map(({ name }) => name));
  const titles = columns.map((column) => column.toLowerCase());
  const triggers = await readInSlices(rows, (row): Trigger[] => {
    const read = (title: string): string | undefined => {
      const text = readText(row[titles.indexOf(title)]);
      return text === "" ? undefined : text;
    };
    const [name, source, query = ""] = [read("name"), read("database"), read("query")];
    if (name === undefined) return [];
    const shown = client.secrets.redact(query);
    const lastError = read("last_error");
    const trigger = {
      name,
      source: source !== undefined && sources.has(source) ? source : undefined,
      table: read("table") ?? "",
      query: shown,
      isRedacted: shown === query ? undefined : (true as const),
      lastError: lastError && client.secrets.redact(lastError),
    };
    return [omitUndefined(trigger)];
  });
  return triggers.flat().sort((a, b) => compareNames(a.name, b.name));
}

/** A trigger as it is created. `columns` are those whose change runs the statement; with none, every change does. */
export interface NewTrigger {
  name: string;
  source: string;
  table: string;
  columns: string[];
  query: string;
}

/** Creates a trigger. Throws AppError "sql" if the source or the server refuses it. */
export async function createTrigger(
  client: Client,
  project: string,
  trigger: NewTrigger,
  options: CallOptions = {},
): Promise<void> {
  if (!isEnclosable(trigger.query)) throw new AppError("sql", "The statement is not complete.");
  await runSql(client, createTriggerStatement(project, trigger), options);
}

/** Text that would end the brackets around the statement is left out, with a placeholder for it. */
export function createTriggerStatement(project: string, trigger: NewTrigger): string {
  const { name, source, table, columns, query } = trigger;
  const head = `CREATE TRIGGER ${quotePath([project, name])} ON ${quotePath([source, table])}`;
  const listed = columns.length > 0 ? ` COLUMNS ${columns.map(quoteName).join(", ")}` : "";
  return `${head}${listed} (\n${enclosedSql(query)}\n)`;
}

/** Deletes a trigger. Throws AppError "sql" if there is none of this name. */
export async function deleteTrigger(client: Client, { project, name }: ItemPlace): Promise<void> {
  await runSql(client, `DROP TRIGGER ${quotePath([project, name])}`);
}
