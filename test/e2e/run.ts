// The journeys of a user, in a real VS Code with the packaged extension.
// Usage: node test/e2e/run.ts [--version 1.139|1.103] [FILE...]   (GREP=text runs only what matches)
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { allJourneys, groupByWindow, packIfStale, titleOf } from "../../scripts/journeys.ts";
import { runParts } from "../../scripts/suiteParts.ts";
import { writeResults } from "../../scripts/suiteResult.ts";
import { newest, parseVersion } from "../../scripts/vscode/versions.ts";

const { values, positionals } = parseArgs({
  options: { version: { type: "string" } },
  allowPositionals: true,
});
const version = values.version ? parseVersion(values.version) : newest;

if (!process.env["VSIX"]) await packIfStale();
const part = { suite: "e2e", env: { VSCODE_VERSION: version } };
const files = positionals.length > 0 ? positionals.flatMap(findJourney) : allJourneys();
const inOneProcess = positionals.length > 0 || process.env["GREP"];
const parts = inOneProcess
  ? [{ ...part, title: "journeys", files }]
  : groupByWindow(files).map((group) => ({ ...part, title: titleOf(group), files: group }));
const results = await runParts(parts, { workers: 2 });
process.exitCode = writeResults(results) ? 0 : 1;

/** Finds a journey also by its name alone: in which folder it is says when it runs. */
function findJourney(file: string): string[] {
  if (fs.existsSync(file)) return [file];
  const found = allJourneys(path.basename(file).replace(/(\.test)?\.ts$/, ""));
  if (found.length === 0) throw new Error(`There is no journey ${file}`);
  return found;
}
