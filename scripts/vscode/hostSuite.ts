// Runs mocha inside the extension host of a real VS Code and says how it went. A host that dies is a failed suite.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { runTests } from "@vscode/test-electron";
import * as esbuild from "esbuild";
import type { SuiteResult } from "../suiteResult.ts";
import { root } from "./build.ts";
import { removeFolder } from "./server.ts";
import type { VersionName } from "./versions.ts";

export interface HostSuiteOptions {
  /** The suite's name in the results. */
  suite: string;
  version: VersionName;
  /** The folder of the extension under test, already built. */
  extensionPath: string;
  /** The folder with the `*.test.ts` files. */
  testsFolder: string;
  /** Leaves out `*.slow.test.ts`. */
  skipsSlow?: boolean;
  /** The executable of a desktop VS Code to use instead of ours. */
  desktop?: string;
  /** Takes what mocha prints. Default: stdout. */
  print?: (text: string) => void;
}

/** Bundles the tests, starts VS Code with them and passes on what mocha prints. */
export async function runHostSuite(options: HostSuiteOptions): Promise<SuiteResult> {
  const print = options.print ?? ((text: string) => process.stdout.write(text));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vscode-host-suite-"));
  const output = path.join(folder, "output.txt");
  const result = path.join(folder, "result.json");
  const workspace = path.join(folder, "workspace");
  fs.cpSync(path.join(import.meta.dirname, "workspace"), workspace, { recursive: true });
  fs.writeFileSync(output, "");
  const follow = followFile(output, print);
  try {
    await runTests({
      vscodeExecutablePath: options.desktop ?? writeLauncher(folder),
      extensionDevelopmentPath: options.extensionPath,
      extensionTestsPath: await bundle(options),
      launchArgs: [
        workspace,
        `--user-data-dir=${path.join(folder, "data")}`,
        `--extensions-dir=${path.join(folder, "extensions")}`,
      ],
      extensionTestsEnv: {
        VSCODE_VERSION: options.version,
        HOST_SUITE_OUTPUT: output,
        HOST_SUITE_RESULT: result,
      },
    });
  } catch (error) {
    // The counts below say what failed; without them the message is all there is.
    print(`${(error as Error).message}\n`);
  }
  follow.stop();
  const counts = readCounts(result);
  if (!counts) print("The extension host ended before the suite did\n");
  else if (counts.passes + counts.failures === 0) print("The suite had no test\n");
  removeFolder(folder);
  const { passes, failures, pending } = counts ?? { passes: 0, failures: 0, pending: 0 };
  return {
    ...counts,
    suite: options.suite,
    passes,
    failures: passes + failures === 0 ? 1 : failures,
    pending,
  };
}

function readCounts(file: string): Omit<SuiteResult, "suite"> | undefined {
  if (!fs.existsSync(file)) return undefined;
  return JSON.parse(fs.readFileSync(file, "utf8")) as Omit<SuiteResult, "suite">;
}

/** Bundles test/host/index.ts and the tests into out/ and answers the module that VS Code has to start. */
async function bundle({
  testsFolder,
  suite,
  skipsSlow = false,
}: HostSuiteOptions): Promise<string> {
  const outdir = path.join(root, "out", "host-tests", suite);
  const tests = fs
    .globSync("**/*.test.ts", { cwd: testsFolder })
    .filter((file) => !(skipsSlow && file.endsWith(".slow.test.ts")));
  fs.rmSync(outdir, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: {
      index: path.join(root, "test", "host", "index.ts"),
      ...Object.fromEntries(
        tests.map((file) => [file.replace(/\.ts$/, ""), path.join(testsFolder, file)]),
      ),
    },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    logLevel: "warning",
  });
  return path.join(outdir, "index.js");
}

/** An executable that runs shim.ts with this Node, in the form the platform wants. */
function writeLauncher(folder: string): string {
  const shim = path.join(import.meta.dirname, "shim.ts");
  const onWindows = process.platform === "win32";
  const file = path.join(folder, onWindows ? "code.cmd" : "code");
  const text = onWindows
    ? `@"${process.execPath}" "${shim}" %*\r\n`
    : `#!/bin/sh\nexec "${process.execPath}" "${shim}" "$@"\n`;
  fs.writeFileSync(file, text, { mode: 0o755 });
  return file;
}

/** Passes on what is appended to a file, until stopped. */
function followFile(file: string, print: (text: string) => void): { stop(): void } {
  let printed = 0;
  const decoder = new TextDecoder();
  const follow = () => {
    const content = fs.readFileSync(file);
    print(decoder.decode(content.subarray(printed), { stream: true }));
    printed = content.length;
  };
  const timer = setInterval(follow, 100);
  return {
    stop() {
      clearInterval(timer);
      follow();
    },
  };
}
