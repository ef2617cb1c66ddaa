// How the page of an agent shows the server's fields: every field, notes on empty fields, and the summary at the top.
import assert from "node:assert/strict";
import fc from "fast-check";
import { readAgentDetails } from "../../../src/agents/agentDetails.ts";

/** The response of MindsDB 26.1.0, field by field, with the key masked. */
const recorded = {
  id: 2,
  name: "wild_agent",
  project_id: 1,
  updated_at: "2026-11-21 08:57:37.591707",
  created_at: "2026-11-21 08:57:37.591713",
  data: { tables: ["files.*"], knowledge_bases: ["mindsdb.*"] },
  model: { provider: "openai", model_name: "stub-1", api_key: "******", base_url: "http://h/v1" },
  prompt_template: "You know everything.",
};

const notes = (row: Record<string, unknown>, name: string) =>
  readAgentDetails(row).fields.find((field) => field.name === name)?.notes;

describe("Agent details", () => {
  it("lists every field with the server's value, known fields first", () => {
    const { fields } = readAgentDetails({ ...recorded, zeta: true });
    assert.deepEqual(
      fields.map(({ name }) => name),
      [
        ...["id", "name", "project_id", "created_at", "updated_at"],
        ...["model", "data", "prompt_template", "skills", "params", "zeta"],
      ],
    );
    for (const [name, value] of Object.entries(recorded)) {
      const field = fields.find((one) => one.name === name) ?? assert.fail(name);
      const { value: shown = "", type } = field;
      assert.deepEqual(type === "string" ? shown : JSON.parse(shown), value, name);
    }
  });

  it("explains what an empty field means", () => {
    const bare = { id: 1, name: "a" };
    assert.deepEqual(notes(bare, "model"), ["The agent uses the server's default model."]);
    assert.deepEqual(notes(bare, "data"), ["The agent has no tables or knowledge bases."]);
    assert.deepEqual(notes({ ...bare, data: {} }, "data"), [
      "The agent has no tables or knowledge bases.",
    ]);
    assert.deepEqual(notes(bare, "prompt_template"), ["The agent has no instruction."]);
    assert.deepEqual(notes(bare, "skills"), ["Only older servers send skills."]);
    assert.deepEqual(notes(bare, "params"), ["The agent has no other settings."]);
    assert.deepEqual(notes(bare, "created_at"), ["This server does not send this field."]);
    assert.deepEqual(notes(recorded, "model"), ["API keys are masked."]);
    assert.deepEqual(notes(recorded, "data"), []);
  });

  it("summarizes model, data and instruction, also in the formats of older servers", () => {
    const { model, tables, knowledgeBases, instruction } = readAgentDetails(recorded);
    assert.equal(model, "openai · stub-1");
    assert.deepEqual(tables, ["files.*"]);
    assert.deepEqual(knowledgeBases, ["mindsdb.*"]);
    assert.equal(instruction, "You know everything.");
    const { name, model: object, data, prompt_template } = recorded;
    const inParams = { name, params: { model: object, data, prompt_template } };
    assert.equal(readAgentDetails(inParams).model, "openai · stub-1");
    assert.deepEqual(readAgentDetails(inParams).tables, ["files.*"]);
    assert.equal(readAgentDetails(inParams).instruction, "You know everything.");
    for (const field of ["data", "prompt_template"]) {
      assert.deepEqual(notes(inParams, field), ["This server does not send this field."], field);
    }
    const onTop = { name, provider: "openai", model_name: "gpt-4" };
    assert.equal(readAgentDetails(onTop).model, "openai · gpt-4");
    assert.equal(readAgentDetails({ name, model: "my_model" }).model, "my_model");
    assert.equal(readAgentDetails({ name }).model, "");
  });

  it("accepts any response without throwing", () => {
    const name = fc.constantFrom(...Object.keys(recorded), "skills", "params", "provider");
    fc.assert(
      fc.property(fc.dictionary(name, fc.jsonValue()), (row) => {
        readAgentDetails(row);
      }),
    );
  });
});
