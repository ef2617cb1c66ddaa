// The script that runs the suites: what fails, and what the counts say then.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { allJourneys, groupByWindow } from "../../scripts/journeys.ts";
import { runParts, type SuitePart } from "../../scripts/suiteParts.ts";
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

    it("fails with its failed tests, and runs nothing again", () => {
      const { passes, failures, failed, exitCode } = run(write("one", 1), write("other", 0));
      assert.deepEqual([passes, failures, failed?.length, exitCode], [3, 1, 1, 1]);
      assert.match(failed?.[0] ?? "", /^one fails at first: bad luck/);
    });
  });

  describe("with properties", () => {
    /** Runs a script over a property that fails; returns the inputs that it tried and what the script printed. */
    function run(script: string, ...args: string[]): { inputs: string; printed: string } {
      const [file, inputs] = ["property.test.ts", "inputs"].map((name) => path.join(folder, name));
      const source = `
      import fs from "node:fs";
      import fc from "fast-check";
      it("fails", () => {
        const holds = (input: number) => fs.appendFileSync(${JSON.stringify(inputs)}, input + "\\n");
        fc.assert(fc.property(fc.noBias(fc.nat()), (input) => (holds(input), false)), { endOnFailure: true });
      });`;
      fs.writeFileSync(file!, source);
      fs.rmSync(inputs!, { force: true });
      const child = spawnSync(process.execPath, [script, ...args, file!], {
        cwd: root,
        env: { ...process.env, FC_SEED: undefined, GREP: undefined },
        encoding: "utf8",
      });
      assert.equal(child.status, 1, child.stderr);
      return { inputs: fs.readFileSync(inputs!, "utf8"), printed: child.stdout };
    }

    it("tries the same inputs in each run", () => {
      const [one, other] = [1, 2].map(() => run("scripts/mocha.ts", "tried").inputs);
      assert.equal(one, other);
    });

    it("tries others in each run of test:seeds, which names the seeds that fail", () => {
      const { inputs, printed } = run("scripts/testSeeds.ts", "2");
      const [one, other] = inputs.trim().split("\n");
      assert.ok(one && other && one !== other, inputs);
      const [first, second] = [...printed.matchAll(/FC_SEED=(\d+): 0 passed, 1 failed/g)];
      assert.ok(first?.[1] && second?.[1] && first[1] !== second[1], printed);
      assert.match(printed, new RegExp(`Counterexample: \\[${one}\\]`));
      assert.ok(printed.includes(`Failed with FC_SEED=${first[1]}, ${second[1]}`), printed);
    });
  });

  describe("with parts of a suite", () => {
    async function run(parts: SuitePart[]): Promise<SuiteResult[]> {
      const log = console.log;
      console.log = () => undefined;
      try {
        return await runParts(parts, { workers: 2 });
      } finally {
        console.log = log;
      }
    }

    const partOf = (file: string): SuitePart => ({ suite: "a", title: file, files: [file] });

    it("fails what cannot be made ready, and runs the others", async () => {
      const ready = Promise.reject(new Error("no room"));
      const [result] = await run([
        { ...partOf(write("waiting", 0)), title: "waiting", ready },
        partOf(write("fine", 0)),
      ]);
      assert.deepEqual([result?.passes, result?.failures], [2, 1]);
      assert.deepEqual(result?.failed, ["waiting: Error: no room"]);
    });

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

    it("runs a script, which writes the result of its suite", async () => {
      const file = path.join(folder, "script.ts");
      const result = { suite: "tried", passes: 2, failures: 1, pending: 0, failed: ["x: y"] };
      const target = JSON.stringify(resultFile("tried"));
      fs.writeFileSync(
        file,
        `import fs from "node:fs"; fs.writeFileSync(${target}, ${JSON.stringify(JSON.stringify(result))});`,
      );
      const [counted] = await run([{ suite: "tried", title: "script", script: [file] }]);
      assert.deepEqual([counted?.passes, counted?.failures, counted?.failed], [2, 1, ["x: y"]]);
    });

    it("runs no part again that failed", async () => {
      const [result] = await run([write("one", 1), write("two", 0)].map(partOf));
      assert.deepEqual([result?.passes, result?.failures, result?.failed?.length], [3, 1, 1]);
    });

    it("counts a part whose process ends too early as failed", async () => {
      const file = path.join(folder, "dies.test.ts");
      fs.writeFileSync(file, 'it("dies", () => process.exit(0));');
      const [result] = await run([{ suite: "a", title: "dies", files: [file] }]);
      assert.deepEqual([result?.passes, result?.failures], [0, 1]);
      assert.match(result?.failed?.join() ?? "", /^dies: /);
    });
  });

  it("runs each journey once, in the one process of those that share a window", () => {
    const files = allJourneys();
    const [together = [], ...alone] = groupByWindow(files);
    assert.ok(together.length > 1);
    assert.deepEqual([...together, ...alone.flat()].sort(), files);
    assert.ok(alone.every((group) => group.length === 1));
  });
});
