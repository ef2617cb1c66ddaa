// Runs test/host/ inside the extension host: node scripts/vscode/runHostSuite.ts [--version 1.103] [--desktop EXECUTABLE]
// (GREP=text runs only what matches). The counts go into out/results/host-<version>.json.
import path from "node:path";
import { parseArgs } from "node:util";
import { replaceRun, writeResult } from "../suiteResult.ts";
import { buildExtension, root } from "./build.ts";
import { runHostSuite } from "./hostSuite.ts";
import { parseVersion } from "./versions.ts";

const { values } = parseArgs({
  options: { version: { type: "string" }, desktop: { type: "string" } },
});
const version = parseVersion(values.version);
buildExtension();
const options = {
  suite: values.desktop ? "host-desktop" : `host-${version}`,
  version,
  extensionPath: root,
  testsFolder: path.join(root, "test", "host"),
  ...(values.desktop && { desktop: values.desktop }),
};
let result = await runHostSuite(options);
if (result.failures > 0 && result.failures <= 2) {
  console.log(`\n== ${result.suite} has failed and runs once more`);
  result = replaceRun(result, result, await runHostSuite(options));
}
writeResult(result);
const { passes, failures, pending } = result;
console.log(`${result.suite}: ${String(passes)} passed, ${String(failures)} failed`);
process.exit(failures + pending > 0 ? 1 : 0);
