// Builds dist/, as the extension is loaded from the checkout.
import { execFileSync } from "node:child_process";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "..", "..");

/** Runs the project's own build; its output is shown if it fails. */
export function buildExtension(): void {
  execFileSync(process.execPath, ["esbuild.js"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
