import * as vscode from "vscode";
import type { Log } from "./log.ts";
import { showErrorMessage } from "./notifications.ts";

/** Tells the user that the extension could not start. */
export async function showActivationFailure(log: Log): Promise<void> {
  const showLog = vscode.l10n.t("Show Log");
  const button = await showErrorMessage(
    vscode.l10n.t("Workbench for MindsDB could not start. See the log for details."),
    showLog,
  );
  // The command for the log may be among those that are not registered.
  if (button === showLog) log.show();
}
