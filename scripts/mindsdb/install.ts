// Installs a MindsDB release, or Phoenix, with the exact packages it was tested with, once, into the cache folder.
// Needs Python 3.11; 25.14.1 also needs a C compiler (`cc`) and `nm`.
import { execFile } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../cache.ts";
import { makeTorchCpuOnly } from "./cpuTorch.ts";
import { runGroup } from "./processes.ts";

/** The two releases that tests run against: the newest, and the last with lightwood and the older stream. */
export const VERSIONS = ["26.1.0", "25.14.1"] as const;
export type Version = (typeof VERSIONS)[number];

const UV = "uv==0.13.9";
const STEP_LIMIT_MS = 8 * 60_000;
const here = import.meta.dirname;
/** An engine that trains, which 26.1.0 comes without. */
const engine = path.join(here, "engine", "linear_handler");

/** Installs the release if needed, and returns the path of the Python that runs it (`-m mindsdb`). */
export function installMindsDB(version: Version): Promise<string> {
  const name = `mindsdb-${version}-${recipeHash(version)}`;
  return installOnce(name, requirements(version), (python, step) =>
    finishMindsDB(version, python, step),
  );
}

/** Installs Arize Phoenix if needed, and returns the path of the Python that runs it (`-m phoenix.server.main`). */
export function installPhoenix(): Promise<string> {
  const file = requirements("phoenix-20.26.1");
  return installOnce(`phoenix-${hashFiles([file])}`, file, (python, step) =>
    step(python, "-c", "import phoenix"),
  );
}

/** Runs one command of an installation. */
type Step = (command: string, ...args: string[]) => Promise<void>;

/** Returns the Python of this folder in the cache, which it installs if it is not there; then `finish` completes it. */
async function installOnce(
  name: string,
  requirementsFile: string,
  finish: (python: string, step: Step) => Promise<void>,
): Promise<string> {
  const folder = path.join(cacheFolder(), name);
  if (!fs.existsSync(folder)) {
    removeAbandoned(folder);
    // Made beside its place and moved there when whole, so what is there is whole. Of two runs at once, the one that
    // is done first wins.
    const partial = `${folder}.${process.pid}`;
    try {
      await install(partial, requirementsFile, finish);
      moveUnlessThere(partial, folder);
    } finally {
      fs.rmSync(partial, { recursive: true, force: true });
    }
  }
  return pythonIn(folder);
}

/** The folder that holds the packages of a Python returned by `installMindsDB`. */
export function sitePackages(python: string): string {
  return path.join(path.dirname(python), "..", "lib", "python3.11", "site-packages");
}

async function install(
  folder: string,
  requirementsFile: string,
  finish: (python: string, step: Step) => Promise<void>,
): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  const uvCache = path.join(folder, "uv-cache");
  const options = {
    cwd: folder,
    log: path.join(folder, "install.log"),
    timeoutMs: STEP_LIMIT_MS,
    env: {
      ...process.env,
      VIRTUAL_ENV: folder,
      UV_CACHE_DIR: uvCache,
      UV_HTTP_TIMEOUT: "120",
      // Build dependencies are pinned, too.
      UV_BUILD_CONSTRAINT: requirementsFile,
      PIP_CONSTRAINT: requirementsFile,
      PIP_NO_CACHE_DIR: "1",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
    },
  };
  const step: Step = (command, ...args) => runGroup(command, args, options);

  await step(await findPython(), "-m", "venv", folder);
  const python = pythonIn(folder);
  const packages = ["--no-deps", "--requirement", requirementsFile];
  try {
    await step(python, "-m", "pip", "install", UV);
    await step(path.join(folder, "bin", "uv"), "pip", "install", ...packages);
  } catch {
    // The second try is pip's: slower, but it reads the machine's settings for pip, which uv does not.
    await step(python, "-m", "pip", "install", ...packages);
  }
  fs.rmSync(uvCache, { recursive: true, force: true });
  await finish(python, step);
}

async function finishMindsDB(version: Version, python: string, step: Step): Promise<void> {
  const packagesFolder = sitePackages(python);
  if (version === "25.14.1") {
    await makeTorchCpuOnly(packagesFolder);
    await step(python, "-c", "import torch");
  } else {
    const handlers = path.join(packagesFolder, "mindsdb", "integrations", "handlers");
    fs.cpSync(engine, path.join(handlers, path.basename(engine)), { recursive: true });
    await step(python, "-c", "import mindsdb");
  }
}

/** Finds a complete Python 3.11; the interpreter itself, not a shim that asks the environment which one to run. */
async function findPython(): Promise<string> {
  const script =
    "import ensurepip, sys; assert sys.version_info[:2] == (3, 11); print(sys.executable)";
  for (const name of ["python3.11", "python3", "python"]) {
    try {
      const { stdout } = await promisify(execFile)(name, ["-c", script]);
      return stdout.trim();
    } catch {
      // Not there, or not this version: the next one.
    }
  }
  throw new Error(
    "Python 3.11 with venv is needed to install MindsDB and Phoenix, and was not found.",
  );
}

function pythonIn(folder: string): string {
  return path.join(folder, "bin", "python");
}

function requirements(name: string): string {
  return path.join(here, "requirements", `${name}.txt`);
}

/** Returns a hash of everything that affects the installation. Each hash has its own folder. */
function recipeHash(version: Version): string {
  const added =
    version === "25.14.1" ? [path.join(here, "cpuTorch.ts")] : fs.globSync(`${engine}/*.py`).sort();
  return hashFiles([requirements(version), ...added]);
}

function hashFiles(files: string[]): string {
  const hash = crypto.createHash("sha256");
  for (const file of files) hash.update(fs.readFileSync(file));
  return hash.digest("hex").slice(0, 8);
}

function moveUnlessThere(from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if (!fs.existsSync(to)) throw error;
  }
}

/** Removes leftovers of interrupted installations. */
function removeAbandoned(folder: string): void {
  for (const partial of fs.globSync(`${folder}.*`)) {
    const pid = Number(partial.slice(folder.length + 1));
    if (!isRunning(pid)) fs.rmSync(partial, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
