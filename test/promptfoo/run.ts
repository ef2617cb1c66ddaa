// npm run test:promptfoo [VERSION...]: the same agent tests through `promptfoo eval` and through our runner, against real
// servers. No part of CI: promptfoo is 1.5 GB.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { installMindsDB, VERSIONS } from "../../scripts/mindsdb/install.ts";
import { runMocha } from "../../scripts/mocha.ts";
import { installPromptfoo } from "../../scripts/promptfoo.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const asked = process.argv.slice(2);
const versions = VERSIONS.filter((version) => asked.length === 0 || asked.includes(version));
if (versions.length < asked.length) throw new Error(`known versions: ${VERSIONS.join(", ")}`);
process.env["MINDSDB_VERSIONS"] = versions.join(" ");

await Promise.all([installPromptfoo(), ...versions.map((version) => installMindsDB(version))]);
// The provider file, as the package has it.
const build = spawnSync(process.execPath, ["esbuild.js", "--production"], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"],
});
if (build.status !== 0) throw new Error("The build failed");
const file = path.join(import.meta.dirname, "verdicts.test.ts");
const result = await runMocha("promptfoo", [file], { timeoutMs: 5 * 60_000 });
process.exit(result.failures + result.pending > 0 ? 1 : 0);
