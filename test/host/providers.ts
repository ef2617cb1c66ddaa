// What VS Code gets from the extension for a place in a text.
import * as vscode from "vscode";

/** The texts of the hovers, with plain spaces. */
export async function hoverTexts(uri: vscode.Uri, position: vscode.Position): Promise<string[]> {
  const command = "vscode.executeHoverProvider";
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(command, uri, position);
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === "string" ? content : content.value))
    .map((text) => text.replaceAll("&nbsp;", " "));
}

export async function suggestions(
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<vscode.CompletionItem[]> {
  const command = "vscode.executeCompletionItemProvider";
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(command, uri, position);
  return list.items;
}

export async function suggestedLabels(
  uri: vscode.Uri,
  position: vscode.Position,
): Promise<string[]> {
  const items = await suggestions(uri, position);
  return items.map(({ label }) => (typeof label === "string" ? label : label.label));
}

/** The quick fixes that change this text: not those of VS Code's AI assistants. */
export async function quickFixes(
  uri: vscode.Uri,
  range: vscode.Range,
): Promise<vscode.CodeAction[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  return actions.filter(({ edit }) => edit?.has(uri));
}

export const codeLenses = (uri: vscode.Uri): Thenable<vscode.CodeLens[]> =>
  vscode.commands.executeCommand<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri);
