import * as vscode from "vscode";
import { showWarning } from "../../shared/host/notifications.ts";

/** Says that the questions of files are not asked before the workspace is trusted. */
export async function explainTrust(): Promise<void> {
  const manage = vscode.l10n.t("Manage Workspace Trust");
  const message = vscode.l10n.t("Agent tests do not run in an untrusted workspace.");
  if ((await showWarning(message, manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}
