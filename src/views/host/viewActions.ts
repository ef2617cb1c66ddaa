// What commands do with views. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import { dropStatement } from "../../mindsdb/deleteItem.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { deleteView } from "../../mindsdb/viewChanges.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { showStatus } from "../../shared/host/notifications.ts";

interface Options {
  servers: ServerAccess;
  log: Log;
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
        "The tables it reads stay. Agents, jobs and other views that read it will fail.",
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
