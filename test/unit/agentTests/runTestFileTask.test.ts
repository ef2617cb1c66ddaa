import assert from "node:assert/strict";
import { serialize } from "node:v8";
import { runTestFileTask } from "../../../src/agentTests/files/runTestFileTask.ts";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";

const worker = new URL("../../../src/agentTests/files/testFileWorker.ts", import.meta.url);
const options = { worker, texts: undefined };
const head = "providers: ['mindsdb:mindsdb/agent']\nprompts: ['{{question}}']\ntests:\n";

/** A file of so many tests, the last of which has a problem. */
function write(tests: number): string {
  const entries = Array.from(
    { length: tests },
    (_, n) => `  - vars: { question: Question ${n} }\n`,
  );
  return `${head}${entries.join("")}    transform: x\n`;
}

describe("The text of a test file", () => {
  for (const [where, tests] of [
    ["here", 2],
    ["in a worker thread", 2_000],
  ] as const) {
    it(`is read ${where} with all its problems`, async () => {
      const text = write(tests);
      const file = await runTestFileTask(options, "readTestFile", text);
      assert.deepEqual(file, readTestFile(text));
      assert.equal(file.tests.length, tests);
      assert.equal(file.problems.length, 1);
    });
  }

  it("is posted without what no test needs, however often tests have it", () => {
    const numbers = Array.from({ length: 70 }, (_, n) => `"${String(n)}"`).join();
    const long = "x".repeat(15_000);
    const vars = `{question: "{{a}} {{b}}", a: [${numbers}], b: [${numbers.slice(0, 150)}"0"], t: "${long}"}`;
    const text = `${head}- vars: ${vars}\n`;
    const file = readTestFile(text);
    assert.ok(file.tests.length > 2_000);
    assert.deepEqual(file.problems, []);
    // As a thread posts it: a text is written again each time.
    assert.ok(serialize(file).length < 2_000_000);
    const ofLongAgent = readTestFile(text.replace("mindsdb/agent", `mindsdb/${long}`));
    assert.match(ofLongAgent.problems[0]?.message ?? "", /^Enter mindsdb:PROJECT\/AGENT/);
    assert.equal(ofLongAgent.tests.length, 0);
  });

  it("is not read any longer when that is cancelled", async () => {
    const cancelled = new AbortController();
    const text = write(2_000);
    const reading = runTestFileTask({ ...options, signal: cancelled.signal }, "readTestFile", text);
    cancelled.abort(new Error("cancelled"));
    await assert.rejects(reading, /cancelled/);
  });

  it("rejects with the error of the worker thread", async () => {
    const missing = new URL("./missing.ts", import.meta.url);
    const reading = runTestFileTask({ ...options, worker: missing }, "readTestFile", write(2_000));
    await assert.rejects(reading, /missing\.ts/);
  });

  it("gets a test where the file is large", async () => {
    const text = write(2_000).replace("    transform: x\n", "");
    const agent = { project: "mindsdb", name: "agent" };
    const test = { agent, question: "One more?", assertions: [] };
    const added = await runTestFileTask(options, "addTest", text, test);
    assert.match(added ?? "", /One more\?/);
  });
});
