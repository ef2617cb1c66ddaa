import * as vscode from "vscode";
import { rowsFileGlob } from "../rows/readRows.ts";

/** Calls `onChange` for each rows file in the workspace that is written, created or deleted, by any program. */
export function watchRowsFiles(onChange: (uri: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(rowsFileGlob);
  const subscriptions = [
    watcher.onDidChange(onChange),
    watcher.onDidCreate(onChange),
    watcher.onDidDelete(onChange),
  ];
  return vscode.Disposable.from(watcher, ...subscriptions);
}
