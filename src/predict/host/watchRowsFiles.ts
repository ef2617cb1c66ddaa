// Hears of changes to files of rows in the workspace, also of those that other programs make.
import * as vscode from "vscode";

/** Calls `changed` with the address of each file that was written, made or deleted. */
export function watchRowsFiles(changed: (uri: vscode.Uri) => void): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.{json,jsonl,csv}");
  const subscriptions = [
    watcher.onDidChange(changed),
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
  ];
  return vscode.Disposable.from(watcher, ...subscriptions);
}
