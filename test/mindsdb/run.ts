// npm run test:mindsdb [VERSION...]: installs real MindsDB servers and runs the tests against them.
// GREP=text runs only the tests whose names match; the versions default to all.
import fs from "node:fs";
import path from "node:path";
import { runMocha } from "../../scripts/mocha.ts";
import { installMindsDB, installPhoenix, VERSIONS } from "../../scripts/mindsdb/install.ts";

const asked = process.argv.slice(2);
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
  report("Phoenix", installPhoenix()),
]);
const tests = fs.globSync(path.join(import.meta.dirname, "*.test.ts")).sort();
const result = await runMocha("mindsdb", tests, { timeoutMs: 60_000, filesToRepeat: 3 });
process.exit(result.failures + result.pending > 0 ? 1 : 0);
