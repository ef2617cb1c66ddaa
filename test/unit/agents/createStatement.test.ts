// The CREATE AGENT statement: quoted, with placeholders for keys, and undefined if SQL cannot express the agent.
import assert from "node:assert/strict";
import fc from "fast-check";
import { createAgentStatement } from "../../../src/agents/host/createStatement.ts";
import { tokenizeSql } from "../../../src/mindsdb/sql/sqlTokens.ts";
import { hostileTexts } from "../../hostileTexts.ts";

describe("The CREATE AGENT statement", () => {
  it("contains everything in the request, with a placeholder for each key", () => {
    const statement = createAgentStatement("my project", {
      name: "helper",
      model: { provider: "openai", model_name: "m", api_key: "sk-secret", nested: { token: "t" } },
      data: { tables: ["files.homes", "it's.x"], knowledge_bases: [] },
      prompt_template: "It's short.\nTwo lines.",
      params: { mode: "sql", timeout: 30, verbose: true, gone: null },
    });
    assert.equal(
      statement,
      [
        "CREATE AGENT `my project`.`helper`",
        "USING",
        `  model = {"provider": 'openai', "model_name": 'm', "api_key": '<your API key>', "nested": {"token": '<your API key>'}},`,
        `  data = {"tables": ['files.homes', 'it''s.x'], "knowledge_bases": []},`,
        "  prompt_template = 'It''s short.\nTwo lines.',",
        "  mode = 'sql',",
        "  timeout = 30,",
        "  verbose = true;",
        "",
      ].join("\n"),
    );
  });

  it("has a USING clause even if the agent has only a name", () => {
    assert.equal(
      createAgentStatement("p", { name: "a" }),
      "CREATE AGENT `p`.`a`\nUSING\n  prompt_template = '';\n",
    );
  });

  it("is a single statement or undefined, whatever the input", () => {
    const texts = fc.oneof(fc.constantFrom(...hostileTexts), fc.string());
    fc.assert(
      fc.property(texts, texts, (name, text) => {
        const fields = { name, prompt_template: text, model: { model_name: text } };
        const statement = createAgentStatement("p", fields);
        if (statement !== undefined) {
          assert.equal(tokenizeSql(statement).statements.length, 1, statement);
        }
      }),
    );
    for (const text of ["ends with \\", "'quoted'", "\\' OR 1=1"]) {
      assert.equal(
        createAgentStatement("p", { name: "a", prompt_template: text }),
        undefined,
        text,
      );
    }
    assert.equal(createAgentStatement("p", { name: "a`b" }), undefined);
    assert.equal(createAgentStatement("p", { name: "a", params: { "x = 1, y": 2 } }), undefined);
  });
});
