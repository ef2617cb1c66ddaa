// Messages about an exported file.
import * as vscode from "vscode";
import { showInformation } from "./notifications.ts";

/** Says where something was exported to, and offers to open the file. */
export async function showExported(
  uri: vscode.Uri,
  formatMessage: (where: string) => string,
): Promise<void> {
  const open = vscode.l10n.t("Open");
  const where = uri.scheme === "file" ? uri.fsPath : uri.toString(true);
  if ((await showInformation(formatMessage(where), open)) === open) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}

export function showExportedRows(uri: vscode.Uri, count: number): Promise<void> {
  return showExported(uri, (where) => formatExportedRows(count, where));
}

export function formatExportedRows(count: number, where: string): string {
  if (count === 1) return vscode.l10n.t("Exported 1 row to {0}.", where);
  const shown = count.toLocaleString(vscode.env.language);
  return vscode.l10n.t("Exported {0} rows to {1}.", shown, where);
}
