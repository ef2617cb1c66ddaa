// Asks for a table or view: connection, data source or project, table. What leaves no choice is not asked.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import { listDatabases, listTables } from "../../mindsdb/dataSources.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import type { View } from "../../mindsdb/listItems.ts";
import { compareNames } from "../../mindsdb/nameOrder.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { listViews } from "../../mindsdb/sql/views.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { pickConnection } from "../../shared/host/newItemTarget.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";

interface SourceItem extends vscode.QuickPickItem {
  /** Those of a project. */
  views?: View[];
}

/** Returns a table or view that the user picks, of a connection if it is given; undefined when closed or failed, which is shown. */
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
    const projects = databases.filter(({ kind }) => kind === "project");
    const viewLists = await inParallel(projects, async ({ name }) => {
      // Without its views a project is not offered.
      const views = await listViews(client, name).catch(() => []);
      return { label: name, description: vscode.l10n.t("Views"), views };
    });
    const sourceItems: SourceItem[] = [
      ...sources.map(({ name, engine }) => ({ label: name, description: engine ?? "" })),
      ...viewLists.filter(({ views }) => views.length > 0),
    ];
    const source =
      sourceItems.length === 1
        ? sourceItems[0]
        : await choose(title, vscode.l10n.t("Which data source?"), sourceItems);
    if (!source) return undefined;
    if (source.views) {
      const viewItems = source.views
        .map(({ name }) => ({ label: name }))
        .sort((a, b) => compareNames(a.label, b.label));
      const view = await choose(title, vscode.l10n.t("Which view?"), viewItems);
      if (!view) return undefined;
      const name = formatEntry([view.label]);
      return { connectionId, project: source.label, name, isView: true };
    }
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
