// The journeys of a user, in a real VS Code with the packaged extension.
// Usage: node test/e2e/run.ts [--version 1.139|1.103] [FILE...]   (GREP=text runs only what matches)
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { packVsix, vsixPath } from "../../scripts/package.ts";
import { runParts, type SuitePart } from "../../scripts/suiteParts.ts";
import { writeResults } from "../../scripts/suiteResult.ts";
import { newest, parseVersion, type VersionName } from "../../scripts/vscode/versions.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

const { values, positionals } = parseArgs({
  options: { version: { type: "string" } },
  allowPositionals: true,
});
const version = values.version ? parseVersion(values.version) : undefined;
const journeys = fs.globSync(path.join(import.meta.dirname, "*.test.ts"));
const throughEverything = path.join(import.meta.dirname, "everything.test.ts");

if (!process.env["VSIX"] && packageIsStale()) packVsix();

const parts = positionals.length > 0 || process.env["GREP"] ? askedParts() : allParts();
const results = await runParts(parts, { timeoutMs: 90_000, workers: 2, partsToRepeat: 3 });
process.exitCode = writeResults(results) ? 0 : 1;

/** What the command line names, in one process. */
function askedParts(): SuitePart[] {
  return [partOf(version ?? newest, positionals.length > 0 ? positionals : journeys.sort())];
}

/** Every journey in the newest VS Code, and in the oldest the one that goes through everything. The longest start first. */
function allParts(): SuitePart[] {
  const size = (file: string) => fs.statSync(file).size;
  journeys.sort((one, other) => size(other) - size(one));
  return [
    ...(version === newest ? [] : [partOf("1.103", [throughEverything])]),
    ...(version === "1.103" ? [] : journeys.map((file) => partOf(newest, [file]))),
  ];
}

function partOf(name: VersionName, files: string[]): SuitePart {
  const names = files.map((file) => path.basename(file, ".test.ts")).join(", ");
  return {
    suite: `e2e-${name}`,
    title: `${names} in ${name}`,
    files,
    env: { VSCODE_VERSION: name },
  };
}

/** Whether anything that goes into the package has changed since it was packed. */
function packageIsStale(): boolean {
  if (!fs.existsSync(vsixPath)) return true;
  const packed = fs.statSync(vsixPath).mtimeMs;
  const sources = [
    ...fs.globSync("{src,media}/**/*", { cwd: root }),
    ...fs.globSync("*.{js,json,md}", { cwd: root }),
    ".vscodeignore",
  ];
  return sources.some((file) => fs.statSync(path.join(root, file)).mtimeMs > packed);
}
