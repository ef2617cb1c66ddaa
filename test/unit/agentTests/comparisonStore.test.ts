// The answers of open comparisons on disk.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { KeptAnswer } from "../../../src/agentTests/runs/comparison.ts";
import { ComparisonStore } from "../../../src/agentTests/runs/comparisonStore.ts";

describe("The store of comparisons", () => {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "comparisons-"));
  const folder = path.join(temporary, "comparisons");
  const failures: unknown[] = [];
  const open = () => new ComparisonStore(folder, (error) => failures.push(error));
  const answer = (row: number, message: string): KeptAnswer => ({
    hash: String(row),
    place: [row, 0],
    result: {
      state: "error",
      attempts: [{ state: "error", score: 0, results: [], message, tookMs: 1 }],
      passed: 0,
      tookMs: 1,
    },
  });
  after(() => {
    fs.rmSync(temporary, { recursive: true });
    assert.deepEqual(failures, []);
  });

  it("gives another window the answers", async () => {
    const store = open();
    store.add("one", answer(0, "a"));
    store.add("one", answer(1, "b"));
    store.add("two", answer(0, "c"));
    await store.flush();
    assert.deepEqual(await open().read("one"), [answer(0, "a"), answer(1, "b")]);
    assert.deepEqual(await open().read("none"), []);
  });

  it("leaves out a line that was cut off or damaged", async () => {
    fs.appendFileSync(path.join(folder, "two.jsonl"), '{"hash":1}\nnull\n{"hash":"x","pla');
    assert.deepEqual(await open().read("two"), [answer(0, "c")]);
  });

  it("forgets a comparison, with what is not written yet", async () => {
    const store = open();
    store.add("one", answer(2, "d"));
    store.remove("one");
    await store.flush();
    assert.deepEqual(await store.read("one"), []);
    assert.deepEqual(fs.readdirSync(folder), ["two.jsonl"]);
  });

  it("keeps no more than 32 MB of one", async () => {
    const store = open();
    store.add("large", answer(0, "x".repeat(20_000_000)));
    await store.flush();
    store.add("large", answer(1, "x".repeat(20_000_000)));
    await store.flush();
    assert.equal((await store.read("large")).length, 1);
    store.remove("large");
    // The next test counts the files.
    await store.flush();
  });

  it("keeps no answer that is too large for a text", async () => {
    const store = open();
    const large = answer(0, "");
    // As JSON, longer than a text can be.
    const message = "\u0001".repeat(100_000_000);
    large.result.attempts = [{ state: "error", score: 0, results: [], message, tookMs: 1 }];
    store.add("huge", large);
    store.add("huge", answer(1, "b"));
    await store.flush();
    assert.deepEqual(await open().read("huge"), [answer(1, "b")]);
    store.remove("huge");
    await store.flush();
  });

  it("deletes the oldest of more than twenty", async () => {
    for (let at = 0; at < 25; at++) {
      const file = path.join(folder, `old-${at}.jsonl`);
      fs.writeFileSync(file, "");
      fs.utimesSync(file, at, at);
    }
    const store = open();
    store.add("new", answer(0, "a"));
    await store.flush();
    const names = fs.readdirSync(folder);
    assert.ok(names.includes("new.jsonl") && names.includes("old-24.jsonl"));
    assert.ok(!names.includes("old-0.jsonl"));
    assert.equal(names.length, 21);
  });

  it("takes no id that leaves the folder", async () => {
    await assert.rejects(open().read("../one"));
    assert.throws(() => open().add("a/b", answer(0, "a")));
  });
});
