import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { isCancelled } from "../../mindsdb/errors.ts";
import { chooseExportFormat } from "../../shared/exportFormat.ts";
import { exportName } from "../result/exportName.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";
import { replaceFile } from "../../shared/files/replaceFile.ts";
import type { RowOrder } from "../result/rowTable.ts";
import type { ExportOptions, ResultTable } from "../result/resultTable.ts";
import { showExportedRows } from "../../shared/host/exportFile.ts";
import { showErrorMessage } from "../../shared/host/notifications.ts";
import { isCsvForExcel } from "../../shared/host/settings.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { folderOf } from "./findRowsFile.ts";
import { pickItem } from "../../shared/host/pickItem.ts";

/**
 * Exports rows to a file that the user chooses; its extension decides the format. A view that is sorted or filtered
 * (`shown`) is exported, or all rows, as the user chooses.
 */
export async function exportResult(
  result: ResultTable,
  shown: RowOrder,
  notebook: vscode.Uri,
  origin: RunOrigin,
): Promise<void> {
  const choice = shown ? await chooseRows(result.length, shown) : { order: undefined };
  if (!choice) return;
  const { order } = choice;
  const folder = folderOf(notebook) ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = exportName({
    notebook: notebook.path,
    rowsFile: origin.rowsFile && vscode.Uri.parse(origin.rowsFile.address).path,
    table: origin.serverRows?.table,
    isPrediction: origin.model !== undefined,
  });
  const uri = await vscode.window.showSaveDialog({
    title: order ? vscode.l10n.t("Export Shown Rows") : vscode.l10n.t("Export All Rows"),
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
    filters: { CSV: ["csv"], JSON: ["json"], "JSON Lines": ["jsonl"] },
  });
  if (!uri) return;
  try {
    await withCancelButton(vscode.l10n.t("Exporting"), (signal) =>
      writeResult(result, uri, { order, signal }),
    );
  } catch (error) {
    if (isCancelled(error)) return;
    const why = error instanceof Error ? error.message : String(error);
    void showErrorMessage(vscode.l10n.t("The rows could not be exported: {0}", why));
    return;
  }
  await showExportedRows(uri, (order ?? result).length);
}

/** Undefined if the user cancels. */
async function chooseRows(
  length: number,
  shown: Uint32Array,
): Promise<{ order: RowOrder } | undefined> {
  const rows = (count: number): string =>
    count === 1
      ? vscode.l10n.t("1 row")
      : vscode.l10n.t("{0} rows", count.toLocaleString(vscode.env.language));
  return pickItem(
    [
      {
        label: vscode.l10n.t("Shown Rows"),
        description: rows(shown.length),
        detail: vscode.l10n.t("Only the rows that are shown, sorted as in the grid"),
        order: shown,
      },
      {
        label: vscode.l10n.t("All Rows"),
        description: rows(length),
        detail: vscode.l10n.t("In the original order"),
        order: undefined,
      },
    ],
    {
      title: vscode.l10n.t("Export"),
      placeHolder: vscode.l10n.t("The rows to export"),
      // The notebook takes the focus a moment after the click in its output, which would close the list.
      ignoreFocusOut: true,
    },
  );
}

/** Writes rows. An existing file stays unchanged until the new one is complete. */
async function writeResult(
  result: ResultTable,
  uri: vscode.Uri,
  options: ExportOptions,
): Promise<void> {
  const format = chooseExportFormat(uri.path, isCsvForExcel());
  if (uri.scheme === "file") {
    await replaceFile(uri.fsPath, (part) => result.export(format, part, options));
    return;
  }
  const copy = path.join(os.tmpdir(), `rows-${randomUUID()}`);
  try {
    await result.export(format, copy, options);
    await vscode.workspace.fs.copy(vscode.Uri.file(copy), uri, { overwrite: true });
  } finally {
    await fs.rm(copy, { force: true });
  }
}
