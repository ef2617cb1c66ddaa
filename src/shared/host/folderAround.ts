import path from "node:path";
import * as vscode from "vscode";

/** The folder in which links of a file may be followed: its workspace folder, or else the one that it is in. */
export function folderAround(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
}
