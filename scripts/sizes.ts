// Packages the extension and checks its size budgets.
import fs from "node:fs";
import path from "node:path";
import { packVsix } from "./package.ts";

const root = path.resolve(import.meta.dirname, "..");
const kB = 1_000;

interface Output {
  bytes: number;
  inputs: Record<string, { bytesInOutput: number }>;
  imports: { path: string; kind: string; external?: boolean }[];
}

const vsix = packVsix();
const outputs = JSON.parse(
  fs.readFileSync(path.join(root, "out", "bundle.json"), "utf8"),
) as Record<string, Output>;

/** Returns a file and everything that it imports statically. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const { path: imported, kind, external } of outputs[file]?.imports ?? []) {
    if (kind === "import-statement" && !external && !seen.has(imported)) loadedWith(imported, seen);
  }
  return seen;
}

const size = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
const chunkWith = (input: string) =>
  Object.keys(outputs).filter((file) =>
    Object.keys(outputs[file]?.inputs ?? {}).some((name) => name.includes(input)),
  );

const rows: [what: string, bytes: number, budget: number][] = [
  ["host code loaded at activation", size(loadedWith("dist/extension.js")), 70 * kB],
  ["transport chunk", size(chunkWith("node_modules/undici/lib/core/")), 280 * kB],
  ["SQL parser chunk", size(chunkWith("sql/parser/tables.ts")), 120 * kB],
  ["VSIX", fs.statSync(vsix).size, 900 * kB],
];

let failures = 0;
for (const [what, bytes, budget] of rows) {
  const isWithin = bytes > 0 && bytes <= budget;
  if (!isWithin) failures++;
  const figures = `${(bytes / kB).toFixed(1)} of ${budget / kB} kB`;
  console.log(`${isWithin ? "ok  " : "FAIL"} ${what}: ${figures}`);
}
process.exit(failures > 0 ? 1 : 0);
