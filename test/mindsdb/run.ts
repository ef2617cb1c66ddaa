// npm run test:mindsdb [VERSION...]: installs real MindsDB servers and runs the tests against them.
// npm run bench:mindsdb [VERSION...] (--bench): measures instead, beside what a user would write by hand.
// GREP=text runs only the tests whose names match; the versions default to all.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runMocha } from "../../scripts/mocha.ts";
import { packVsix } from "../../scripts/package.ts";
import { installMindsDB, installPhoenix, VERSIONS } from "../../scripts/mindsdb/install.ts";

const { values, positionals: asked } = parseArgs({
  options: { bench: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { bench } = values;
const versions = VERSIONS.filter((version) => asked.length === 0 || asked.includes(version));
if (versions.length < asked.length) throw new Error(`known versions: ${VERSIONS.join(", ")}`);
process.env["MINDSDB_VERSIONS"] = versions.join(" ");

async function report(name: string, installation: Promise<string>): Promise<void> {
  const started = Date.now();
  await installation;
  console.log(`${name} is installed (${Math.round((Date.now() - started) / 1000)} s)`);
}

await Promise.all([
  ...versions.map((version) => report(`MindsDB ${version}`, installMindsDB(version))),
  ...(bench ? [] : [report("Phoenix", installPhoenix())]),
]);
if (bench) packVsix();
const files = fs.globSync(path.join(import.meta.dirname, bench ? "*.bench.ts" : "*.test.ts"));
const result = await runMocha(bench ? "bench-mindsdb" : "mindsdb", files.sort(), {
  timeoutMs: 60_000,
  filesToRepeat: bench ? 0 : 3,
});
process.exit(result.failures + result.pending > 0 ? 1 : 0);
