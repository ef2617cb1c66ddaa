import assert from "node:assert/strict";
import { sqlTemplateFor } from "../../../src/explorer/sqlTemplates.ts";
import { tokenizeSql } from "../../../src/mindsdb/sql/sqlTokens.ts";

const connectionId = "c";

describe("SQL templates of empty lists", () => {
  it("are single statements, because servers reject several at once", () => {
    for (const group of ["agents", "knowledgeBases", "models", "jobs", "triggers"] as const) {
      const { statements } = sqlTemplateFor({
        connectionId,
        inProject: { project: "my project", group },
      });
      for (const statement of statements) {
        assert.equal(tokenizeSql(statement).statements.length, 1, statement);
        assert.match(statement, /^(CREATE|INSERT)/);
        assert.ok(statement.includes("`my project`."), statement);
      }
      assert.equal(statements.length, group === "knowledgeBases" ? 2 : 1);
    }
  });

  it("create a project if the server has none", () => {
    assert.deepEqual(sqlTemplateFor({ connectionId }).statements, ["CREATE PROJECT my_project"]);
  });

  it("keep a project's name in its quotes", () => {
    const project = 'p"]}, prompt_template = "x';
    const inProject = { project, group: "agents" } as const;
    const [statement = ""] = sqlTemplateFor({ connectionId, inProject }).statements;
    assert.equal(statement.split(project).length, 2, statement);
    assert.ok(statement.includes('["<project>.<knowledge_base>"]'), statement);
  });
});
