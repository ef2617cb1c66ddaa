// The lint rules that keep foreign names from VS Code's icons and links.
import assert from "node:assert/strict";
import { Linter } from "eslint";
import { foreignArguments, foreignTexts, modalDialogs } from "../../scripts/plainTexts.mjs";

function lint(code: string): number {
  const rules: Linter.RulesRecord = {
    "no-restricted-syntax": ["error", ...foreignArguments, modalDialogs],
    "no-restricted-properties": ["error", ...foreignTexts],
  };
  return new Linter().verify(code, { rules }).length;
}

describe("Lint of texts in which VS Code draws icons and links", () => {
  for (const code of [
    "vscode.window.showQuickPick(names)",
    "vscode.window.showInputBox({ prompt: name })",
    "vscode.window.setStatusBarMessage(name)",
    "vscode.window.withProgress({ title: name }, work)",
    "vscode.window.showInformationMessage(name)",
    "new vscode.TreeItem(node.name, none)",
    "new vscode.TreeItem(vscode.l10n.t('x {0}', name))",
    "new vscode.NotebookCellStatusBarItem(name, left)",
    "new vscode.NotebookCellStatusBarItem(`$(file) ${name}`, left)",
    "vscode.notebooks.createNotebookController(id, type, name)",
    "controller.createTestItem(id, test.name, uri)",
    "new vscode.MarkdownString(name)",
    "text.appendMarkdown(`**${name}**`)",
    "text.supportThemeIcons = true",
    "pick.items = names.map((label) => ({ label }))",
    "class A { #pick; draw(items) { this.#pick.items = items; } }",
    "pick.title = name",
    "item.description = name",
    "new vscode.Diagnostic(range, message)",
    "new vscode.Diagnostic(range, vscode.l10n.t('x {0}', name), severity)",
    "new vscode.CompletionItem(name, kind)",
    "new vscode.CompletionItem({ label: name }, kind)",
    "new vscode.CompletionItem(visibleLine(name), kind)",
    "new vscode.CodeAction(title, kind)",
    "showWarning(question, { modal: true, detail }, ask)",
  ]) {
    it(`forbids ${code}`, () => assert.equal(lint(code), 1));
  }

  for (const code of [
    "pickItem(names, { title })",
    "new vscode.TreeItem(plainLabel(node.name), none)",
    "new vscode.TreeItem(vscode.l10n.t('Nothing'))",
    "new vscode.NotebookCellStatusBarItem(`$(file) ${plainLabel(name)}`, left)",
    "controller.createTestItem(id, toLabel(test.name), uri)",
    "new vscode.MarkdownString().appendMarkdown('**').appendText(name)",
    "pick.items = toPlainItems(items)",
    "pick.title = plainLabel(name)",
    "new vscode.Diagnostic(range, visibleLine(message))",
    "new vscode.CompletionItem(plainLabel(name), kind)",
  ]) {
    it(`allows ${code}`, () => assert.equal(lint(code), 0));
  }
});
