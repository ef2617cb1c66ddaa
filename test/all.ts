// npm test: every suite that needs no Python, one after the other, each in a process of its own.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { clearResults, summarise, testSuites } from "./suites.ts";

const root = path.resolve(import.meta.dirname, "..");

/** What runs each suite; several suites may come out of one command. */
const steps: [script: string, ...args: string[]][] = [
  ["test/mocha.ts", "unit", "test/unit/**/*.test.ts"],
  ["test/mocha.ts", "page", "test/page/**/*.test.ts"],
  ["esbuild.js"],
  ["test/vscode/runHostSuite.ts", "--version", "1.103"],
  ["test/vscode/runHostSuite.ts", "--version", "1.139"],
  ["test/package.ts"],
  ["test/e2e/run.ts", "--version", "1.139"],
  ["test/e2e/run.ts", "--version", "1.103"],
];

clearResults();
for (const [script, ...args] of steps) {
  console.log(`\n== ${script} ${args.join(" ")}`);
  spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
}
console.log("");
process.exit(summarise(testSuites) ? 0 : 1);
