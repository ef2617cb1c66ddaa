// `Export…` on a table of a conversation: all its rows into a file.
import * as vscode from "vscode";
import type { Log } from "../../shared/host/log.ts";
import { showErrorMessage, showInformation } from "../../shared/host/notifications.ts";
import type { TextTable } from "../../shared/textTable.ts";

/** Asks for a file, whose extension selects the format, and writes the table. `name` is the suggested file name. */
export async function exportTable(table: TextTable, name: string, log: Log): Promise<void> {
  const fileName = `${name.replace(/[^\p{L}\p{N} _-]/gu, "_").slice(0, 40)}.csv`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export All Rows"),
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: folder && vscode.Uri.joinPath(folder, fileName),
    filters: { CSV: ["csv"], JSON: ["json"], "JSON Lines": ["jsonl"] },
  });
  if (!uri) return;
  try {
    const { formatTableFile, exportFormatFor } = await import("../tables/exportFormat.ts");
    const text = formatTableFile(table, exportFormatFor(uri.path));
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
  } catch (error) {
    log.error("Could not export a table", error);
    const why = error instanceof Error ? error.message : String(error);
    void showErrorMessage(vscode.l10n.t("The rows could not be exported: {0}", why));
    return;
  }
  const open = vscode.l10n.t("Open");
  const where = uri.scheme === "file" ? uri.fsPath : uri.toString(true);
  const message =
    table.rows.length === 1
      ? vscode.l10n.t("Exported 1 row to {0}.", where)
      : vscode.l10n.t(
          "Exported {0} rows to {1}.",
          table.rows.length.toLocaleString(vscode.env.language),
          where,
        );
  if ((await showInformation(message, open)) === open) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}
