import assert from "node:assert/strict";
import * as vscode from "vscode";
import { activate } from "../../src/extension.ts";
import { commands } from "../../src/ids.ts";
import { extensionId, until, withWindow, workbench } from "./workbench.ts";

describe("Activation", () => {
  it("registers every declared command", async () => {
    await workbench();
    const known = new Set(await vscode.commands.getCommands(true));
    for (const command of Object.values(commands)) assert.ok(known.has(command), command);
  });

  it("shows an error when it fails, and offers the log", async () => {
    const shown: unknown[][] = [];
    const showErrorMessage = (...all: unknown[]) => Promise.resolve(void shown.push(all));
    await withWindow({ showErrorMessage }, async () => {
      // Fails at the first access to the context.
      assert.throws(() => activate({} as vscode.ExtensionContext), TypeError);
      await until("the message", () => shown.length > 0);
    });
    assert.equal(shown.length, 1);
    const [message, , button] = shown[0] ?? [];
    assert.equal(message, "Workbench for MindsDB could not start. See the log for details.");
    assert.equal(button, "Show Log");
  });

  it("runs where the workspace is", () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.equal(extension?.isActive, true);
    assert.equal(extension.extensionKind, vscode.ExtensionKind.Workspace);
  });
});
