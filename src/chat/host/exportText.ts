// Writes parts of a conversation into files.
import * as vscode from "vscode";
import { showExported } from "../../shared/host/exportFile.ts";
import type { Log } from "../../shared/host/log.ts";
import { showErrorMessage } from "../../shared/host/notifications.ts";
import { writeFile } from "../../shared/host/writeFile.ts";
import { toFileName } from "../../shared/files/fileName.ts";

interface TextExport {
  /** Of the dialog. */
  title: string;
  /** The suggested file name, which may have any characters. */
  name: string;
  extension: string;
  filters: Record<string, string[]>;
  format: (uri: vscode.Uri) => string | Promise<string>;
  /** `where` is the file's path. */
  formatSuccess: (where: string) => string;
  formatFailure: (why: string) => string;
}

/** Asks for a file, writes the text into it, and tells the user, also if that failed. */
export async function exportText(
  { title, name, extension, filters, format, formatSuccess, formatFailure }: TextExport,
  log: Log,
): Promise<void> {
  const fileName = `${toFileName(name)}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: folder && vscode.Uri.joinPath(folder, fileName),
    filters,
  });
  if (!uri) return;
  try {
    await writeFile(uri, await format(uri));
  } catch (error) {
    log.error("Could not export a part of a conversation", error);
    void showErrorMessage(formatFailure(error instanceof Error ? error.message : String(error)));
    return;
  }
  await showExported(uri, formatSuccess);
}
