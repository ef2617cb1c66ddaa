// Starts a VS Code on 127.0.0.1 and stops it with every process it made. A browser is all that is needed to use it.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import crypto from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { tokenParameter } from "./gate.ts";
import { installVSCode, type InstalledVSCode } from "./install.ts";
import { installOnce } from "./packages.ts";
import type { ServeOptions } from "./serve.ts";
import { writeSettings, type Settings } from "./settings.ts";
import { newest, recipes, type VersionName } from "./versions.ts";

const installsFolder = path.resolve(import.meta.dirname, "..", "..", "out", "installed");
const dayMs = 24 * 60 * 60 * 1_000;

export interface VSCodeOptions {
  /** Default: the newest. */
  version?: VersionName;
  /** The extension as a folder, run as a development extension. */
  extensionPath?: string;
  /** The extension as a package, installed as a user would. */
  vsix?: string;
  /** The package of another extension, which runs beside it. */
  otherVsix?: string;
  /** The module with `run()` that VS Code starts inside the extension host, and ends with. */
  testsPath?: string;
  /** The folder (or `.code-workspace` file) that is open. */
  folder: string;
  /** Whether VS Code asks before it trusts a folder. If not, it opens no other one. Default: false. */
  asksForTrust?: boolean;
  /** The id of the view that a window shows the first time it is opened. */
  firstView?: string;
  /** User settings, over the quiet defaults and what the data folder has already. */
  settings?: Settings;
  /** Settings of scope `machine`, such as `mindsdbWorkbench.connections`. */
  machineSettings?: Settings;
  /** Everything VS Code keeps. Default: a temporary folder, removed at stop. */
  dataFolder?: string;
  /** Default: a free one. Keep port and data folder for a restart: secrets and state belong to the origin. */
  port?: number;
  /** Added to the environment of VS Code and its extension host. */
  env?: Record<string, string>;
}

export interface RunningVSCode {
  /** VS Code's own number. */
  version: string;
  /** Where it is, for example `http://127.0.0.1:40123/`. Only a browser that has opened `urlWithToken` may use it. */
  url: string;
  /** What a browser opens first. The token is new with each start. */
  urlWithToken: string;
  port: number;
  dataFolder: string;
  /** VS Code's logs and Output channels, one folder a start. */
  logsFolder: string;
  pid: number;
  /** Resolves when the process is gone, for whatever reason. */
  ended: Promise<void>;
  /** Ends every process; a temporary data folder is removed. */
  stop(): Promise<void>;
}

/** Installs what is missing, starts VS Code and resolves when it listens; says which one runs. */
export async function startVSCode(options: VSCodeOptions): Promise<RunningVSCode> {
  const name = options.version ?? newest;
  const version = recipes[name].vscode;
  const installed = await installVSCode(name);
  const dataFolder = options.dataFolder ?? fs.mkdtempSync(path.join(os.tmpdir(), "vscode-data-"));
  for (const folder of ["user", "server", "extensions"]) {
    fs.mkdirSync(path.join(dataFolder, folder), { recursive: true });
  }
  const { asksForTrust = false } = options;
  const settings = { "security.workspace.trust.enabled": asksForTrust, ...options.settings };
  writeSettings(dataFolder, settings, options.machineSettings ?? {});
  // VS Code does not remove its sockets.
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "vscode-"));
  const env = hostEnvironment({
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    ...options.env,
  });
  for (const vsix of [options.vsix, options.otherVsix]) {
    if (vsix) await installVsix(installed, version, dataFolder, vsix, env);
  }

  const serveOptions: ServeOptions = {
    vscodeFolder: installed.folder,
    node: installed.node.path,
    dataFolder,
    port: options.port ?? 0,
    folder: path.resolve(options.folder),
    asksForTrust,
    ...(options.extensionPath && { extensionPath: path.resolve(options.extensionPath) }),
    ...(options.testsPath && { testsPath: path.resolve(options.testsPath) }),
    ...(options.firstView && { firstView: options.firstView }),
  };
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "serve.ts"), JSON.stringify(serveOptions)],
    { env, stdio: ["ignore", "pipe", "pipe", "ipc"], detached: true },
  );
  const ended = once(child, "exit").then(() => {
    killGroup(child);
  });
  const { port, token } = await listening(child);
  const url = `http://127.0.0.1:${String(port)}/`;
  console.log(
    `VS Code ${version} (code-server, extensions on Node ${installed.node.version}) on port ${String(port)}`,
  );
  return {
    version,
    url,
    urlWithToken: `${url}?${tokenParameter}=${token}`,
    port,
    dataFolder,
    logsFolder: path.join(dataFolder, "user", "logs"),
    pid: child.pid ?? 0,
    ended,
    async stop() {
      await stop(child, ended);
      removeFolder(temporary);
      if (!options.dataFolder) removeFolder(dataFolder);
    },
  };
}

/** This environment without what a VS Code around us has set, and without a gallery to ask. */
function hostEnvironment(given: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !key.startsWith("VSCODE_"));
  return { ...Object.fromEntries(inherited), EXTENSIONS_GALLERY: "{}", ...given };
}

/** Installs a package as VS Code's command line does; what that has made is kept, and copied from then on. */
async function installVsix(
  installed: InstalledVSCode,
  version: string,
  dataFolder: string,
  vsix: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const hash = crypto.createHash("sha256").update(fs.readFileSync(vsix)).digest("hex").slice(0, 16);
  const kept = path.join(installsFolder, `${hash}-${version}`);
  await installOnce(kept, (stage) => {
    removeOldInstalls();
    const dataFolders = ["user-data-dir", "server-data-dir", "extensions-dir"].map(
      (flag) => `--${flag}=${path.join(stage, flag.slice(0, flag.indexOf("-")))}`,
    );
    const main = path.join(installed.folder, "out", "server-main.js");
    const install = `--install-extension=${path.resolve(vsix)}`;
    const flags = [...dataFolders, "--accept-server-license-terms", "--force", install];
    execFileSync(process.execPath, [main, ...flags], { env, stdio: "pipe" });
    return Promise.resolve();
  });

  const from = path.join(kept, "extensions");
  const to = path.join(dataFolder, "extensions");
  const listName = "extensions.json";
  const added = readExtensions(path.join(from, listName));
  const isAdded = ({ identifier }: ExtensionEntry) =>
    added.some((entry) => entry.identifier.id === identifier.id);
  const others = readExtensions(path.join(to, listName)).filter((entry) => !isAdded(entry));
  for (const { relativeLocation } of added) {
    fs.cpSync(path.join(from, relativeLocation), path.join(to, relativeLocation), {
      recursive: true,
    });
  }
  fs.writeFileSync(path.join(to, listName), JSON.stringify([...others, ...added]));
}

/** An entry of extensions.json. VS Code takes the relative location where there is one. */
interface ExtensionEntry {
  identifier: { id: string };
  relativeLocation: string;
}

function readExtensions(file: string): ExtensionEntry[] {
  if (!fs.existsSync(file)) return [];
  return JSON.parse(fs.readFileSync(file, "utf8")) as ExtensionEntry[];
}

/** Each changed package makes a new one. */
function removeOldInstalls(): void {
  for (const name of fs.readdirSync(installsFolder)) {
    const folder = path.join(installsFolder, name);
    const made = fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > dayMs) removeFolder(folder);
  }
}

interface Listening {
  port: number;
  token: string;
}

async function listening(child: ChildProcess): Promise<Listening> {
  let output = "";
  const collect = (text: string) => (output = (output + text).slice(-10_000));
  child.stdout?.setEncoding("utf8").on("data", collect);
  child.stderr?.setEncoding("utf8").on("data", collect);
  const answer = await Promise.race([
    once(child, "message").then(([message]) => message as Listening | { error: string }),
    once(child, "exit").then(() => ({ error: `VS Code ended before it listened\n${output}` })),
  ]);
  if ("error" in answer) throw new Error(answer.error);
  return answer;
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const late = setTimeout(() => {
    killGroup(child);
  }, 5000);
  await ended;
  clearTimeout(late);
}

/** Kills remaining child processes: extension hosts, searches, terminals. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") {
      execFileSync("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    } else {
      process.kill(-child.pid, "SIGKILL");
    }
  } catch {
    // The group has already ended.
  }
}

/** Removes a folder, also while a last process of it is still going. */
export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
