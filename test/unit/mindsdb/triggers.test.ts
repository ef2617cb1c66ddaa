// Triggers as the client library reads and creates them, on the sample server and with canned answers.
import assert from "node:assert/strict";
import {
  createTrigger,
  createTriggerStatement,
  deleteTrigger,
  listTriggers,
  type NewTrigger,
} from "../../../src/mindsdb/triggers.ts";
import { useTestClient } from "../../useTestClient.ts";
import { clientOf } from "./scriptedServer.ts";

const trigger: NewTrigger = {
  name: "on_tenants",
  source: "lantern_lane",
  table: "tenants",
  columns: [],
  query: "SELECT * FROM TABLE_DELTA",
};

describe("triggers", () => {
  const sample = useTestClient();

  it("are created, listed and deleted", async () => {
    const { client } = sample;
    const columns = ["name", "home"];
    await createTrigger(client, "support", { ...trigger, columns });
    const { name, source, table, query } = trigger;
    assert.deepEqual(await listTriggers(client, "support"), [{ name, source, table, query }]);
    assert.deepEqual(await listTriggers(client, "mindsdb"), []);
    await assert.rejects(createTrigger(client, "support", trigger), /already exists: on_tenants/);
    const onFiles = { ...trigger, name: "other", source: "files" };
    await assert.rejects(createTrigger(client, "support", onFiles), /support subscription/);
    const onDead = { ...trigger, name: "other", source: "old_office" };
    await assert.rejects(createTrigger(client, "support", onDead), /Connection refused/);
    await deleteTrigger(client, { project: "support", name });
    assert.deepEqual(await listTriggers(client, "support"), []);
    await assert.rejects(deleteTrigger(client, { project: "support", name }), /doesn't exist/);
  });

  it("are listed without secrets, and with the source only where it is a data source", async () => {
    const secret = "sk-proj-abcdefghijklmnop1234567890";
    // Servers keep a whole traceback, whose last line says what went wrong.
    const traceback = `Traceback (most recent call last):\n${"  File x, line 1\n".repeat(300)}`;
    const answer = {
      type: "table",
      column_names: ["NAME", "PROJECT", "DATABASE", "TABLE", "QUERY", "LAST_ERROR"],
      data: [
        // Without its data source a server shows a project that has the same id.
        ["lost", "p", "p", "t", `SELECT '${secret}'`, `${traceback}Refused ${secret}`],
        ["gone", "p", "?", "t", "SELECT 1", "no ".repeat(100_000)],
        ["works", "p", "shop", "t", "SELECT 1", ""],
      ],
    };
    const databases = [
      { name: "p", type: "project" },
      { name: "shop", type: "data", engine: "postgres" },
    ];
    const client = clientOf({ "/api/databases/": databases, "/api/sql/query": answer });
    const [gone, lost, works] = await listTriggers(client, "p");
    const lastError = `${"no ".repeat(33_333)}…`;
    assert.deepEqual(gone, { name: "gone", table: "t", query: "SELECT 1", lastError });
    assert.deepEqual(works, { name: "works", source: "shop", table: "t", query: "SELECT 1" });
    assert.ok(lost?.isRedacted && lost.lastError?.startsWith(`${traceback}Refused `));
    assert.ok(!JSON.stringify(lost).includes("abcdefghijklmnop"));
  });

  it("have a statement that nothing in them can leave", async () => {
    assert.equal(
      createTriggerStatement("p", { ...trigger, columns: ["a", "b"] }),
      "CREATE TRIGGER `p`.`on_tenants` ON `lantern_lane`.`tenants` COLUMNS `a`, `b` (\nSELECT * FROM TABLE_DELTA\n)",
    );
    const query = "SELECT 1); DROP PROJECT support; SELECT (1";
    assert.match(createTriggerStatement("p", { ...trigger, query }), /\(\n<statement>\n\)$/);
    await assert.rejects(createTrigger(sample.client, "p", { ...trigger, query }), /not complete/);
  });
});
