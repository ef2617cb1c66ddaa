// Builds dist/, as the extension is loaded from the checkout.
import { spawnSync } from "node:child_process";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..", "..");

/** Runs the project's own build; its output is shown only if it fails. */
export function buildExtension(): void {
  const build = spawnSync(process.execPath, ["esbuild.js"], { cwd: root, encoding: "utf8" });
  if (build.status !== 0) throw new Error(`The build failed\n${build.stdout}${build.stderr}`);
}
