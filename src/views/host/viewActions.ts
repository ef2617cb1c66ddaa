// Commands on views. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import { dropStatement } from "../../mindsdb/deleteItem.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { deleteView, getView } from "../../mindsdb/viewChanges.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { createOnServer, type NewItemPlace } from "../../shared/host/newItemTarget.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import type { ViewForms } from "./viewForms.ts";

/** Where a new view is wanted, and of what. */
export interface NewViewPlace extends NewItemPlace {
  /** The project or data source that names without one are in. */
  database?: string | undefined;
  query?: string;
}

interface Options {
  servers: ServerAccess;
  log: Log;
}

/** Opens a form for a new view; asks for the connection unless it is given or the only one. */
export async function createInForm(
  options: Options,
  given: NewViewPlace | undefined,
  loadForms: () => Promise<ViewForms>,
): Promise<void> {
  const texts = {
    title: vscode.l10n.t("Create a View"),
    offer: vscode.l10n.t("Views need a MindsDB server, and none is connected yet."),
    task: "Creating a view",
  };
  await createOnServer(options, given, texts, async (connectionId, project) => {
    const { database, query = "" } = given ?? {};
    const named = await findProject(options.servers, connectionId, database);
    (await loadForms()).create(connectionId, named ?? project, query);
  });
}

/** The project of this name, if it is one and not a data source. */
async function findProject(
  servers: ServerAccess,
  connectionId: string,
  database: string | undefined,
): Promise<string | undefined> {
  if (database === undefined) return undefined;
  const projects = await listProjects(await servers.client(connectionId)).catch(() => []);
  return projects.find(({ name }) => isSameName(name, database))?.name;
}

/** Opens the form of a view, with its query as the server has it now. */
export async function editInForm(
  options: Options,
  { connectionId, project, name: entry }: TableRef,
  loadForms: () => Promise<ViewForms>,
): Promise<void> {
  await attempt(options, "Editing a view", connectionId, async () => {
    const client = await options.servers.client(connectionId);
    const { name, query } = await getView(client, { project, name: nameOf(entry) });
    (await loadForms()).edit(connectionId, { project, name, query });
  });
}

/** Asks for confirmation and deletes the view. */
export async function confirmAndDelete(
  options: Options,
  { connectionId, project, name: entry }: TableRef,
): Promise<void> {
  const { servers } = options;
  const name = nameOf(entry);
  await attempt(options, "Deleting a view", connectionId, async () => {
    // Throws for a name that neither HTTP nor SQL can say, before anybody is asked.
    dropStatement("VIEW", project, name);
    const isAllowed = await servers.allowWrite(connectionId, {
      what: vscode.l10n.t("Delete the view {0} in {1}", name, project),
      button: vscode.l10n.t("Delete"),
      detail: vscode.l10n.t(
        "The tables it reads stay. Agents, jobs, and other views that read it will fail.",
      ),
      deletes: name,
    });
    if (!isAllowed) return;
    await deleteView(await servers.client(connectionId), { project, name });
    showStatus(vscode.l10n.t("Deleted {0}", name));
  });
}

/** References to tables have names as `formatEntry` writes them. */
function nameOf(entry: string): string {
  return splitEntry(entry).at(-1) ?? entry;
}
