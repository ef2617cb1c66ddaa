// Checks lint, formatting, types and the sizes of shipped files.
import { spawnSync } from "node:child_process";
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
for (const [name, args] of Object.entries(checks)) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
  if (status !== 0) failed.push(name);
}
writeResult({
  suite: "checks",
  passes: Object.keys(checks).length - failed.length,
  failures: failed.length,
  pending: 0,
  failed,
});
process.exit(failed.length > 0 ? 1 : 0);
