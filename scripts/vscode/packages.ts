// Installs npm packages into the cache folder: verified, atomically, and safe for concurrent runs.
import fs from "node:fs";
import path from "node:path";
import { extract } from "tar";
import { npm } from "../npm.mjs";

/** A package of the npm registry, pinned by the hash of its archive. */
export interface PinnedPackage {
  name: string;
  version: string;
  integrity: string;
}

/** Downloads a package and unpacks it into `folder`, without its dependencies and without running its scripts. */
export async function fetchPackage(pinned: PinnedPackage, folder: string): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const spec = `${pinned.name}@${pinned.version}`;
  const output = await npm(["pack", spec, "--json", "--ignore-scripts"], folder);
  const [packed] = JSON.parse(output) as { filename: string; integrity: string }[];
  if (packed?.integrity !== pinned.integrity) {
    throw new Error(`${spec} is not the archive that was pinned: ${String(packed?.integrity)}`);
  }
  const archive = path.join(folder, packed.filename);
  await extract({ file: archive, cwd: folder, strip: 1 });
  fs.rmSync(archive);
}

/**
 * Makes `folder` with `build` unless it is there. It is built beside its place and then renamed, so that what is there is
 * whole; if another run was faster, that one's stays. A failed build is tried once more.
 */
export async function installOnce(
  folder: string,
  build: (stage: string) => Promise<void>,
): Promise<void> {
  if (fs.existsSync(folder)) return;
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  removeAbandoned(path.dirname(folder));
  try {
    await buildAside(folder, build);
  } catch (error) {
    console.log(`${(error as Error).message}\nTrying once more`);
    await buildAside(folder, build);
  }
}

async function buildAside(folder: string, build: (stage: string) => Promise<void>): Promise<void> {
  const stage = fs.mkdtempSync(path.join(path.dirname(folder), stagePrefix));
  try {
    await build(stage);
    fs.renameSync(stage, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
  } finally {
    fs.rmSync(stage, { recursive: true, force: true });
  }
}

const stagePrefix = ".installing-";

/** Removes staging folders of killed runs, after one hour without changes. */
function removeAbandoned(parent: string): void {
  for (const name of fs.readdirSync(parent)) {
    if (!name.startsWith(stagePrefix)) continue;
    const stage = path.join(parent, name);
    const age = Date.now() - (fs.statSync(stage, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 3_600_000) fs.rmSync(stage, { recursive: true, force: true });
  }
}
