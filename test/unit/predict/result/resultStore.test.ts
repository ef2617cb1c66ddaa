import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ResultMetadata } from "../../../../src/predict/result/resultMetadata.ts";
import { NotebookIndex } from "../../../../src/predict/result/notebookIndex.ts";
import {
  ResultStore,
  type ResultStoreOptions,
} from "../../../../src/predict/result/resultStore.ts";

const result: ResultMetadata = {
  origin: { startedAt: 1_000, connectionId: "c", contentHash: "h" },
  outcome: { state: { kind: "done" }, count: 0, refused: 0, notes: [] },
  rows: { length: 0, refused: 0, columns: { sources: [] } },
};

describe("store of results", () => {
  let root: string;
  let index: NotebookIndex;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "result-store-"));
    index = new NotebookIndex(root);
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  /** What another window on the same storage has. */
  function otherWindow(options: ResultStoreOptions = {}): ResultStore {
    return new ResultStore(root, new NotebookIndex(root), { processId: process.ppid, ...options });
  }

  function deadProcess(): number {
    return spawnSync(process.execPath, ["-e", "0"]).pid;
  }

  /** Makes a result of so many bytes that a notebook refers to. */
  async function keep(store: ResultStore, key: string, bytes = 10): Promise<string> {
    const id = randomUUID();
    const folder = await store.create(id);
    fs.writeFileSync(path.join(folder, "data"), Buffer.alloc(bytes));
    await store.keep(id, result);
    await index.change("notebook", (before) => ({ ...before, [key]: id }));
    return id;
  }

  const ids = (): string[] => fs.readdirSync(root).filter((name) => name !== "notebooks");

  it("opens a result after its window was closed", async () => {
    const first = new ResultStore(root, index);
    const id = await keep(first, "k");
    first.dispose();
    const { folder, result: read } = (await otherWindow().open(id)) ?? assert.fail();
    assert.deepEqual({ ...read }, { format: 1, ...result });
    assert.deepEqual(fs.readdirSync(folder).sort(), [
      "data",
      `in-use.${process.ppid}`,
      "result.json",
    ]);
    assert.equal(fs.statSync(folder).mode & 0o077, 0, "others cannot look into the folder");
  });

  it("opens no result that is incomplete, damaged, of another format or without a valid id", async () => {
    const store = new ResultStore(root, index);
    const unfinished = randomUUID();
    await store.create(unfinished);
    store.dispose();
    assert.equal(await store.open(unfinished), undefined);
    for (const text of ["", "{", "{}", JSON.stringify({ format: 2, ...result })]) {
      const id = await keep(store, "k");
      await store.release(id);
      fs.writeFileSync(path.join(root, id, "result.json"), text);
      assert.equal(await store.open(id), undefined, text);
      assert.deepEqual(fs.readdirSync(path.join(root, id)).sort(), ["data", "result.json"]);
    }
    for (const id of ["..", "notebooks", randomUUID()]) {
      assert.equal(await store.open(id), undefined);
    }
  });

  it("deletes what is released unless a notebook refers to it or another window uses it", async () => {
    const store = new ResultStore(root, index);
    const kept = await keep(store, "kept");
    const replaced = await keep(store, "replaced");
    const shared = await keep(store, "shared");
    await otherWindow().open(shared);
    await index.change("notebook", () => ({ kept }));
    assert.equal(await store.release(kept), false);
    assert.equal(await store.release(replaced), true);
    assert.equal(await store.release(shared), false);
    assert.deepEqual(ids().sort(), [kept, shared].sort());
  });

  it("keeps a result that is opened again before it is closed, or while it is being created", async () => {
    const store = new ResultStore(root, index);
    const kept = await keep(store, "kept");
    const unfinished = randomUUID();
    await store.create(unfinished);
    assert.ok(await store.open(kept));
    assert.equal(await store.open(unfinished), undefined);
    await index.change("notebook", () => ({}));
    assert.equal(await store.release(kept), false);
    assert.deepEqual(ids().sort(), [kept, unfinished].sort());
    assert.ok(fs.existsSync(path.join(root, kept, `in-use.${process.pid}`)));
    assert.equal(await store.release(kept), true);
    assert.equal(await store.release(unfinished), true);
  });

  it("deletes incomplete results and those without a notebook, but none in use by others", async () => {
    const crashed = otherWindow({ processId: deadProcess() });
    const unfinished = randomUUID();
    await crashed.create(unfinished);
    const kept = await keep(crashed, "kept");
    const forgotten = await keep(crashed, "forgotten");
    const running = randomUUID();
    await otherWindow().create(running);
    await index.change("notebook", () => ({ kept }));
    await new ResultStore(root, index).clean();
    assert.deepEqual(ids().sort(), [kept, running].sort());
    assert.ok(!ids().includes(unfinished) && !ids().includes(forgotten));
  });

  it("ignores marks from before the last boot, or of an earlier process with its id", async () => {
    const reused = randomUUID();
    await otherWindow().create(reused);
    const longAgo = new Date(Date.now() - 1_000 * (os.uptime() + 3_600));
    fs.utimesSync(path.join(root, reused, `in-use.${process.ppid}`), longAgo, longAgo);
    const ours = randomUUID();
    await new ResultStore(root, index).create(ours);
    await new ResultStore(root, index).clean();
    assert.deepEqual(ids(), []);
  });

  it("cleans up again after a clean-up that failed", async () => {
    const store = new ResultStore(root, index);
    const id = await keep(otherWindow({ processId: deadProcess() }), "k");
    await index.change("notebook", () => ({}));
    const read = index.all.bind(index);
    index.all = () => Promise.reject(new Error("The disk is away"));
    await assert.rejects(store.clean(), /The disk is away/);
    index.all = read;
    await store.clean();
    assert.ok(!ids().includes(id));
  });

  it("deletes the oldest results first, and none in use", async () => {
    const store = new ResultStore(root, index, { maxBytes: 35_000 });
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      const id = await keep(store, `k${n}`, 10_000);
      made.push(id);
      const time = new Date(Date.now() - 60_000 * (5 - n));
      fs.utimesSync(path.join(root, id, "result.json"), time, time);
    }
    const [oldest, second, third, fourth, newest] = made;
    for (const id of [second!, third!, fourth!, newest!]) await store.release(id);
    // Shown again, so it is not among the oldest any more.
    await store.open(second!);
    await store.release(second!);
    await store.clean();
    assert.deepEqual(ids().sort(), [oldest, second, newest].sort());
  });

  it("limits the number of results", async () => {
    const store = new ResultStore(root, index, { maxResults: 2 });
    for (let n = 0; n < 4; n++) await store.release(await keep(store, `k${n}`));
    await store.clean();
    assert.equal(ids().length, 2);
  });

  it("deletes incomplete results at the end, and releases the others", async () => {
    const store = new ResultStore(root, index);
    await store.create(randomUUID());
    const kept = await keep(store, "k");
    store.dispose();
    assert.deepEqual(ids(), [kept]);
    assert.deepEqual(fs.readdirSync(path.join(root, kept)).sort(), ["data", "result.json"]);
    store.dispose();
  });
});
