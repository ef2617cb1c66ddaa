// Packs the extension with notebooks of loops.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";

const root = path.resolve(import.meta.dirname, "../../..");
const vsce = path.join(root, "node_modules/@vscode/vsce/vsce");

/** Returns the path of the VSIX. */
export function packLoopNotebook(): string {
  const folder = path.join(root, "out", "loop-notebook");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const vsix = path.join(folder, "loop-notebook.vsix");
  fs.copyFileSync(
    path.join(import.meta.dirname, "package.json"),
    path.join(folder, "package.json"),
  );
  fs.writeFileSync(path.join(folder, "README.md"), "A notebook for a bench.\n");
  esbuild.buildSync({
    entryPoints: [path.join(import.meta.dirname, "extension.ts")],
    outfile: path.join(folder, "extension.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
  });
  const options = ["--no-dependencies", "--skip-license", "--allow-missing-repository"];
  execFileSync(process.execPath, [vsce, "package", ...options, "--out", vsix], {
    cwd: folder,
    stdio: "pipe",
  });
  return vsix;
}
