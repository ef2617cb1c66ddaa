// The forms of all handlers of ML engines that real servers have, from their recorded lists.
import assert from "node:assert/strict";
import { createConnectionForm } from "../../../src/dataSources/connectionFields.ts";
import { copyableEngineStatement } from "../../../src/dataSources/createEngineStatement.ts";
import { buildParameters, emptyDraft } from "../../../src/dataSources/dataSourceDraft.ts";
import { commonMlEngines } from "../../../src/dataSources/mlEngineHints.ts";
import { findEngineProblem } from "../../../src/dataSources/serverErrors.ts";
import { validateDraft, type Taken } from "../../../src/dataSources/validation.ts";
import type { Handler } from "../../../src/mindsdb/handlers.ts";
import { assertLinear } from "../../linearTime.ts";
import { recordedHandlers } from "./recordedHandlers.ts";

const lists = new Map<string, Handler[]>();
const find = (name: string, version = "26.1.0"): Handler => {
  const found = lists.get(version)?.find((handler) => handler.name === name);
  assert.ok(found, name);
  return found;
};
const typed = { keys: {}, hadKeys: {} };

describe("The form of an ML engine", () => {
  before(async () => {
    for (const version of ["26.1.0", "25.14.1"] as const) {
      lists.set(version, await recordedHandlers(version, "ml"));
    }
  });

  it("has the keys and parameters of each kind, and room for more", () => {
    assert.deepEqual([lists.get("26.1.0")?.length, lists.get("25.14.1")?.length], [11, 47]);
    for (const handler of [...lists.values()].flat()) {
      const { fields, hasFreeRows } = createConnectionForm(handler);
      assert.equal(hasFreeRows, true);
      assert.equal(new Set(fields.map(({ label }) => label)).size, fields.length, handler.name);
      for (const { name, isSecret } of fields) {
        assert.ok(!/(?:token|secret_access_key|api_key)$/i.test(name) || isSecret, name);
      }
      const draft = emptyDraft(handler, "new_one");
      assert.equal(draft.rows.length, fields.length === 0 ? 1 : 0);
      for (const problem of validateDraft(draft, { handler, taken: [] }, typed)) {
        assert.equal(problem.isMissing, true, `${handler.name}: ${problem.text}`);
      }
    }
    const namesOf = (handler: Handler): string[] =>
      createConnectionForm(handler).fields.map(({ name }) => name);
    assert.deepEqual(namesOf(find("openai")), ["openai_api_key"]);
    assert.deepEqual(namesOf(find("groq")).slice(0, 2), ["groq_api_key", "api_base"]);
    assert.deepEqual(namesOf(find("google_gemini", "25.14.1")), ["api_key"]);
    assert.equal(namesOf(find("bedrock")).length, 4);
    assert.deepEqual(namesOf(find("llama_index")), []);
    const known = new Set([...lists.values()].flat().map(({ name }) => name));
    for (const name of commonMlEngines) assert.ok(known.has(name), name);
  });

  it("finds names that are taken by any engine or database, and values that SQL can't express", () => {
    const handler = find("openai");
    const taken: Taken[] = [
      { name: "Mine", kind: "mlEngine" },
      { name: "shop", kind: "data" },
    ];
    const textOf = (name: string): string | undefined =>
      validateDraft({ ...emptyDraft(handler, name) }, { handler, taken }, typed)[0]?.text;
    assert.match(textOf("mine") ?? "", /name Mine is already used/);
    assert.match(textOf("shop") ?? "", /already used/);
    assert.equal(textOf("My-GPT"), "SQL can't find an ML engine by this name. Try my_gpt.");
    assert.match(textOf("select") ?? "", /Try select_engine/);
    const rows = [{ id: "1", name: "api_base", value: "'quoted'" }];
    const keys = { "arg-openai_api_key": "ends with\\" };
    const draft = { ...emptyDraft(handler, "fine"), rows };
    const fields = validateDraft(draft, { handler, taken }, { keys, hadKeys: {} }).map(
      ({ field }) => field,
    );
    assert.deepEqual(fields, ["arg-openai_api_key", "rows"]);
    assert.deepEqual(
      buildParameters(handler, { ...draft, rows: [{ ...rows[0]!, value: "http://x" }] }, {}),
      { api_base: "http://x" },
    );
  });

  it("shows a server's refusal at the field that it is about, without values", () => {
    const bedrock =
      "[bed]: ValidationError: 2 validation errors for AmazonBedrockHandlerEngineConfig\nregion_name\n  Field required [type=missing, input_value={'aws_access_key_id': 'made-up'}]\nTraceback (most recent call last):\n\n  File";
    assert.deepEqual(findEngineProblem(bedrock, ["region_name"]), {
      field: "arg-region_name",
      text: "The server needs a value here.",
    });
    assert.deepEqual(findEngineProblem(bedrock, []), {
      field: "rows",
      text: "The server needs a value for region_name.",
    });
    const offline =
      "[oa]: APIConnectionError: Connection error.\nTraceback (most recent call last):";
    assert.deepEqual(findEngineProblem(offline, ["openai_api_key"]), {
      field: "form",
      text: "The MindsDB server can't reach the provider: APIConnectionError: Connection error.",
    });
    assert.equal(
      findEngineProblem("[oa]: Exception: Invalid api key", ["openai_api_key"]).field,
      "arg-openai_api_key",
    );
    assertLinear({
      name: "findEngineProblem",
      make: (count) => "a\n  ".repeat(count),
      run: (text) => findEngineProblem(text, ["a"]),
      size: 20_000,
    });
  });

  it("is copied as SQL without keys, masks, and what SQL can't express", () => {
    const parameters = {
      openai_api_key: "******",
      api_base: "http://me:made-up@x/v1",
      api_organization: "it's",
      depth: -1,
      empty: "",
    };
    const { sql, placeholders } = copyableEngineStatement(find("openai"), {
      ...{ name: "oa", handler: "openai", parameters },
    });
    assert.deepEqual(placeholders, ["openai_api_key", "api_base", "depth"]);
    assert.equal(
      sql,
      "CREATE ML_ENGINE `oa` FROM openai\nUSING `openai_api_key` = '<openai_api_key>',\n  `api_base` = '<api_base>',\n  `api_organization` = 'it''s',\n  `depth` = '<depth>'",
    );
  });
});
