// The suite in the extension host fails if it should, although VS Code exits without an error when a host dies.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runHostSuite } from "../../scripts/vscode/hostSuite.ts";
import { removeFolder } from "../../scripts/vscode/server.ts";
import { parseVersion } from "../../scripts/vscode/versions.ts";

const emptyExtension = {
  name: "empty",
  publisher: "nobody",
  version: "1.0.0",
  engines: { vscode: "^1.103.0" },
};

describe("The suite inside the extension host", () => {
  let folder = "";

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "vscode-suite-test-"));
    fs.mkdirSync(path.join(folder, "extension"));
    fs.writeFileSync(
      path.join(folder, "extension", "package.json"),
      JSON.stringify(emptyExtension),
    );
    fs.mkdirSync(path.join(folder, "tests"));
  });

  afterEach(() => {
    removeFolder(folder);
  });

  async function run(tests?: string) {
    if (tests) fs.writeFileSync(path.join(folder, "tests", "some.test.ts"), tests);
    let output = "";
    const { passes, failures } = await runHostSuite({
      suite: "suite-test",
      version: parseVersion(process.env["VSCODE_VERSION"]),
      extensionPath: path.join(folder, "extension"),
      testsFolder: path.join(folder, "tests"),
      print: (text) => (output += text),
    });
    // Mocha's colors depend on the terminal.
    return { passes, failures, output: stripVTControlCharacters(output) };
  }

  it("counts passed and failed tests", async () => {
    const result = await run(`
      import * as vscode from "vscode";
      it("passes", () => console.log(vscode.version));
      it("fails", () => { throw new Error("on purpose"); });
    `);
    assert.deepEqual([result.passes, result.failures], [1, 1]);
    // Line by line, because VS Code writes to the same console at any time.
    for (const line of [/^1\.\d+\.\d+$/m, /^ *✔ passes/m, /^ *1\) fails$/m, /on purpose/]) {
      assert.match(result.output, line);
    }
  });

  it("fails if the host exits, even without an error", async () => {
    const result = await run(`
      it("passes", () => undefined);
      it("dies", () => process.exit(0));
    `);
    assert.deepEqual([result.passes, result.failures], [0, 1]);
    assert.match(result.output, /ended before the suite did/);
  });

  it("fails if there are no tests", async () => {
    const result = await run();
    assert.deepEqual([result.passes, result.failures], [0, 1]);
    assert.match(result.output, /had no test/);
  });
});
