// Type-checks every tsconfig in src/ and test/.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
const rooms = [...fs.globSync("src/tsconfig.*.json", { cwd: root }).sort(), "test/tsconfig.json"];

let failed = 0;
for (const room of rooms) {
  const { status } = spawnSync(process.execPath, [tsc, "-p", room], {
    cwd: root,
    stdio: "inherit",
  });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${room}`);
  if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
