// Runs test/host/ inside the extension host: node scripts/vscode/runHostSuite.ts [--version 1.103] [--desktop EXECUTABLE]
// (GREP=text runs only what matches). The counts go into out/results/host-<version>.json.
import path from "node:path";
import { parseArgs } from "node:util";
import { writeResult } from "../mocha.ts";
import { buildExtension, root } from "./build.ts";
import { runHostSuite } from "./hostSuite.ts";
import { parseVersion } from "./versions.ts";

const { values } = parseArgs({
  options: { version: { type: "string" }, desktop: { type: "string" } },
});
const version = parseVersion(values.version);
buildExtension();
const result = await runHostSuite({
  suite: values.desktop ? "host-desktop" : `host-${version}`,
  version,
  extensionPath: root,
  testsFolder: path.join(root, "test", "host"),
  ...(values.desktop && { desktop: values.desktop }),
});
writeResult(result);
const { passes, failures, pending } = result;
console.log(`${result.suite}: ${String(passes)} passed, ${String(failures)} failed`);
process.exit(failures + pending > 0 ? 1 : 0);
