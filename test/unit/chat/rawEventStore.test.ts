// Raw events of runs on disk: unchanged, limited in size, and deleted with their conversation.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  maxFolderSize,
  maxRunLength,
  RawEventStore,
} from "../../../src/chat/host/rawEventStore.ts";

describe("The raw event store", () => {
  let folder = "";
  let errors: unknown[] = [];
  let kept = new Set<string>();
  let store: RawEventStore;
  const open = (): RawEventStore =>
    new RawEventStore({
      folder,
      isKept: (chatId) => Promise.resolve(kept.has(chatId)),
      cutNotice: () => "Truncated.",
      failed: (error) => errors.push(error),
    });

  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "events-")), "events");
    errors = [];
    kept = new Set(["a", "b", "c"]);
    store = open();
  });
  afterEach(() => {
    fs.rmSync(path.dirname(folder), { recursive: true });
    assert.deepEqual(errors, []);
  });

  it("returns a run's events as the stream sent them, also in another window", async () => {
    store.append("a", 1, () => '{"type":"start","trace_id":"t"}', 5);
    store.append("a", 1, () => "two\nlines", 1234);
    store.append("a", 2, () => "{}", 0);
    const text =
      ': 5 ms\ndata: {"type":"start","trace_id":"t"}\n\n: 1234 ms\ndata: two\ndata: lines\n\n';
    assert.equal(await store.read("a", 1), text);
    assert.equal(await open().read("a", 1), text);
    assert.equal(await store.read("a", 3), undefined);
    for (const window of [store, open()]) {
      assert.deepEqual([window.has("a", 2), window.has("a", 3)], [true, false]);
    }
  });

  it("truncates a huge run with a line that says so, and formats no event after it", async () => {
    let asked = 0;
    const event = (length: number) => () => {
      asked++;
      return "x".repeat(length);
    };
    store.append("a", 1, event(100), 0);
    store.append("a", 1, event(32_000_000), 0);
    for (let i = 0; i < 100; i++) store.append("a", 1, event(1), 0);
    const text = (await store.read("a", 1)) ?? "";
    assert.equal(asked, 2);
    assert.ok(text.length <= maxRunLength + 100);
    assert.match(text.slice(-50), /x\n\n: Truncated\.\n$/);
  });

  it("never splits a character when it truncates", async () => {
    for (const start of ["", "."]) {
      store.append("a", start.length, () => start + "😀".repeat(maxRunLength), 0);
      const text = (await store.read("a", start.length)) ?? "";
      assert.ok(!text.includes("\uFFFD"));
    }
  });

  it("deletes the events of a conversation, and of those that are no longer stored", async () => {
    for (const chat of ["a", "b", "c"]) store.append(chat, 1, () => "{}", 0);
    store.remove("a");
    assert.equal(await store.read("a", 1), undefined);
    kept.delete("b");
    const other = open();
    other.append("c", 2, () => "{}", 0);
    assert.equal(await other.read("b", 1), undefined);
    assert.notEqual(await other.read("c", 1), undefined);
  });

  it("keeps the newest runs within its size limit", async () => {
    fs.mkdirSync(folder, { recursive: true });
    for (const [run, age] of [
      [1, 3],
      [2, 2],
      [3, 1],
    ] as const) {
      const file = path.join(folder, `a.${String(run)}.txt`);
      fs.writeFileSync(file, "");
      fs.truncateSync(file, maxFolderSize * 0.4);
      const time = Date.now() / 1000 - age * 60;
      fs.utimesSync(file, time, time);
    }
    store.append("b", 1, () => "{}", 0);
    await store.flush();
    assert.deepEqual(fs.readdirSync(folder).sort(), ["a.2.txt", "a.3.txt", "b.1.txt"]);
  });

  it("never accesses files outside its folder", async () => {
    assert.throws(() => store.append("../a", 1, () => "{}", 0));
    assert.equal(await store.read("../a", 1), undefined);
  });
});
