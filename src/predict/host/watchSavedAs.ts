// Recognizes that a document was saved under another name. VS Code has no event for it.
import * as vscode from "vscode";

/** Milliseconds between the save of the new file and the end of the old document. */
const maxDelayMs = 5_000;

/**
 * Calls `onSavedAs` when a document ends right after a file with the same text was saved. VS Code empties the document
 * before it ends, so texts are compared when the file is saved.
 */
export function watchSavedAs(
  isWatched: (document: vscode.TextDocument) => boolean,
  onSavedAs: (from: vscode.Uri, to: vscode.Uri) => void,
): vscode.Disposable {
  let saved: { from: Set<string>; to: vscode.Uri; at: number } | undefined;
  return vscode.Disposable.from(
    vscode.workspace.onDidSaveTextDocument((document) => {
      const others = vscode.workspace.textDocuments.filter(
        (one) => one !== document && isWatched(one),
      );
      // Files of all kinds are saved often, and may be large.
      const text = others.length === 0 ? "" : withoutSpace(document);
      const equal = others.filter((one) => withoutSpace(one) === text);
      const from = new Set(equal.map(({ uri }) => uri.toString()));
      saved = { from, to: document.uri, at: Date.now() };
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (!saved?.from.has(uri.toString()) || Date.now() - saved.at > maxDelayMs) return;
      const { to } = saved;
      saved = undefined;
      onSavedAs(uri, to);
    }),
  );
}

/** Settings may have VS Code change white space when it saves a file. */
function withoutSpace(document: vscode.TextDocument): string {
  return document.getText().replaceAll(/\s+/g, "");
}
