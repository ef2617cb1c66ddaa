// Statements of cells, over a server whose answers are given.
import assert from "node:assert/strict";
import { findListingUse } from "../../../src/mindsdb/sql/findListingUse.ts";
import { SecretsLearner } from "../../../src/mindsdb/redact/learnSecrets.ts";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { StatementRun } from "../../../src/predict/run/statementRun.ts";
import { runTextsForTests } from "../../runTexts.ts";
import { clientOf } from "../mindsdb/scriptedServer.ts";

const key = "made-up-key-0001";
const learnedKey = "made-up-key-0002";

async function run(statement: string, value: string): Promise<StatementRun> {
  const answers: Record<string, unknown> = {
    "/api/sql/query": { type: "table", column_names: ["a"], data: [[value]] },
    "/api/projects/mindsdb/agents": [{ name: "a", model: { api_key: learnedKey } }],
    "/api/projects/mindsdb/views": [{ name: "v", query: "SELECT hex(model) AS a FROM agents" }],
  };
  const learner = new SecretsLearner();
  const client = clientOf(answers, {
    missing: 404,
    findListingUse,
    learnSecrets: (one) => learner.learn(one),
  });
  const statementRun = new StatementRun({
    client: () => Promise.resolve(client),
    explain: (error) => ({ message: String(error) }),
    logError: () => undefined,
    texts: runTextsForTests,
    onProgress: () => undefined,
  });
  await statementRun.runStatement(statement, 10_000);
  assert.equal(statementRun.progress.state.kind, "done");
  return statementRun;
}

describe("a statement's run", () => {
  it("masks values that may be taken out of a listing, with a sentence", async () => {
    for (const statement of [
      "SELECT MODEL->>'api_key' AS a FROM mindsdb.agents",
      "SELECT a FROM v",
      "SELECT t.a FROM files.t AS t JOIN mindsdb.V AS v",
    ]) {
      const { table, progress } = await run(statement, key);
      assert.deepEqual(await table.values(0, 1), [[JSON.stringify(mask)]]);
      assert.match(progress.notes.join(), /^All values are masked/);
    }
  });

  it("masks a key of an agent that nobody has opened", async () => {
    const { table } = await run("SELECT a FROM files.notes", `uses ${learnedKey}`);
    assert.deepEqual(await table.values(0, 1), [[JSON.stringify(`uses ${mask}`)]]);
  });

  it("says nothing where it masks fields, or nothing", async () => {
    for (const statement of ["SELECT a FROM mindsdb.agents", "SELECT hex(a) FROM shop.t"]) {
      assert.deepEqual((await run(statement, mask)).progress.notes, []);
    }
  });
});
