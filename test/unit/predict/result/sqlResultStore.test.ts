import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RunProgress } from "../../../../src/predict/messages.ts";
import { ListColumns } from "../../../../src/predict/result/listColumns.ts";
import type { OpenResult } from "../../../../src/predict/result/openResult.ts";
import { DiskTable } from "../../../../src/predict/result/diskTable.ts";
import {
  SqlResultStore,
  type SqlResultDetails,
  type StoredSqlResult,
} from "../../../../src/predict/result/sqlResultStore.ts";
import { StatementRows } from "../../../../src/predict/run/statementRows.ts";

const worker = new URL("../../../../src/predict/result/tableWorker.ts", import.meta.url);
const origin = { startedAt: 1_000, connectionId: "c", contentHash: "h" };
const done: RunProgress = {
  state: { kind: "done" },
  count: 1,
  refused: 0,
  notes: ["a note"],
  seconds: 1.5,
};

describe("Results of SQL files", () => {
  let root: string;
  /** Closed after each test. */
  const runs: OpenResult[] = [];
  beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), "sql-results-"))));
  afterEach(async () => {
    for (const run of runs.splice(0)) await run.dispose();
    fs.rmSync(root, { recursive: true, force: true });
  });

  const open = (workspace: string | undefined = "w") => new SqlResultStore(root, worker, workspace);

  /** Stores a result of one row, as the end of a run does. */
  async function keep(
    store: SqlResultStore,
    statement: string,
    { progress = done, ...more }: Partial<SqlResultDetails> & { progress?: RunProgress } = {},
  ): Promise<string> {
    const id = randomUUID();
    const columns = new ListColumns();
    const folder = await store.createFolder(id);
    const table = await DiskTable.create({ folder, worker, columns });
    columns.setNames(["a"]);
    await table.add({ rows: new StatementRows().push(Buffer.from("[[1]]")) });
    const nothing = () => undefined;
    const run: OpenResult = {
      id,
      table,
      progress,
      isRunning: false,
      action: undefined,
      stop: nothing,
      resume: nothing,
      dispose: () => table.dispose(),
    };
    runs.push(run);
    const file = "file:///a.sql";
    const details = { statement, canRun: true, file, place: "a.sql", isPinned: false, ...more };
    await store.keep({ run, origin, details });
    return id;
  }

  const restore = async (store: SqlResultStore): Promise<StoredSqlResult[]> => {
    const restored = await store.restore();
    runs.push(...restored.map(({ run }) => run));
    return restored;
  };

  const statementsOf = async (store: SqlResultStore) =>
    (await restore(store)).map(({ details }) => details.statement);

  it("are there again in the next window of the workspace, the newest first, with their rows", async () => {
    const before = open();
    await keep(before, "SELECT 1");
    await keep(before, "SELECT 2", { isPinned: true, database: "shop" });
    before.dispose();
    const restored = await restore(open());
    assert.deepEqual(
      restored.map(({ details }) => details),
      [
        {
          statement: "SELECT 2",
          canRun: true,
          file: "file:///a.sql",
          place: "a.sql",
          isPinned: true,
          database: "shop",
        },
        {
          statement: "SELECT 1",
          canRun: true,
          file: "file:///a.sql",
          place: "a.sql",
          isPinned: false,
        },
      ],
    );
    const [{ run, origin: from } = assert.fail()] = restored;
    const { notes, count, seconds } = run.progress;
    assert.deepEqual([notes, count, seconds, from], [["a note"], 1, 1.5, origin]);
    assert.deepEqual(await run.table.values(0, 9), [["1"]]);
  });

  it("are of no other workspace, and end with a window that has none", async () => {
    const one = open();
    await keep(one, "SELECT 1");
    assert.deepEqual(await statementsOf(open("other")), []);
    const none = new SqlResultStore(root, worker, undefined);
    await keep(none, "SELECT 2");
    none.dispose();
    assert.deepEqual(await statementsOf(new SqlResultStore(root, worker, undefined)), []);
    assert.deepEqual(await statementsOf(open()), ["SELECT 1"]);
    assert.equal(fs.readdirSync(root).filter((name) => name !== "notebooks").length, 1);
  });

  it("are deleted when they are closed", async () => {
    const store = open();
    const id = await keep(store, "SELECT 1");
    await store.remove(id);
    assert.deepEqual(await statementsOf(store), []);
    assert.ok(!fs.existsSync(path.join(root, id)));
  });

  it("keep a later pin", async () => {
    const store = open();
    const id = await keep(store, "SELECT 1");
    await store.change(id, { isPinned: true });
    await store.change(randomUUID(), { isPinned: true });
    const [{ details } = assert.fail()] = await restore(open());
    assert.equal(details.isPinned, true);
  });

  it("are not stored if there is nothing to show, and not opened if they are damaged", async () => {
    const store = open();
    const running: RunProgress = { ...done, state: { kind: "running" } };
    await keep(store, "SELECT 1", { progress: running });
    const damaged = await keep(store, "SELECT 2");
    fs.writeFileSync(path.join(root, damaged, "statement.json"), "{}");
    await keep(store, "SELECT 3");
    store.dispose();
    assert.deepEqual(await statementsOf(open()), ["SELECT 3"]);
    assert.ok(!fs.existsSync(path.join(root, damaged)));
  });
});
