// The files with journeys, and the package that they install.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { vsixPath } from "./package.ts";

const root = path.resolve(import.meta.dirname, "..");
const folder = path.join(root, "test", "e2e");
const smokeFolder = path.join(folder, "smoke");

/** The journeys of `npm test`, which touch every feature once. The longest start first. */
export function smokeJourneys(): string[] {
  return bySize(fs.globSync(path.join(smokeFolder, "*.test.ts")));
}

/** The journeys of `npm run test:full`. The longest start first. */
export function otherJourneys(): string[] {
  return bySize(fs.globSync(path.join(folder, "*.test.ts")));
}

/** The files that share a window are in the first group, for they share it in one process; each other one is a group. */
export function groupByWindow(files: readonly string[]): string[][] {
  const shares = (file: string) => fs.readFileSync(file, "utf8").includes("useSharedWorkbench(");
  const alone = files.filter((file) => !shares(file)).map((file) => [file]);
  const together = files.filter(shares);
  return together.length > 0 ? [together, ...alone] : alone;
}

/** Names a group in the output. */
export function titleOf(group: readonly string[]): string {
  const [first = ""] = group;
  return group.length > 1 ? "shared window" : path.basename(first, ".test.ts");
}

/** The files that are named like this, wherever they are; all journeys without a name. */
export function allJourneys(name = "*"): string[] {
  const found = fs.globSync(`{,smoke/}${name}.test.ts`, { cwd: folder });
  return found.map((file) => path.join(folder, file)).sort();
}

function bySize(files: string[]): string[] {
  const size = (file: string) => fs.statSync(file).size;
  return files.sort((one, other) => size(other) - size(one));
}

/**
 * Packs the extension if anything that goes into the package has changed since it was packed: in a process of its own,
 * so that tests can run beside it.
 */
export async function packIfStale(): Promise<void> {
  if (!isStale()) return;
  const script = path.join(import.meta.dirname, "package.ts");
  const [code] = (await once(spawn(process.execPath, [script], { stdio: "inherit" }), "close")) as [
    number | null,
  ];
  if (code !== 0) throw new Error("The extension could not be packed");
}

function isStale(): boolean {
  if (!fs.existsSync(vsixPath)) return true;
  const packed = fs.statSync(vsixPath).mtimeMs;
  const sources = [
    ...fs.globSync("{src,media,l10n}/**/*", { cwd: root }),
    ...fs.globSync("*.{js,json,md}", { cwd: root }),
    ".vscodeignore",
  ];
  return sources.some((file) => fs.statSync(path.join(root, file)).mtimeMs > packed);
}
