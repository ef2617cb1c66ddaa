// One writer of all windows at a time.
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { WriterLock } from "../../../src/knowledgeBases/writerLock.ts";

const item = ["http://127.0.0.1:47334", "mindsdb", "docs"];

/** Another window's process. */
const openWindow = (): ChildProcess =>
  spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"]);

async function end(window: ChildProcess): Promise<void> {
  const ended = once(window, "exit");
  window.kill();
  await ended;
}

describe("the lock of a knowledge base's writers", () => {
  let folder: string;
  let other: ChildProcess;

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "writers-"));
    other = openWindow();
  });
  afterEach(() => {
    other.kill();
    fs.rmSync(folder, { recursive: true });
  });

  it("keeps another window from the same knowledge base, and from no other", () => {
    const turn = new WriterLock(folder, other.pid).take(item);
    assert.equal(turn?.isTakenOver, false);
    const here = new WriterLock(folder);
    assert.equal(here.take(item), undefined);
    for (const at of item.keys()) assert.ok(here.take(item.with(at, "other")));
    turn.release();
    assert.equal(here.take(item)?.isTakenOver, false);
  });

  it("is taken over from a window that has closed", async () => {
    assert.ok(new WriterLock(folder, other.pid).take(item));
    await end(other);
    assert.equal(new WriterLock(folder).take(item)?.isTakenOver, true);
  });

  it("is taken over from before the last boot, and where its file is damaged", () => {
    assert.ok(new WriterLock(folder, other.pid).take(item));
    const file = path.join(folder, fs.readdirSync(folder)[0]!);
    fs.utimesSync(file, 1, 1);
    const here = new WriterLock(folder);
    assert.ok(here.take(item));
    fs.writeFileSync(file, "not a number");
    assert.ok(here.take(item));
  });

  it("is taken over by one window, even if two see at the same time that it was left", async () => {
    assert.ok(new WriterLock(folder, other.pid).take(item));
    await end(other);
    const faster = openWindow();
    const { writeFileSync } = fs;
    try {
      // The other window takes it over after this one has seen its owner.
      fs.writeFileSync = (...args: Parameters<typeof writeFileSync>) => {
        if (String(args[0]).endsWith(".takeover")) {
          fs.writeFileSync = writeFileSync;
          assert.equal(new WriterLock(folder, faster.pid).take(item)?.isTakenOver, true);
        }
        writeFileSync(...args);
      };
      assert.equal(new WriterLock(folder).take(item), undefined);
      assert.equal(new WriterLock(folder).take(item), undefined);
      await end(faster);
      assert.equal(new WriterLock(folder).take(item)?.isTakenOver, true);
    } finally {
      fs.writeFileSync = writeFileSync;
      faster.kill();
    }
  });

  it("is taken over although a window has crashed while it did that", async () => {
    assert.ok(new WriterLock(folder, other.pid).take(item));
    const left = path.join(folder, `${fs.readdirSync(folder)[0]!}.takeover`);
    fs.writeFileSync(left, "1");
    await end(other);
    const here = new WriterLock(folder);
    assert.equal(here.take(item), undefined);
    fs.utimesSync(left, 1, 1);
    assert.equal(here.take(item), undefined);
    assert.equal(here.take(item)?.isTakenOver, true);
    assert.equal(fs.existsSync(left), false);
  });

  it("is not taken for that of another window where its file cannot be written", () => {
    const { writeFileSync } = fs;
    fs.writeFileSync = () => {
      throw Object.assign(new Error("disk full"), { code: "ENOSPC" });
    };
    try {
      assert.throws(() => new WriterLock(folder).take(item), /disk full/);
    } finally {
      fs.writeFileSync = writeFileSync;
    }
  });

  it("is not given back by a window that lost it", () => {
    const turn = new WriterLock(folder).take(item);
    fs.writeFileSync(path.join(folder, fs.readdirSync(folder)[0]!), String(other.pid));
    turn?.release();
    assert.equal(new WriterLock(folder).take(item), undefined);
  });
});
