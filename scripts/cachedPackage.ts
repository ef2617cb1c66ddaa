// npm packages that only some commands need, too large to be dependencies of this project: they are installed into the cache
// folder when they are first used.
import fs from "node:fs";
import path from "node:path";
import { cacheFolder } from "./cache.ts";
import { npm } from "./npm.mjs";

/** Installs a package if needed, and returns the folder that holds its `node_modules`. */
export async function installCachedPackage(name: string, version: string): Promise<string> {
  const folder = path.join(cacheFolder(), `${name}-${version}`);
  if (fs.existsSync(folder)) return folder;
  console.log(`Installing ${name} ${version} (once)`);
  // Made beside its place and moved there when whole.
  const partial = `${folder}.${process.pid}`;
  try {
    fs.mkdirSync(partial, { recursive: true });
    fs.writeFileSync(path.join(partial, "package.json"), '{ "private": true }\n');
    await npm(["install", `${name}@${version}`], partial);
    if (!fs.existsSync(folder)) fs.renameSync(partial, folder);
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}
