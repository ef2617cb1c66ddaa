// Activation against an empty extension's, in fresh windows of the same VS Code, in turn.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawnSync } from "node:child_process";
import * as esbuild from "esbuild";
import { launchBrowser } from "../../scripts/vscode/browser.ts";
import { startVSCode } from "../../scripts/vscode/server.ts";
import { median, type BenchRow } from "./bench.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const rounds = 5;

export const extensionId = "mindsdb-workbench-community.mindsdb-workbench";
const ours = { id: extensionId, folder: root };
const empty = { id: "bench.bench-empty", folder: path.join(import.meta.dirname, "empty") };

/** ms to activate, once, in a window of its own. */
export async function activation({ id, folder }: typeof ours, testsPath: string): Promise<number> {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "bench-activation-"));
  const result = path.join(temporary, "ms");
  const vscode = await startVSCode({
    extensionPath: folder,
    testsPath,
    folder: temporary,
    dataFolder: path.join(temporary, "data"),
    env: { BENCH_EXTENSION: id, BENCH_RESULT: result },
  });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const ended = new Promise<void>((resolve) => {
      void page.exposeFunction("codeAutomationExit", () => resolve());
    });
    await page.goto(vscode.urlWithToken);
    await ended;
    return Number(fs.readFileSync(result, "utf8"));
  } finally {
    await browser.close();
    await vscode.stop();
    fs.rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Builds this checkout and the module that measures; returns the module's path. */
export async function buildActivation(): Promise<string> {
  spawnSync(process.execPath, ["esbuild.js", "--production"], { cwd: root, stdio: "ignore" });
  const testsPath = path.join(root, "out", "bench", "activation.js");
  await esbuild.build({
    entryPoints: [path.join(import.meta.dirname, "activationHost.ts")],
    outfile: testsPath,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["vscode"],
  });
  return testsPath;
}

export async function run(): Promise<BenchRow[]> {
  const testsPath = await buildActivation();
  const our: number[] = [];
  const their: number[] = [];
  for (let round = 0; round < rounds; round++) {
    our.push(await activation(ours, testsPath));
    their.push(await activation(empty, testsPath));
  }
  const value = median(our);
  const against = median(their);
  // The budget is the empty extension's time and 10 ms more.
  const budget = (against + 10) / against;
  const name = "activation against an empty extension";
  return [{ name, value, against, ratio: value / against, budget, unit: "ms" }];
}
