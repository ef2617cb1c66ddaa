import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { executeCommand } from "./commands.ts";
import { showInformation } from "./notifications.ts";

/**
 * Offers to add a connection or to start the sample server. Resolves with true if there is a connection now.
 */
export async function offerConnection(
  servers: { list(): readonly unknown[] },
  message = vscode.l10n.t("No MindsDB server is connected yet."),
): Promise<boolean> {
  const add = vscode.l10n.t("Add Connection…");
  const sample = vscode.l10n.t("Try the Sample Server");
  const answer = await showInformation(message, sample, add);
  if (answer === add) await executeCommand(commands.connectionAdd);
  if (answer === sample) await executeCommand(commands.sampleServerStart);
  return servers.list().length > 0;
}
