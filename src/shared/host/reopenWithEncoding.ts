import * as vscode from "vscode";

/** Opens a file as text and lets the user choose its encoding, in VS Code's own list. */
export async function reopenWithEncoding(uri: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  await vscode.window.showTextDocument(document, { preview: false });
  await vscode.commands.executeCommand("workbench.action.editor.changeEncoding");
}
