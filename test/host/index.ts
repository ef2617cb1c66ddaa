// Runs in the extension host: VS Code calls run() and exits afterwards. The tests are bundled next to this file. Mocha's
// output goes into the file $HOST_SUITE_OUTPUT, which the launcher follows, and the counts of a completed suite into
// $HOST_SUITE_RESULT.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import * as mochaModule from "mocha";

const Mocha = (mochaModule as unknown as { default: typeof mochaModule.default }).default;

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: start this with scripts/vscode/runHostSuite.ts`);
  return value;
}

/** Rejects if a test failed, so that VS Code exits with an error. */
export async function run(): Promise<void> {
  const output = setting("HOST_SUITE_OUTPUT");
  const print = (...args: unknown[]) => {
    fs.appendFileSync(output, format(...args) + "\n");
  };
  // VS Code has sealed the console's functions, so the whole object is replaced.
  globalThis.console = { ...console, log: print, info: print, warn: print, error: print };
  Mocha.reporters.Base.consoleLog = print;

  const mocha = new Mocha({ ui: "bdd", timeout: 300_000, reporter: "spec", color: false });
  if (process.env["GREP"]) mocha.grep(process.env["GREP"]);
  // Not mocha.loadFilesAsync(): it loads with require(), and VS Code 1.103 can answer `import "vscode"` only to import().
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  const files = fs.globSync("**/*.test.js", { cwd: import.meta.dirname });
  for (const file of files.sort()) {
    await import(pathToFileURL(path.join(import.meta.dirname, file)).href);
  }
  const failures = await new Promise<number>((resolve) => {
    const failed: string[] = [];
    const runner = mocha.run((count) => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      fs.writeFileSync(
        setting("HOST_SUITE_RESULT"),
        JSON.stringify({ passes, failures, pending, failed }),
      );
      resolve(count);
    });
    runner.on("fail", (test, error: Error) => failed.push(`${test.fullTitle()}: ${error.message}`));
  });
  if (failures > 0) throw new Error(`${String(failures)} failed`);
}
