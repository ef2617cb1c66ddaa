import * as vscode from "vscode";
import { showWarning } from "../../shared/host/notifications.ts";

/**
 * Inserts text at the cursors of an editor, in place of what is selected, and focuses it. Without an editor it opens the
 * text as a new file.
 */
export async function insertCode(
  text: string,
  editor: vscode.TextEditor | undefined,
): Promise<void> {
  if (!editor) {
    const document = await vscode.workspace.openTextDocument({ content: text });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
    return;
  }
  const isInserted = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isInserted) {
    await showWarning(vscode.l10n.t("The code could not be inserted: the editor is read-only."));
    return;
  }
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** Knows the editor that the user was in last, while it is visible: a page that has the focus hides which one is active. */
export class LastEditor implements vscode.Disposable {
  #last = vscode.window.activeTextEditor;
  readonly #subscription = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (editor) this.#last = editor;
  });

  get editor(): vscode.TextEditor | undefined {
    const visible = vscode.window.visibleTextEditors.filter(
      ({ document, viewColumn }) => viewColumn !== undefined && document.uri.scheme !== "output",
    );
    return visible.find((editor) => editor === this.#last) ?? visible[0];
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
