// Commands on triggers. Imported with the first use.
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import { deleteTrigger } from "../../mindsdb/triggers.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { Log } from "../../shared/host/log.ts";
import { createOnServer } from "../../shared/host/newItemTarget.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import type { TriggerForms } from "./triggerForms.ts";

interface Options {
  servers: ServerAccess;
  log: Log;
}

/** A project's list, or a table of a data source. */
export type TriggerTarget = { connectionId: string; project?: string } & Partial<TableRef>;

/** Opens a form for a new trigger; asks for the connection unless it is given or the only one. */
export async function createInForm(
  options: Options,
  given: TriggerTarget | undefined,
  loadForms: () => Promise<TriggerForms>,
): Promise<void> {
  const { connectionId, project, name } = given ?? {};
  const table =
    connectionId === undefined || project === undefined || name === undefined
      ? undefined
      : { connectionId, project, name };
  const texts = {
    title: vscode.l10n.t("Create a Trigger"),
    offer: vscode.l10n.t("Triggers need a MindsDB server, and none is connected yet."),
    task: "Creating a trigger",
  };
  // A table has a data source, not a project.
  const place = given && { ...given, project: table ? undefined : project };
  await createOnServer(options, place, texts, async (id, inProject) => {
    (await loadForms()).create(id, inProject, table);
  });
}

/** Asks for confirmation and deletes the trigger. */
export async function confirmAndDelete(
  options: Options,
  { connectionId, project, name }: ItemRef,
): Promise<void> {
  const { servers } = options;
  await attempt(options, "Deleting a trigger", connectionId, async () => {
    const isAllowed = await servers.allowWrite(connectionId, {
      what: vscode.l10n.t("Delete the trigger {0} in {1}", name, project),
      button: vscode.l10n.t("Delete"),
      detail: vscode.l10n.t(
        "Its statement stops running for everyone. The table and its rows stay.",
      ),
      deletes: name,
    });
    if (!isAllowed) return;
    await deleteTrigger(await servers.client(connectionId), { project, name });
    showStatus(vscode.l10n.t("Deleted {0}", name));
  });
}
