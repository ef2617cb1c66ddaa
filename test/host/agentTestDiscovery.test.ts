import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { TestFiles } from "../../src/agentTests/host/files/testFiles.ts";
import { inWorkspace, withoutTrust, workbench } from "./workbench.ts";

const head = "providers: ['mindsdb:mindsdb/rental_agent']\nprompts: ['{{question}}']\n";

describe("The discovery of agent tests", () => {
  let files: TestFiles;
  const written: vscode.Uri[] = [];

  before(async () => {
    ({ files } = await (await workbench()).agentTests.load());
  });
  after(async () => {
    for (const uri of written) await vscode.workspace.fs.delete(uri);
    await files.discover();
  });

  async function write(name: string, text: string): Promise<vscode.Uri> {
    const uri = inWorkspace(name);
    written.push(uri);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    return uri;
  }

  it("reads nothing before the workspace is trusted, also not what is opened or changed", async () => {
    const uri = await withoutTrust(async () => {
      const uri = await write(
        "untrusted.agent-test.yaml",
        `${head}tests: [{vars: {question: Why?}}]`,
      );
      await files.discover();
      await vscode.workspace.openTextDocument(uri);
      // Longer than a changed file waits.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.deepEqual(files.findAt(uri, 2), []);
      return uri;
    });
    await files.discover();
    assert.equal(files.findAt(uri, 2).length, 1);
  });

  it("finds files that VS Code did not report", async () => {
    const question = `${head}tests: [{vars: {question: Why?}}]`;
    const uri = await write("missed.agent-test.yaml", question);
    await files.findMissed();
    assert.equal(files.findAt(uri, 2).length, 1);
  });

  it("shows thousands of tests of one entry without reading the blank lines below it for each", async () => {
    const questions = Array.from({ length: 4_900 }, (_, n) => `    - Question ${String(n)}\n`);
    const vars = `tests:\n- vars:\n    question:\n${questions.join("")}`;
    const uri = await write("blank.agent-test.yaml", `${head}${vars}${"\n".repeat(850_000)}`);
    const { user } = process.cpuUsage();
    await files.discover();
    assert.equal(files.findAt(uri, 3).length, 4_900);
    const ms = (process.cpuUsage().user - user) / 1_000;
    assert.ok(ms < 20_000, `${String(ms)} ms`);
  });

  it("reads no file whose address is so long that its tests' ids would fill the memory", async () => {
    const folder = Array<string>(3).fill("ü".repeat(120)).join("/");
    const uri = await write(
      `${folder}/deep.agent-test.yaml`,
      `${head}tests: [{vars: {question: q}}]`,
    );
    assert.ok(String(uri).length > 2_000);
    await files.discover();
    assert.deepEqual(files.findAt(uri, 2), []);
    assert.match(files.explain(uri) ?? "", /^Not read: the path of this file is too long/);
  });

  it("ends when the files are too large together, and says so at those that are left out", async () => {
    const text = `${head}tests:\n- vars: {question: q}\n# ${"x".repeat(950_000)}`;
    const large: vscode.Uri[] = [];
    for (let n = 0; n < 11; n++) large.push(await write(`large${String(n)}.agent-test.yaml`, text));
    await files.discover();
    const counts = large.map((uri) => files.findAt(uri, 3).length);
    assert.ok(counts.includes(1) && counts.includes(0), counts.join());
    const [left] = large.filter((uri) => files.findAt(uri, 3).length === 0);
    assert.match(files.explain(left!) ?? "", /too large in total/);
  });
});
