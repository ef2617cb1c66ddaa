// The Delete key does on each row of the tree what its menu does.
import assert from "node:assert/strict";
import { getDeleteCommand } from "../../../src/explorer/deleteCommand.ts";
import type { ExplorerNode } from "../../../src/explorer/node.ts";

describe("the Delete key in the tree", () => {
  const commandOf = (node: object): string | undefined =>
    getDeleteCommand(node as ExplorerNode)?.replace(/^mindsdbWorkbench\./, "");

  for (const [kind, command] of [
    ["connection", "connection.remove"],
    ["project", "project.delete"],
    ["agent", "agent.delete"],
    ["knowledgeBase", "knowledgeBase.delete"],
    ["model", "model.delete"],
    ["view", "view.delete"],
    ["job", "job.delete"],
    ["trigger", "trigger.delete"],
    ["dataSource", "dataSource.disconnect"],
  ] as const) {
    it(`runs ${command} on a row of kind ${kind}`, () => {
      assert.equal(commandOf({ kind, name: "mine" }), command);
    });
  }

  for (const kind of ["agent", "knowledgeBase", "model"]) {
    it(`removes a row of kind ${kind} that was opened by name`, () => {
      assert.equal(commandOf({ kind, isByName: true }), "explorer.forgetName");
    });
  }

  it("deletes uploaded tables and inactive versions alone", () => {
    assert.equal(commandOf({ kind: "table", project: "files" }), "table.drop");
    assert.equal(commandOf({ kind: "table", project: "shop" }), undefined);
    assert.equal(
      commandOf({ kind: "modelVersion", item: { active: false } }),
      "model.deleteVersion",
    );
    assert.equal(commandOf({ kind: "modelVersion", item: { active: true } }), undefined);
  });

  for (const node of [
    { kind: "project", isDefault: true },
    { kind: "dataSource", name: "files" },
    { kind: "group", group: "agents" },
    { kind: "column" },
    { kind: "error" },
  ]) {
    it(`does nothing on a row such as ${JSON.stringify(node)}`, () => {
      assert.equal(commandOf(node), undefined);
    });
  }
});
