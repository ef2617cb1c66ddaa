// The journeys of a user, in a real VS Code with the packaged extension.
// Usage: node test/e2e/run.ts [--version 1.139|1.103] [FILE...]   (GREP=text runs only what matches)
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runMocha } from "../../scripts/mocha.ts";
import { packVsix, vsixPath } from "../../scripts/package.ts";
import { newest, parseVersion } from "../../scripts/vscode/versions.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

const { values, positionals } = parseArgs({
  options: { version: { type: "string" } },
  allowPositionals: true,
});
const version = parseVersion(values.version);
process.env["VSCODE_VERSION"] = version;

if (!process.env["VSIX"] && packageIsStale()) packVsix();

// The newest VS Code runs every journey, an older one the one that goes through everything.
const journeys = version === newest ? "*.test.ts" : "everything.test.ts";
const all = fs.globSync(path.join(root, "test", "e2e", journeys)).sort();
const files = positionals.length > 0 ? positionals : all;
const result = await runMocha(`e2e-${version}`, files, {
  timeoutMs: 90_000,
  filesToRepeat: 3,
});
process.exit(result.failures + result.pending > 0 ? 1 : 0);

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
