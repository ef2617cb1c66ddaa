// Asks for a table: connection, data source, table. What leaves no choice is not asked.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import { listDatabases, listTables } from "../../mindsdb/dataSources.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";

/** Returns a table that the user picks, of a connection if it is given; undefined when closed or failed, which is shown. */
export async function pickTable(
  servers: ServerAccess,
  title: string,
  given?: string,
): Promise<TableRef | undefined> {
  const connectionId = given ?? (await pickConnection(servers, undefined, { title }))?.id;
  if (connectionId === undefined) return undefined;
  try {
    const client = await servers.client(connectionId);
    const databases = await listDatabases(client);
    const sources = databases.filter(({ kind }) => kind === "data");
    const sourceItems = sources.map(({ name, engine }) => {
      return { label: name, description: engine ?? "" };
    });
    const source =
      sourceItems.length === 1
        ? sourceItems[0]
        : await choose(title, vscode.l10n.t("Which data source?"), sourceItems);
    if (!source) return undefined;
    const tables = await listTables(client, source.label);
    const tableItems = tables.map(({ schema, name }) => {
      return { label: name, description: schema ?? "", schema };
    });
    const table = await choose(title, vscode.l10n.t("Which table?"), tableItems);
    if (!table) return undefined;
    const { label, schema } = table;
    const name = formatEntry(schema === undefined ? [label] : [schema, label]);
    return { connectionId, project: source.label, name };
  } catch (error) {
    await showError(error, { connectionId, address: servers.find(connectionId)?.address });
    return undefined;
  }
}

async function choose<Item extends vscode.QuickPickItem>(
  title: string,
  placeholder: string,
  items: readonly Item[],
): Promise<Item | undefined> {
  const picked = await askChoice({ title, placeholder, items });
  return picked === back ? undefined : picked;
}
