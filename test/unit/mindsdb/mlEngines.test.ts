// ML engines as the client library lists, creates and deletes them, on the sample server and with canned answers.
import assert from "node:assert/strict";
import {
  createMlEngine,
  createMlEngineStatement,
  deleteMlEngine,
  getMlEngine,
  listMlEngines,
  listModelsOfHandler,
} from "../../../src/mindsdb/mlEngines.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";
import { useTestClient } from "../../useTestClient.ts";
import { clientOf } from "./scriptedServer.ts";

describe("ML engines", () => {
  const sample = useTestClient();

  it("are created, listed and deleted, but no data source and no engine with models", async () => {
    const { client } = sample;
    const engine = { name: "my own", handler: "sample", parameters: { note: "it's", depth: "3" } };
    await createMlEngine(client, engine);
    const { name, handler } = engine;
    assert.deepEqual(await listMlEngines(client), [
      { name: "sample", handler },
      { name, handler },
    ]);
    assert.deepEqual(await getMlEngine(client, name), engine);
    await assert.rejects(createMlEngine(client, engine), /already exists: my own/);
    await assert.rejects(createMlEngine(client, { ...engine, name: "a", handler: "x" }), {
      message: "There is no engine 'x'",
    });
    const models = await listModelsOfHandler(client, handler);
    assert.deepEqual(models[1], { project: "mindsdb", name: "home_rentals_model" });
    await deleteMlEngine(client, name);
    await assert.rejects(deleteMlEngine(client, "sample"), (error) => {
      return (
        isAppError(error, "refused") &&
        /^Models use sample: .*home_rentals_model/.test(error.message)
      );
    });
    for (const other of ["lantern_lane", "MY OWN"]) {
      await assert.rejects(deleteMlEngine(client, other), (error) => isAppError(error, "notFound"));
    }
    assert.deepEqual(await listMlEngines(client), [{ name: "sample", handler }]);
  });

  it("are listed without the keys that a server does not mask, which are learned", async () => {
    const key = "made-up-key-of-an-engine";
    const data = JSON.stringify({ api_key: key, nested: { a: 1 } });
    const client = clientOf({
      "/api/sql/query": {
        type: "table",
        column_names: ["NAME", "HANDLER", "CONNECTION_DATA"],
        data: [
          ["groq1", "groq", data],
          ["bare", "", "no JSON"],
          [null, "x", "{}"],
        ],
      },
    });
    assert.deepEqual(await listMlEngines(client), [
      { name: "groq1", handler: "groq" },
      { name: "bare", handler: "bare" },
    ]);
    assert.ok(!client.secrets.redact(`refused ${key}`).includes(key));
  });

  it("are created by a statement that holds their values exactly, or by none", () => {
    const parameters = { api_base: "http://x/v1", "a b": "it's", depth: 3, on: true };
    assert.equal(
      createMlEngineStatement({ name: "n", handler: "openai", parameters }),
      "CREATE ML_ENGINE `n` FROM openai\nUSING `api_base` = 'http://x/v1',\n  `a b` = 'it''s',\n  `depth` = 3,\n  `on` = true",
    );
    assert.equal(
      createMlEngineStatement({ name: "n", handler: "h", parameters: {} }),
      "CREATE ML_ENGINE `n` FROM h",
    );
    for (const wrong of ["'a", "a\\", "a\\'b", -1]) {
      assert.throws(
        () => createMlEngineStatement({ name: "n", handler: "h", parameters: { wrong } }),
        /SQL can't express the value of wrong/,
      );
    }
  });
});
