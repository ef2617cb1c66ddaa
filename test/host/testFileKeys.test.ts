// What the editor of a test file offers: keys, assertion types, explanations, and quick fixes for typos.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { closeAllEditors, until, workbench } from "./workbench.ts";

const file = `providers: ["mindsdb:mindsdb/rental_agent"]
prompts: ["{{question}}"]
tests:
  - vars:
      question: Why?
    assert:
      - type: iconntains
        value: deposit
`;

describe("The editor of an agent test file", () => {
  let uri: vscode.Uri;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    uri = vscode.Uri.joinPath(folder.uri, "keys.agent-test.yaml");
    await vscode.workspace.fs.writeFile(uri, Buffer.from(file));
    await (await workbench()).agentTests.load();
    await vscode.window.showTextDocument(uri);
  });
  after(async () => {
    await closeAllEditors();
    await vscode.workspace.fs.delete(uri);
  });

  const complete = (line: number, column: number, ...expected: string[]) =>
    until(`the completion of ${expected.join(", ")}`, async () => {
      const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        uri,
        new vscode.Position(line, column),
      );
      const labels = new Set(items.map(({ label }) => label));
      return expected.every((label) => labels.has(label));
    });

  it("completes keys, types, and whole tests", async () => {
    await complete(6, 17, "icontains", "not-icontains", "trajectory:tool-used", "assert-set");
    await complete(7, 8, "value", "weight", "threshold");
    await complete(5, 4, "description", "options", "Test with an Assertion");
  });

  it("explains a type", async () => {
    await vscode.workspace.openTextDocument(uri);
    await until("the hover", async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        uri,
        new vscode.Position(5, 6),
      );
      return found
        .flatMap(({ contents }) => contents)
        .map((content) => (typeof content === "string" ? content : content.value))
        .some((text) => text.replaceAll("&nbsp;", " ").includes("The assertions for the answer"));
    });
  });

  it("changes a typo to what was meant", async () => {
    const [fix] = await until("the quick fix", async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        uri,
        new vscode.Range(6, 16, 6, 16),
        vscode.CodeActionKind.QuickFix.value,
      );
      const own = found.filter(({ title }) => title === "Change to icontains");
      return own.length > 0 && own;
    });
    const expected = "assertion iconntains. Did you mean icontains?";
    await until("the mark", () =>
      vscode.languages.getDiagnostics(uri).some(({ message }) => message.endsWith(expected)),
    );
    assert.ok(fix?.edit && (await vscode.workspace.applyEdit(fix.edit)));
    const document = await vscode.workspace.openTextDocument(uri);
    await until("the edit", () => document.lineAt(6).text === "      - type: icontains");
    await document.save();
  });
});
