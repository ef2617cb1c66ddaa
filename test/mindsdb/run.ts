// npm run test:mindsdb [VERSION...]: installs real MindsDB servers and runs the tests against them.
// npm run bench:mindsdb [VERSION...] (--bench): measures instead, beside what a user would write by hand.
// GREP=text runs only the tests whose names match; the versions default to all.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { packIfStale } from "../../scripts/journeys.ts";
import { runMocha } from "../../scripts/mocha.ts";
import { installMindsDB, installPhoenix, VERSIONS } from "../../scripts/mindsdb/install.ts";
import type { Version } from "../../scripts/mindsdb/install.ts";
import { runParts, type SuitePart } from "../../scripts/suiteParts.ts";
import { writeResults } from "../../scripts/suiteResult.ts";

const { values, positionals: asked } = parseArgs({
  options: { bench: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { bench } = values;
const versions = VERSIONS.filter((version) => asked.length === 0 || asked.includes(version));
if (versions.length < asked.length) throw new Error(`known versions: ${VERSIONS.join(", ")}`);
/** The tests that start no MindsDB of `fixture.ts`. */
const withoutServer = [
  "parseSql.test.ts",
  "phoenix.test.ts",
  "processes.test.ts",
  "quotedText.test.ts",
  "tableNames.test.ts",
];

async function report(name: string, installation: Promise<string>): Promise<void> {
  const started = Date.now();
  await installation;
  console.log(`${name} is installed (${Math.round((Date.now() - started) / 1000)} s)`);
}

await Promise.all([
  ...versions.map((version) => report(`MindsDB ${version}`, installMindsDB(version))),
  ...(bench ? [] : [report("Phoenix", installPhoenix())]),
]);
await packIfStale();

if (bench) {
  process.env["MINDSDB_VERSIONS"] = versions.join(" ");
  const { failures } = await runMocha("bench-mindsdb", find("*.bench.ts"));
  process.exit(failures > 0 ? 1 : 0);
}
const results = await runParts(process.env["GREP"] ? [part("Tests", versions)] : allParts(), {
  workers: 2,
});
process.exitCode = writeResults(results) ? 0 : 1;

/** The versions side by side, because each leaves a core idle for more than half of the time. */
function allParts(): SuitePart[] {
  const usesServer = (file: string) => !withoutServer.includes(path.basename(file));
  const files = find("*.test.ts");
  return [
    ...versions.map((version) => part(version, [version], files.filter(usesServer))),
    part(
      "No MindsDB",
      [],
      files.filter((file) => !usesServer(file)),
    ),
  ];
}

function part(title: string, tested: readonly Version[], files = find("*.test.ts")): SuitePart {
  const env = { MINDSDB_VERSIONS: tested.join(" ") };
  return { suite: "mindsdb", title, files, env };
}

function find(pattern: string): string[] {
  return fs.globSync(path.join(import.meta.dirname, pattern)).sort();
}
