// What the editor of a test file offers: keys, assertion types, explanations, and quick fixes for typos.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { createTestFileSnippet } from "../../src/agentTests/files/testFileSnippet.ts";
import { hoverTexts, quickFixes, suggestions } from "./providers.ts";
import { closeAllEditors, inWorkspace, until, workbench } from "./workbench.ts";

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
    uri = inWorkspace("keys.agent-test.yaml");
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
      const items = await suggestions(uri, new vscode.Position(line, column));
      const labels = new Set(items.map(({ label }) => label));
      return expected.every((label) => labels.has(label));
    });

  it("completes keys, types, and whole tests", async () => {
    await complete(6, 17, "icontains", "not-icontains", "trajectory:tool-used", "assert-set");
    await complete(7, 8, "value", "weight", "threshold");
    await complete(5, 4, "description", "options", "Test with an Assertion");
  });

  it("completes a whole file, but only where there is nothing yet", async () => {
    const whole = "Test File for an Agent";
    const empty = vscode.Uri.joinPath(uri, "..", "empty.agent-test.yaml");
    await vscode.workspace.fs.writeFile(empty, Buffer.from("# Rentals\n\n"));
    await vscode.window.showTextDocument(empty);
    const first = await until("the whole file", async () => {
      const items = await suggestions(empty, new vscode.Position(2, 0));
      return items.find(({ label }) => label === whole);
    });
    assert.ok(first.insertText instanceof vscode.SnippetString);
    assert.equal(first.insertText.value, createTestFileSnippet());
    await complete(8, 0, "description");
    const below = await suggestions(uri, new vscode.Position(8, 0));
    assert.ok(!below.some(({ label }) => label === whole));
    await closeAllEditors();
    await vscode.workspace.fs.delete(empty);
    await vscode.window.showTextDocument(uri);
  });

  it("explains a type", async () => {
    await vscode.workspace.openTextDocument(uri);
    await until("the hover", async () => {
      const texts = await hoverTexts(uri, new vscode.Position(5, 6));
      return texts.some((text) => text.includes("The assertions for the answer"));
    });
  });

  it("changes a typo to what was meant", async () => {
    const [fix] = await until("the quick fix", async () => {
      const found = await quickFixes(uri, new vscode.Range(6, 16, 6, 16));
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
