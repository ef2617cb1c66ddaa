// Statements of cells, over a server whose answers are given.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { mask } from "../../../src/mindsdb/redact/secretNames.ts";
import { StatementRun } from "../../../src/predict/run/statementRun.ts";
import { clientOver } from "../../clientOver.ts";
import { runTextsForTests } from "../../runTexts.ts";

const key = "made-up-key-0001";

async function run(statement: string, value: string): Promise<StatementRun> {
  const body = { type: "table", column_names: ["a"], data: [[value]] };
  const client = clientOver({
    send: () =>
      Promise.resolve({
        status: 200,
        headers: { "content-type": "application/json" },
        body: Readable.from([Buffer.from(JSON.stringify(body))]),
      }),
    close: () => Promise.resolve(),
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
    const { table, progress } = await run("SELECT MODEL->>'api_key' AS a FROM mindsdb.agents", key);
    const rows = await table.values(0, 1);
    assert.match(JSON.stringify(rows), /\*{6}/);
    assert.doesNotMatch(JSON.stringify(rows), /made-up/);
    assert.match(progress.notes.join(), /^All values are masked/);
  });

  it("says nothing where it masks fields, or nothing", async () => {
    for (const statement of ["SELECT a FROM mindsdb.agents", "SELECT hex(a) FROM files.t"]) {
      assert.deepEqual((await run(statement, mask)).progress.notes, []);
    }
  });
});
