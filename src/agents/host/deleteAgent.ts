import * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ServerAccess } from "../../connections/connection.ts";
import { deleteAgent } from "../../mindsdb/agents.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { showWarning } from "../../shared/host/notifications.ts";

/** Asks for confirmation and deletes the agent; false if the user declines. */
export async function confirmAndDeleteAgent(
  servers: ServerAccess,
  agent: AgentRef,
): Promise<boolean> {
  const { connectionId, project, name } = agent;
  const yes = vscode.l10n.t("Delete");
  const answer = await showWarning(
    vscode.l10n.t("Delete the agent {0}?", name),
    {
      modal: true,
      detail: vscode.l10n.t(
        "It is deleted from {0} on {1} for everybody. Its tables and knowledge bases stay.",
        project,
        servers.find(connectionId)?.name ?? connectionId,
      ),
    },
    yes,
  );
  if (answer !== yes) return false;
  await deleteAgent(await servers.client(connectionId), project, name).catch(ignoreNotFound);
  return true;
}

function ignoreNotFound(error: unknown): void {
  if (!isAppError(error, "notFound")) throw error;
}
