import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../src/ids.ts";
import { until, useSampleServer, workbench } from "./workbench.ts";

describe("model pages", () => {
  const model = { connectionId: "sample", project: "mindsdb", name: "home_rentals_model" };

  useSampleServer();

  it("open once for a model, at the version that was asked for", async () => {
    const panels = await (await workbench()).models.load();
    await vscode.commands.executeCommand(commands.modelShow, { ...model, kind: "model" });
    const page = await until("the page", () => panels.contents.at(0));
    assert.equal(page.title, "home_rentals_model");
    await until("the active version", () => page.description?.importances.length === 6);
    assert.equal(page.description?.version, 2);

    const version = { ...model, kind: "modelVersion", item: { version: 1 } };
    await vscode.commands.executeCommand(commands.modelShow, version);
    await until("version 1", () => page.description?.importances.length === 3);
    assert.equal(panels.contents.length, 1);
    assert.equal(page.description?.inputs[0]?.type, "float");
  });

  it("are forgotten when they are closed", async () => {
    const panels = await (await workbench()).models.load();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await until("no page", () => panels.contents.length === 0);
  });
});
