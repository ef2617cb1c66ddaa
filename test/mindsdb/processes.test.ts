// No process outlives the test run, however it ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runGroup, startGroup } from "../../scripts/mindsdb/processes.ts";

describe("process groups", () => {
  let folder: string;
  before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), "groups-"))));
  after(() => fs.rmSync(folder, { recursive: true }));

  const options = () => ({ cwd: folder, env: process.env, log: path.join(folder, "log") });
  /** A command that writes its own id and its child's, and ends only when it is killed. */
  const stubborn = (file: string) => `trap '' TERM; sleep 600 & echo $$ $! >${file}; wait; wait`;
  const readPids = async (file: string) => {
    while (!fs.existsSync(file) || fs.readFileSync(file, "utf8") === "") await sleep(10);
    return fs.readFileSync(file, "utf8").trim().split(" ").map(Number);
  };
  const untilGone = async (pids: number[]) => {
    while (pids.some(isAlive)) await sleep(10);
  };

  it("stops a command that ignores signals, and its children", async () => {
    const file = path.join(folder, "stopped");
    const group = startGroup("sh", ["-c", stubborn(file)], options());
    const pids = await readPids(file);
    assert.ok(pids.every(isAlive));
    await group.stop(100);
    await untilGone(pids);
  });

  it("ends a group when the process that started it is killed", async () => {
    const file = path.join(folder, "orphaned");
    const module = path.resolve(import.meta.dirname, "../../scripts/mindsdb/processes.ts");
    const script = `
      import { startGroup } from ${JSON.stringify(module)};
      startGroup("sh", ["-c", ${JSON.stringify(stubborn(file))}], ${JSON.stringify(options())});
      setInterval(() => {}, 1000);
    `;
    const parent = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
    const pids = await readPids(file);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    await untilGone(pids);
  });

  it("reports the output of a failed command", async () => {
    const run = runGroup("sh", ["-c", "echo out of luck; exit 3"], {
      ...options(),
      timeoutMs: 60_000,
    });
    await assert.rejects(run, /failed\n.*out of luck/s);
  });

  it("ends a command that takes too long", async () => {
    const run = runGroup("sleep", ["600"], { ...options(), timeoutMs: 50 });
    await assert.rejects(run, /took over 0.05 s/);
  });
});

/** Alive, or dead and not yet reaped: the latter only for a moment. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
