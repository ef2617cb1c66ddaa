import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { chooseExportFormat } from "../result/exportLines.ts";
import { exportName } from "../result/exportName.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";
import { replaceFile } from "../result/replaceFile.ts";
import type { ResultWindows } from "../result/resultWindows.ts";
import { showErrorMessage, showInformation } from "../../shared/host/notifications.ts";

/** Exports all rows to a file that the user chooses; its extension decides the format. */
export async function exportResult(
  result: ResultWindows,
  notebook: vscode.Uri,
  origin: ResultOrigin,
): Promise<void> {
  const folder =
    notebook.scheme === "untitled"
      ? vscode.workspace.workspaceFolders?.[0]?.uri
      : vscode.Uri.joinPath(notebook, "..");
  const name = exportName({
    notebook: notebook.path,
    rowsFile: origin.rowsFile && vscode.Uri.parse(origin.rowsFile.address).path,
    isPrediction: origin.model !== undefined,
  });
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Export All Rows"),
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    filters: { CSV: ["csv"], JSON: ["json"], "JSON Lines": ["jsonl"] },
  });
  if (!uri) return;
  const { length } = result;
  try {
    await withProgress((signal) => writeResult(result, uri, signal));
  } catch (error) {
    if (isCancelled(error)) return;
    const why = error instanceof Error ? error.message : String(error);
    void showErrorMessage(vscode.l10n.t("The rows could not be exported: {0}", why));
    return;
  }
  const open = vscode.l10n.t("Open");
  const where = isFile(uri) ? uri.fsPath : uri.toString(true);
  const message =
    length === 1
      ? vscode.l10n.t("Exported 1 row to {0}.", where)
      : vscode.l10n.t(
          "Exported {0} rows to {1}.",
          length.toLocaleString(vscode.env.language),
          where,
        );
  if ((await showInformation(message, open)) === open) {
    await vscode.commands.executeCommand("vscode.open", uri);
  }
}

function isFile({ scheme }: vscode.Uri): boolean {
  return scheme === "file";
}

/** Writes all rows. An existing file stays unchanged until the new one is complete. */
async function writeResult(
  result: ResultWindows,
  uri: vscode.Uri,
  signal: AbortSignal,
): Promise<void> {
  const format = chooseExportFormat(uri.path);
  if (isFile(uri)) {
    await replaceFile(uri.fsPath, (part) => result.export(format, part, signal));
    return;
  }
  const copy = path.join(os.tmpdir(), `rows-${randomUUID()}`);
  try {
    await result.export(format, copy, signal);
    await vscode.workspace.fs.copy(vscode.Uri.file(copy), uri, { overwrite: true });
  } finally {
    await fs.rm(copy, { force: true });
  }
}

async function withProgress(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t("Exporting");
  await vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
    const stop = new AbortController();
    const cancel = token.onCancellationRequested(() => stop.abort());
    try {
      await work(stop.signal);
    } finally {
      cancel.dispose();
    }
  });
}
