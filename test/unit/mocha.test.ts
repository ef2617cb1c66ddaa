// The script that runs the suites: what fails, what runs again, and what the counts say then.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { runParts, type PartsOptions, type SuitePart } from "../../scripts/suiteParts.ts";
import { readResult, resultFile, type SuiteResult } from "../../scripts/suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

describe("The runner of suites", () => {
  let folder: string;

  beforeEach(() => {
    fs.mkdirSync(path.join(root, "out"), { recursive: true });
    folder = fs.mkdtempSync(path.join(root, "out", "mocha-"));
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
    fs.rmSync(resultFile("tried"), { force: true });
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

  describe("with a suite", () => {
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
      const { passes, failures, failed, unstable, exitCode } = run(
        "--repeat",
        "1",
        write("one", 2),
      );
      assert.deepEqual([passes, failures, failed?.length, unstable, exitCode], [1, 1, 1, [], 1]);
    });

    it("runs nothing again if more files have failed", () => {
      const files = [write("one", 1), write("other", 1)];
      const { passes, failures, exitCode } = run("--repeat", "1", ...files);
      assert.deepEqual([passes, failures, exitCode], [2, 2, 1]);
    });
  });

  describe("with parts of a suite", () => {
    async function run(
      parts: SuitePart[],
      options: Partial<PartsOptions> = {},
    ): Promise<SuiteResult[]> {
      const log = console.log;
      console.log = () => undefined;
      try {
        return await runParts(parts, { workers: 2, ...options });
      } finally {
        console.log = log;
      }
    }

    const partOf = (file: string): SuitePart => ({ suite: "a", title: file, files: [file] });

    it("runs them side by side, with an environment of their own, and counts by suite", async () => {
      // Each of the two waits for the file that the other writes.
      const source = `
      import fs from "node:fs";
      it("meets the other", async () => {
        fs.writeFileSync(process.env.MINE, "");
        while (!fs.existsSync(process.env.OTHER)) await new Promise((resolve) => setTimeout(resolve, 20));
      });`;
      const file = path.join(folder, "meets.test.ts");
      fs.writeFileSync(file, source);
      const [one = "", two = ""] = ["one", "two"].map((name) => path.join(folder, name));
      const results = await run([
        { suite: "a", title: "one", files: [file], env: { MINE: one, OTHER: two } },
        { suite: "b", title: "two", files: [file], env: { MINE: two, OTHER: one } },
        { suite: "a", title: "fine", files: [write("fine", 0)] },
      ]);
      const counts = results.map(({ suite, passes, failures }) => [suite, passes, failures]);
      assert.deepEqual(counts, [
        ["a", 3, 0],
        ["b", 1, 0],
      ]);
      assert.equal(readResult("a-part-0"), undefined);
    });

    it("runs a failed part once more, after all others, and lists what failed as unstable", async () => {
      const parts = [write("one", 1), write("two", 0)].map(partOf);
      const [result] = await run(parts, { partsToRepeat: 1 });
      assert.deepEqual([result?.passes, result?.failures, result?.failed], [4, 0, []]);
      assert.match(result?.unstable?.join() ?? "", /^one fails at first: bad luck/);
    });

    it("runs nothing again if more parts have failed", async () => {
      const parts = [write("one", 1), write("two", 1)].map(partOf);
      const [result] = await run(parts, { partsToRepeat: 1 });
      assert.deepEqual([result?.passes, result?.failures, result?.unstable], [2, 2, []]);
    });

    it("counts a part whose process ends too early as failed", async () => {
      const file = path.join(folder, "dies.test.ts");
      fs.writeFileSync(file, 'it("dies", () => process.exit(0));');
      const [result] = await run([{ suite: "a", title: "dies", files: [file] }]);
      assert.deepEqual([result?.passes, result?.failures], [0, 1]);
      assert.match(result?.failed?.join() ?? "", /^dies: /);
    });
  });
});
