// Checks lint, formatting, types and the sizes of shipped files.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { writeResult } from "./suiteResult.ts";

const root = path.resolve(import.meta.dirname, "..");
const tool = (name: string, file: string) => path.join("node_modules", name, file);

const checks: Record<string, string[]> = {
  lint: [tool("eslint", "bin/eslint.js"), "--max-warnings", "0", "."],
  format: [tool("prettier", "bin/prettier.cjs"), "--check", "--log-level", "warn", "."],
  types: ["scripts/types.ts"],
  "import circles": ["scripts/importCircles.ts"],
  l10n: ["scripts/l10n.ts", "--check"],
  sizes: ["scripts/sizes.ts"],
};

const failed: string[] = [];
const waiting = Object.entries(checks);

/** Prints what a check says when it has ended, as another one runs beside it. */
async function runChecks(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, args] = next;
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => output.push(chunk));
    }
    const [status] = (await once(child, "close")) as [number | null];
    process.stdout.write(Buffer.concat(output));
    console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
    if (status !== 0) failed.push(name);
  }
}

// Lint takes as long as all others, on one processor.
await Promise.all([runChecks(), runChecks()]);
writeResult({
  suite: "checks",
  passes: Object.keys(checks).length - failed.length,
  failures: failed.length,
  pending: 0,
  failed,
});
process.exitCode = failed.length > 0 ? 1 : 0;
