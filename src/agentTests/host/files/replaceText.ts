import * as vscode from "vscode";

/** Replaces the text of a document and saves it, so that Undo brings the former text back. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const end = document.positionAt(document.getText().length);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
}
