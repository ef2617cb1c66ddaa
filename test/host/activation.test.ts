import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { extensionId, workbench } from "./workbench.ts";

describe("activation", () => {
  it("registers every declared command", async () => {
    await workbench();
    const known = new Set(await vscode.commands.getCommands(true));
    for (const command of Object.values(commands)) assert.ok(known.has(command), command);
  });

  it("runs where the workspace is", () => {
    const extension = vscode.extensions.getExtension(extensionId);
    assert.equal(extension?.isActive, true);
    assert.equal(extension.extensionKind, vscode.ExtensionKind.Workspace);
  });
});
