import * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ServerAccess } from "../../shared/connection.ts";
import { deleteAgent } from "../../mindsdb/agents.ts";
import { dropStatement } from "../../mindsdb/deleteItem.ts";
import { isAppError } from "../../mindsdb/errors.ts";

/** Asks for confirmation and deletes the agent; false if the user declines. */
export async function confirmAndDeleteAgent(
  servers: ServerAccess,
  agent: AgentRef,
): Promise<boolean> {
  const { connectionId, project, name } = agent;
  // Throws for a name that neither HTTP nor SQL can say, before anybody is asked.
  dropStatement("AGENT", project, name);
  const isAllowed = await servers.allowWrite(connectionId, {
    what: vscode.l10n.t("Delete the agent {0} in {1}", name, project),
    button: vscode.l10n.t("Delete"),
    detail: vscode.l10n.t("It is deleted for everyone. Its tables and knowledge bases stay."),
    deletes: name,
  });
  if (!isAllowed) return false;
  await deleteAgent(await servers.client(connectionId), project, name).catch(ignoreNotFound);
  return true;
}

function ignoreNotFound(error: unknown): void {
  if (!isAppError(error, "notFound")) throw error;
}
