// Results of statements contain no credentials of the server's objects; the user's rows are not changed.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Secrets } from "../../../src/mindsdb/redact/redact.ts";
import { redactResult } from "../../../src/mindsdb/redact/redactResult.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { listingUse } from "../../../src/mindsdb/sql/listingUse.ts";
import type { SqlResult } from "../../../src/mindsdb/sql/runSql.ts";

const fixtures = path.resolve(import.meta.dirname, "../../fixtures/http");
const key = "made-up-key-0001";

function resultOf(columns: string[], ...rows: unknown[][]): SqlResult {
  return { columns, rows };
}

describe("a statement's result", () => {
  it("shows no agent key, whatever the format of its model", () => {
    const models = [
      `{"provider": "openai", "api_key": "${key}", "base_url": "http://h/v1"}`,
      `{'provider': 'openai', 'api_key': '${key}'}`,
      { provider: "openai", api_key: key },
      `CREATE MODEL m PREDICT p USING openai_api_key = '${key}'`,
    ];
    for (const statement of [
      "SHOW AGENTS",
      "DESCRIBE AGENT rental_agent",
      "SELECT * FROM information_schema.agents",
      "select model from mindsdb.agents",
      "SHOW JOBS",
    ]) {
      for (const model of models) {
        const result = resultOf(["NAME", "MODEL"], ["rental_agent", model]);
        const { columns, rows } = redactResult(result, listingUse(statement), new Secrets());
        assert.deepEqual(columns, result.columns);
        assert.equal(rows[0]?.[0], "rental_agent");
        assert.equal(JSON.stringify(rows), JSON.stringify(result.rows).replace(key, mask));
      }
    }
  });

  for (const file of ["26.1.0/413_show_agents", "25.14.1/62e_show_agents"]) {
    it(`shows no keys that a real server lists: ${file}`, () => {
      const recorded = fs.readFileSync(path.join(fixtures, `${file}.txt`), "utf8");
      const body = /^\{"type":"table".*$/m.exec(recorded)?.[0] ?? "";
      const { column_names: columns, data: rows } = JSON.parse(body) as {
        column_names: string[];
        data: unknown[][];
      };
      const shown = JSON.stringify(redactResult({ columns, rows }, "plain", new Secrets()));
      assert.match(body, /sk-/);
      assert.doesNotMatch(shown, /sk-/);
      assert.equal(shown.split(mask).length, body.split("api_key").length);
    });
  }

  it("shows no value that may be taken out of a listing, and says so", () => {
    for (const [statement, value] of [
      ["SELECT MODEL->>'api_key' AS a FROM mindsdb.agents", key],
      ["SELECT hex(MODEL) AS a FROM mindsdb.agents", Buffer.from(key).toString("hex")],
      ["SELECT substr(MODEL, 20, 9) AS a FROM agents", key.slice(0, 9)],
      ["SELECT ascii(substr(MODEL, 20, 1)) AS a FROM agents", 109],
      ["SELECT list(MODEL) AS a FROM agents", [[key]]],
      ["SELECT webhook_token AS a FROM information_schema.chatbots", key],
    ] as const) {
      const result = resultOf(["a", "b"], [value, null], [value, ""]);
      assert.deepEqual(redactResult(result, listingUse(statement), new Secrets()), {
        columns: ["a", "b"],
        rows: [
          [mask, null],
          [mask, ""],
        ],
        isMasked: true,
      });
    }
  });

  it("shows no numbers, lists and objects under a secret's name", () => {
    const number = 12_345_678.5;
    for (const model of [
      { api_keys: [key, [`${key}]`]], credentials: { of: { all: key } } },
      { password: number, passwords: [number], key: "api_key", value: [number] },
      JSON.stringify({ password: number, api_keys: [`a]${key}`, key], name: "x" }),
      `{'token': ${number}, 'api_keys': ['${key}', '${key}'], 'name': 'x'}`,
      JSON.stringify(`{"api_keys": ["${key}"], "password": -${number}}`),
    ]) {
      const rows = redactResult(resultOf(["model"], [model]), "plain", new Secrets()).rows;
      assert.doesNotMatch(JSON.stringify(rows), /made-up|12345678/);
      if (typeof model === "string" && model.includes("name")) assert.match(String(rows), /x/);
    }
    const kept = `{"max_tokens": 5, "column_importances": {"token": 0.25}, "api_keys": [], "token": 0}`;
    assert.deepEqual(redactResult(resultOf(["a"], [kept]), "plain", new Secrets()).rows, [[kept]]);
  });

  it("shows no secret arguments and no chatbot tokens", () => {
    const described = resultOf(["key", "value"], ["api_key", key], ["mode", "sql"]);
    const [first, second] = redactResult(described, "plain", new Secrets()).rows;
    assert.deepEqual(
      [first, second],
      [
        ["api_key", mask],
        ["mode", "sql"],
      ],
    );
    const bots = resultOf(["NAME", "WEBHOOK_TOKEN"], ["bot", key], ["other", null]);
    const statement = "SELECT * FROM information_schema.chatbots";
    assert.deepEqual(redactResult(bots, listingUse(statement), new Secrets()).rows, [
      ["bot", mask],
      ["other", null],
    ]);
  });

  it("does not change the user's rows, even in a column named token", () => {
    const rows = [["a1", '{"token": "b2", "api_key": "c3"}', { password: "d4" }, 5, null, true]];
    const result = resultOf(["token", "note", "json", "n", "nothing", "flag"], ...rows);
    for (const statement of ["SELECT * FROM files.visits", "SELECT token FROM shop.visits v"]) {
      assert.deepEqual(redactResult(result, listingUse(statement), new Secrets()), result);
    }
    const own = resultOf(["token", "password"], ["a1", "b2"]);
    assert.deepEqual(
      redactResult(own, listingUse("SELECT * FROM shop.agents"), new Secrets()),
      own,
    );
  });

  it("masks known values as whole words in rows and column names", () => {
    const secrets = new Secrets();
    secrets.learn({ api_key: key, password: "postgres" });
    const result = resultOf(
      ["note", key],
      [`as ${key}`, "postgres_db"],
      [{ list: [key] }, "SELECT 1"],
    );
    assert.deepEqual(redactResult(result, "none", secrets), {
      columns: ["note", mask],
      rows: [
        [`as ${mask}`, "postgres_db"],
        [{ list: [mask] }, "SELECT 1"],
      ],
    });
  });
});
