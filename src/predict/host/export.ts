// `Export…`: a whole result into a file.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import * as vscode from "vscode";
import { exportLines, type ExportFormat } from "../exportLines.ts";
import type { ResultTable } from "../resultTable.ts";

/** Asks where to, and in which format by the name's ending. */
export async function exportResult(table: ResultTable, notebook: vscode.Uri): Promise<void> {
  const folder =
    notebook.scheme === "untitled"
      ? vscode.workspace.workspaceFolders?.[0]?.uri
      : vscode.Uri.joinPath(notebook, "..");
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export All Rows"),
    saveLabel: vscode.l10n.t("Export"),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, "predictions.csv") } : {}),
    filters: { CSV: ["csv"], JSON: ["json"], "JSON Lines": ["jsonl"] },
  });
  if (!uri) return;
  await writeResult(table, uri);
  const open = vscode.l10n.t("Open");
  const message = vscode.l10n.t("Exported {0} rows.", table.length);
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}

/** Writes all rows; the name's ending says how. */
export async function writeResult(table: ResultTable, uri: vscode.Uri): Promise<void> {
  const lines = exportLines(table, formatOf(uri));
  if (uri.scheme === "file") {
    await pipeline(lines, createWriteStream(uri.fsPath));
  } else {
    await vscode.workspace.fs.writeFile(uri, Buffer.from([...lines].join("")));
  }
}

function formatOf({ path }: vscode.Uri): ExportFormat {
  if (/\.jsonl$/i.test(path)) return "jsonLines";
  return /\.json$/i.test(path) ? "json" : "csv";
}
