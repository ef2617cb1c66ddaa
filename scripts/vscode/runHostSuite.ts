// Runs test/host/ inside the extension host of each version of VS Code, side by side:
// node scripts/vscode/runHostSuite.ts [--version 1.103] [--desktop EXECUTABLE]   (GREP=text runs only what matches)
// The counts go into out/results/host-<version>.json.
import path from "node:path";
import { parseArgs } from "node:util";
import { writeResults, type SuiteResult } from "../suiteResult.ts";
import { buildExtension, root } from "./build.ts";
import { runHostSuite } from "./hostSuite.ts";
import { newest, parseVersion, recipes, type VersionName } from "./versions.ts";

const { values } = parseArgs({
  options: { version: { type: "string" }, desktop: { type: "string" } },
});
const { desktop } = values;
const versions = values.version
  ? [parseVersion(values.version)]
  : desktop
    ? [newest]
    : (Object.keys(recipes) as VersionName[]);
buildExtension();
const results = await Promise.all(
  versions.map(async (version) => {
    let output = "";
    // The output of two versions would mix.
    const print = versions.length > 1 ? (text: string) => (output += text) : undefined;
    const result = await run(version, print);
    console.log(output);
    return result;
  }),
);
for (const { suite, passes, failures } of results) {
  console.log(`${suite}: ${String(passes)} passed, ${String(failures)} failed`);
}
process.exitCode = writeResults(results) ? 0 : 1;

function run(version: VersionName, print?: (text: string) => void): Promise<SuiteResult> {
  return runHostSuite({
    suite: desktop ? "host-desktop" : `host-${version}`,
    version,
    extensionPath: root,
    testsFolder: path.join(root, "test", "host"),
    // With the oldest version they run once in CI, and by name with each.
    skipsSlow: version === newest && !process.env["GREP"],
    ...(desktop && { desktop }),
    ...(print && { print }),
  });
}
