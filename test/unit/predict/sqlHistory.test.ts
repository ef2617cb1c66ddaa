// The statements that were run: the newest first, at most so many, for the user alone.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { maxEntries, SqlHistory } from "../../../src/predict/host/sqlHistory.ts";

describe("The history of SQL files", () => {
  let folder: string;
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "history-"))));
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const texts = (history: SqlHistory) => history.list().map(({ text }) => text);

  it("has each statement once, by connection and project, in all windows", () => {
    const [first, second] = [new SqlHistory(folder), new SqlHistory(folder)];
    first.add({ at: 1, connectionId: "a", text: "SELECT 1" });
    second.add({ at: 2, connectionId: "a", text: "SELECT 2" });
    first.add({ at: 3, connectionId: "a", text: "SELECT 1" });
    first.add({ at: 4, connectionId: "b", database: "files", text: "SELECT 1" });
    assert.deepEqual(
      second.list().map(({ at }) => at),
      [4, 3, 2],
    );
    first.clear();
    assert.deepEqual(texts(second), []);
  });

  it("leaves out what is not its own, and can be read by the user alone", () => {
    const history = new SqlHistory(path.join(folder, "sql"));
    history.add({ at: 0, connectionId: "a", text: "SELECT 0" });
    const file = path.join(folder, "sql", "statements.jsonl");
    if (process.platform !== "win32") assert.equal(fs.statSync(file).mode & 0o77, 0);
    fs.appendFileSync(file, `{"at": "x"}\nnonsense\n`);
    history.add({ at: 1, connectionId: "a", text: "x".repeat(200_000) });
    assert.deepEqual(texts(history), ["SELECT 0"]);
  });

  it("keeps the last ones of all windows, and deletes older files", () => {
    const windows = [new SqlHistory(folder), new SqlHistory(folder)];
    const filler = " ".repeat(10_000);
    const names: string[] = [];
    for (let at = 0; at < 1_400; at++) {
      windows[at % 2]!.add({ at, connectionId: "a", text: `SELECT ${String(at)}${filler}` });
      if (at % 100 === 0) names.push(...fs.readdirSync(folder));
    }
    const last = Array.from({ length: maxEntries }, (_, index) => 1_399 - index);
    assert.deepEqual(
      windows[0]!.list().map(({ at }) => at),
      last,
    );
    assert.ok(new Set(names).size > fs.readdirSync(folder).length);
    windows[1]!.clear();
    assert.deepEqual(fs.readdirSync(folder), []);
  });

  it("loses no line that another window adds while a file is full", () => {
    const [first, second] = [new SqlHistory(folder), new SqlHistory(folder)];
    const { renameSync } = fs;
    const large = (at: number) => ({ at, connectionId: "a", text: String(at).padEnd(90_000) });
    try {
      fs.renameSync = (from, to) => {
        fs.renameSync = renameSync;
        // Renames the file first, and begins another.
        second.add(large(100));
        second.add({ at: 101, connectionId: "a", text: "SELECT 101" });
        renameSync(from, to);
      };
      for (let at = 0; at < 12; at++) first.add(large(at));
      assert.equal(fs.renameSync, renameSync);
    } finally {
      fs.renameSync = renameSync;
    }
    const kept = first.list().map(({ at }) => at);
    assert.deepEqual(
      kept.sort((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100, 101],
    );
  });
});
