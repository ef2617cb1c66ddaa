import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { RunFolders } from "../../../../src/predict/result/runFolders.ts";

describe("folders of runs", () => {
  let root: string;
  beforeEach(() => (root = fs.mkdtempSync(path.join(os.tmpdir(), "runs-"))));
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  function leave(name: string): string {
    const folder = path.join(root, name, "run");
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, "data"), "{}");
    return folder;
  }

  it("are deleted of processes that are no more, at the first use", async () => {
    const { pid: dead } = spawnSync(process.execPath, ["-e", "0"]);
    const orphan = leave(String(dead));
    const other = leave("something else");
    const alive = leave(String(process.ppid));
    const folders = new RunFolders(root);
    assert.ok(fs.existsSync(orphan), "nothing is deleted before");
    await folders.folderOf("a");
    assert.ok(!fs.existsSync(orphan));
    assert.ok(!fs.existsSync(other));
    assert.ok(fs.existsSync(alive), "another window's runs stay");
  });

  it("are deleted where a process of that number made them before this one, or before the machine started", async () => {
    const ours = leave(String(process.pid));
    const reused = leave(String(process.ppid));
    const longAgo = new Date(Date.now() - 1_000 * (os.uptime() + 3_600));
    fs.utimesSync(path.dirname(reused), longAgo, longAgo);
    const folders = new RunFolders(root);
    const [one, other] = await Promise.all([folders.folderOf("a"), folders.folderOf("b")]);
    assert.ok(!fs.existsSync(ours));
    assert.ok(!fs.existsSync(reused));
    fs.mkdirSync(one, { recursive: true });
    fs.mkdirSync(other, { recursive: true });
    await folders.folderOf("c");
    assert.ok(fs.existsSync(one) && fs.existsSync(other), "what is made since stays");
  });

  it("of this process are deleted at the end, and need not be there", async () => {
    const folders = new RunFolders(path.join(root, "new"));
    const folder = await folders.folderOf("a");
    fs.mkdirSync(folder, { recursive: true });
    folders.dispose();
    assert.ok(!fs.existsSync(path.dirname(folder)));
    folders.dispose();
  });
});
