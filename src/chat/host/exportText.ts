// Writes parts of a conversation into files.
import * as vscode from "vscode";
import type { Log } from "../../shared/host/log.ts";
import { showErrorMessage } from "../../shared/host/notifications.ts";
import { toFileName } from "../fileName.ts";

interface TextExport {
  /** Of the dialog. */
  title: string;
  /** The suggested file name, which may have any characters. */
  name: string;
  extension: string;
  filters: Record<string, string[]>;
  format: (uri: vscode.Uri) => string | Promise<string>;
  formatFailure: (why: string) => string;
}

/** Asks for a file, and writes the text into it; undefined if the user cancels or it failed, which the user is told. */
export async function exportText(
  { title, name, extension, filters, format, formatFailure }: TextExport,
  log: Log,
): Promise<vscode.Uri | undefined> {
  const fileName = `${toFileName(name)}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title,
    saveLabel: vscode.l10n.t("Export"),
    defaultUri: folder && vscode.Uri.joinPath(folder, fileName),
    filters,
  });
  if (!uri) return undefined;
  try {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(await format(uri), "utf8"));
    return uri;
  } catch (error) {
    log.error("Could not export a part of a conversation", error);
    void showErrorMessage(formatFailure(error instanceof Error ? error.message : String(error)));
    return undefined;
  }
}
