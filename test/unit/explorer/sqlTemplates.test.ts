import assert from "node:assert/strict";
import type { EmptyNode } from "../../../src/explorer/node.ts";
import { sqlTemplateFor } from "../../../src/explorer/sqlTemplates.ts";
import { tokenizeSql } from "../../../src/mindsdb/sql/sqlTokens.ts";

const connectionId = "c";
const project = {
  kind: "project",
  connectionId,
  project: "my project",
  isDefault: false,
} as const;

function emptyGroup(group: "agents" | "knowledgeBases" | "models"): EmptyNode {
  const parent = { kind: "group", connectionId, project: project.project, group } as const;
  return { kind: "empty", connectionId, parent } as unknown as EmptyNode;
}

describe("starters of empty lists", () => {
  it("are one statement each, since servers refuse several at once", () => {
    for (const group of ["agents", "knowledgeBases", "models"] as const) {
      const { statements } = sqlTemplateFor(emptyGroup(group));
      for (const statement of statements) {
        assert.equal(tokenizeSql(statement).statements.length, 1, statement);
        assert.match(statement, /^(CREATE|INSERT)/);
        assert.ok(statement.includes("`my project`."), statement);
      }
      assert.equal(statements.length, group === "knowledgeBases" ? 2 : 1);
    }
  });

  it("make a project where a server has none", () => {
    const node = { kind: "empty", connectionId, parent: { kind: "connection", connectionId } };
    assert.deepEqual(sqlTemplateFor(node as unknown as EmptyNode).statements, [
      "CREATE PROJECT my_project",
    ]);
  });
});
