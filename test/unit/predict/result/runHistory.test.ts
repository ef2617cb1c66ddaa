import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ResultColumn, RunState } from "../../../../src/predict/messages.ts";
import { readOutcome } from "../../../../src/predict/result/openResult.ts";
import {
  addRun,
  findChanges,
  readHistory,
  writeHistory,
  type PastRun,
} from "../../../../src/predict/result/runHistory.ts";
import { ResultInMemory, SqlTable } from "../../../resultInMemory.ts";

const model = { project: "mindsdb", name: "rent" };
const run: PastRun = {
  origin: { startedAt: 1, connectionId: "c", contentHash: "h", model },
  outcome: { state: { kind: "done" }, count: 2, refused: 0, notes: [] },
  predictions: ["1", "2"],
};

/** A result with columns of these parts, each with the same value in all rows. */
function createTable(
  columns: Record<string, [ResultColumn["part"], unknown]>,
  rows = 1,
): ResultInMemory {
  const parts = Object.values(columns);
  const values = parts.map(([, value]) => value);
  const table = new SqlTable({
    columns: Object.keys(columns),
    rows: Array.from({ length: rows }, () => values),
  });
  for (const [at, column] of table.columns.entries()) {
    Object.assign(column, { part: parts[at]![0] });
  }
  return new ResultInMemory(table);
}

describe("The history of a cell's runs", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "history-"));
  after(() => fs.rmSync(folder, { recursive: true }));

  it("is read as it was written; a damaged one is none", async () => {
    assert.deepEqual(await readHistory(folder), []);
    await writeHistory(folder, [run, run]);
    assert.deepEqual(await readHistory(folder), [run, run]);
    fs.writeFileSync(path.join(folder, "history.json"), '[{"origin": 1}]');
    assert.deepEqual(await readHistory(folder), []);
  });

  it("has the predictions of the first 1,000 rows, without confidence and inputs", async () => {
    const table = createTable(
      { sqft: ["input", 7], price: ["predicted", 5], confidence: ["predicted", 0.9] },
      1_005,
    );
    const [added] = await addRun([], run, table);
    assert.deepEqual(
      added?.predictions,
      Array.from({ length: 1_000 }, () => "5"),
    );
  });

  it("has both predictions of two models", async () => {
    const table = createTable({
      a: ["predicted", 5],
      b: ["predicted", "x"],
      difference: ["difference", 1],
      "confidence (a)": ["predicted", 0.9],
    });
    const [added] = await addRun([], run, table);
    assert.deepEqual(added?.predictions, ['5\t"x"']);
  });

  it("keeps ten runs, and none of a statement or without rows", async () => {
    const table = createTable({ price: ["predicted", 5] });
    let history: PastRun[] = [];
    for (let at = 0; at < 12; at++) {
      const origin = { ...run.origin, startedAt: at };
      history = await addRun(history, { ...run, origin }, table);
    }
    assert.deepEqual(
      history.map(({ origin }) => origin.startedAt),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    );
    const empty = { ...run, outcome: { ...run.outcome, count: 0 } };
    assert.deepEqual(await addRun(history, empty, table), history);
    const statement = { ...run, origin: { ...run.origin, model: undefined } };
    assert.deepEqual(await addRun(history, statement, table), history);
  });

  it("makes a run that failed without rows a result that is stored", () => {
    const failed = (state: RunState, hasHistory: boolean) => {
      const progress = { state, count: 0, refused: 0, notes: [] };
      return readOutcome({ progress, table: createTable({}) }, hasHistory)?.state;
    };
    for (const kind of ["failed", "blocked"] as const) {
      const message = "The model lacks a column.";
      assert.equal(failed({ kind, message }, false), undefined);
      assert.deepEqual(failed({ kind, message }, true), { kind: "failed", message });
    }
    assert.equal(failed({ kind: "stopped" }, false), undefined);
    assert.deepEqual(failed({ kind: "stopped" }, true), { kind: "stopped" });
    assert.equal(failed({ kind: "running" }, true), undefined);
  });
});

describe("The changes between two runs", () => {
  it("are those of rows that differ, the largest first, and texts before numbers", () => {
    const before = ["1", "5", "10", '"a"', '"b"', "7"];
    const after = ["1", "6", "-20", '"a"', "The row was refused", "7", "8"];
    assert.deepEqual(findChanges(before, after), [
      { row: 5, before: '"b"', after: "The row was refused", size: Number.MAX_VALUE },
      { row: 3, before: "10", after: "-20", size: 30 },
      { row: 2, before: "5", after: "6", size: 1 },
    ]);
  });

  it("are those of either of two models", () => {
    const rows = findChanges(["1\t5", "1\t5", "1\t5"], ["2\t5", "1\t9", "1\t5"]);
    assert.deepEqual(
      rows.map(({ row, size }) => [row, size]),
      [
        [2, 4],
        [1, 1],
      ],
    );
  });
});
