import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { serialize } from "node:v8";
import { readTestFile } from "../../../src/agentTests/files/readTestFile.ts";
import { TestFileProcess } from "../../../src/agentTests/files/testFileProcess.ts";
import { isAppError } from "../../../src/mindsdb/errors.ts";

const script = new URL("../../../src/agentTests/files/testFileProcessMain.ts", import.meta.url);

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
  const parser = new TestFileProcess({ script, texts: undefined });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "test-file-process-"));
  after(() => fs.rmSync(folder, { recursive: true }));

  /** A parser that does so with each text. */
  function createParser(name: string, code: string, maxTime?: number): TestFileProcess {
    const file = path.join(folder, `${name}.cjs`);
    fs.writeFileSync(file, `process.on("message", () => { ${code} });`);
    return new TestFileProcess({ script: pathToFileURL(file), texts: undefined, maxTime });
  }
  const isTooLarge = (error: unknown) => isAppError(error, "tooLarge");

  for (const tests of [2, 2_000]) {
    it(`is read with all its problems where it has ${tests} tests`, async () => {
      const text = write(tests);
      const file = await parser.run("readTestFile", [text]);
      assert.deepEqual(file, readTestFile(text));
      assert.equal(file.tests.length, tests);
      assert.equal(file.problems.length, 1);
    });
  }

  it("is not read if many tests need a variable with a long name", () => {
    const name = "n".repeat(300_000);
    const questions = Array.from({ length: 4_000 }, (_, n) => `q${String(n)}`).join(", ");
    const file = readTestFile(
      `${head}- vars: {question: [${questions}], ${name}: 1}\n  assert: [{type: contains, value: "{{${name}}}"}]`,
    );
    assert.equal(file.tests.length, 0);
    assert.match(file.problems[0]?.message ?? "", /too large/);
    assert.ok(serialize(file).length < 2_000_000);
  });

  it("is not read if many agents are asked a test with a long text", () => {
    const agents = Array.from(
      { length: 4_000 },
      (_, n) => `"mindsdb:mindsdb/a${String(n)}"`,
    ).join();
    const file = readTestFile(
      `${head.replace(/(?<=providers: ).*/, `[${agents}]`)}- vars: {question: q, t: "${"x".repeat(300_000)}"}\n  assert: [{type: contains, value: "{{t}}"}]`,
    );
    assert.equal(file.tests.length, 0);
    assert.match(file.problems[0]?.message ?? "", /too large/);
    assert.ok(serialize(file).length < 2_000_000);
  });

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

  it("is not read any longer when that is cancelled, and the next one is", async () => {
    const cancelled = new AbortController();
    const reading = parser.run("readTestFile", [write(2_000)], cancelled.signal);
    const next = parser.run("readTestFile", [write(2)]);
    setTimeout(() => cancelled.abort(new Error("cancelled")), 5);
    await assert.rejects(reading, /cancelled/);
    assert.equal((await next).tests.length, 2);
  });

  it("rejects with the error of the process", async () => {
    const text = undefined as unknown as string;
    await assert.rejects(parser.run("readTestFile", [text]), /TypeError/);
    assert.equal((await parser.run("readTestFile", [write(2)])).tests.length, 2);
  });

  it("ends the process where it fills the memory", async () => {
    const hungry = createParser(
      "hungry",
      `for (const all = [];;) all.push(new Array(10_000).fill(all.length));`,
    );
    await assert.rejects(hungry.run("readTestFile", [""]), isTooLarge);
  });

  it("ends the process where it takes too long", async () => {
    const endless = createParser("endless", `for (;;);`, 200);
    await assert.rejects(endless.run("readTestFile", [""]), isTooLarge);
    await assert.rejects(endless.run("readTestFile", [""]), isTooLarge);
  });

  it("gets a test where the file is large", async () => {
    const text = write(2_000).replace("    transform: x\n", "");
    const agent = { project: "mindsdb", name: "agent" };
    const test = { agent, question: "One more?", assertions: [] };
    const added = await parser.run("addTest", [text, test]);
    assert.match(added ?? "", /One more\?/);
  });
});
