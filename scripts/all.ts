// npm test: every suite that needs no Python; what fails fastest first. The unit and the page tests run side by side.
// npm run test:quick (--quick): these two alone.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { clearResults, quickSuites, summarise, testSuites } from "./suites.ts";

const root = path.resolve(import.meta.dirname, "..");

type Step = [name: string, script: string, ...args: string[]];

const quickSteps: Step[] = [
  ["Unit tests", "scripts/mocha.ts", "unit", "test/unit/**/*.test.ts"],
  ["Page tests in Chromium", "scripts/mocha.ts", "page", "--repeat", "2", "test/page/**/*.test.ts"],
];

const longSteps: Step[] = [
  ["Build", "esbuild.js"],
  ["Tests inside VS Code 1.103 and 1.139", "scripts/vscode/runHostSuite.ts"],
  ["Package", "scripts/package.ts"],
  ["Journeys in VS Code 1.139, and the longest one in 1.103", "test/e2e/run.ts"],
];

/** Runs one step to its end. With `isQuiet` its output is printed only if it fails, as a whole. */
async function run([name, script, ...args]: Step, isQuiet = false): Promise<void> {
  const started = Date.now();
  console.log(`\n== ${name}: ${script} ${args.join(" ")}`);
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (bytes: Buffer) => output.push(bytes));
  }
  await once(child, "close");
  if (child.exitCode !== 0) console.log(Buffer.concat(output).toString());
  console.log(`== ${name} took ${Math.round((Date.now() - started) / 1_000)} s`);
}

clearResults();
await Promise.all(quickSteps.map((step) => run(step, true)));
const isQuick = process.argv.includes("--quick");
if (!isQuick) {
  for (const step of longSteps) await run(step);
}
console.log("");
// Not process.exit(), which loses output that a pipe has not taken yet.
process.exitCode = summarise(isQuick ? quickSuites : testSuites) ? 0 : 1;
