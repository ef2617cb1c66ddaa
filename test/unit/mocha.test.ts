// The script that runs the suites: what fails, what runs again, and what the counts say then.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { readResult, resultFile, type SuiteResult } from "../../scripts/suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

describe("a suite", () => {
  let folder: string;

  beforeEach(() => {
    fs.mkdirSync(path.join(root, "out"), { recursive: true });
    folder = fs.mkdtempSync(path.join(root, "out", "mocha-"));
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
    for (const suite of ["tried", "tried-again"]) {
      fs.rmSync(resultFile(suite), { force: true });
    }
  });

  /** Writes a file with a test that passes and one that fails in its first `runs` runs. */
  function write(name: string, runs: number): string {
    const file = path.join(folder, `${name}.test.ts`);
    const count = path.join(folder, name);
    const source = `
      import fs from "node:fs";
      it("${name} passes", () => {});
      it("${name} fails at first", () => {
        fs.appendFileSync(${JSON.stringify(count)}, "x");
        if (fs.statSync(${JSON.stringify(count)}).size <= ${String(runs)}) throw new Error("bad luck");
      });`;
    fs.writeFileSync(file, source);
    return file;
  }

  function run(...args: string[]): SuiteResult & { exitCode: number | null } {
    const script = path.join(root, "scripts", "mocha.ts");
    const { status } = spawnSync(process.execPath, [script, "tried", ...args], { cwd: root });
    const result = readResult("tried");
    assert.ok(result);
    return { ...result, exitCode: status };
  }

  it("fails with its failed tests where nothing runs again", () => {
    const { passes, failures, failed, unstable, exitCode } = run(write("one", 1));
    assert.deepEqual(
      [passes, failures, failed?.length, unstable, exitCode],
      [1, 1, 1, undefined, 1],
    );
    assert.match(failed?.[0] ?? "", /^one fails at first: bad luck/);
  });

  it("runs a failed file once more, and lists what failed as unstable", () => {
    const { passes, failures, failed, unstable, exitCode } = run(
      ...["--repeat", "1", write("one", 1), write("other", 0)],
    );
    assert.deepEqual([passes, failures, failed, exitCode], [4, 0, [], 0]);
    assert.match(unstable?.join() ?? "", /^one fails at first: bad luck/);
  });

  it("fails if the second run does", () => {
    const { passes, failures, failed, unstable, exitCode } = run("--repeat", "1", write("one", 2));
    assert.deepEqual([passes, failures, failed?.length, unstable, exitCode], [1, 1, 1, [], 1]);
  });

  it("runs nothing again if more files have failed", () => {
    const files = [write("one", 1), write("other", 1)];
    const { passes, failures, exitCode } = run("--repeat", "1", ...files);
    assert.deepEqual([passes, failures, exitCode], [2, 2, 1]);
  });
});
