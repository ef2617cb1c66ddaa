// Starts a VS Code on 127.0.0.1 and stops it with every process it made. A browser is all that is needed to use it.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { tokenParameter } from "./gate.ts";
import { installVSCode } from "./install.ts";
import type { ServeOptions } from "./serve.ts";
import { writeSettings, type Settings } from "./settings.ts";
import { newest, recipes, type VersionName } from "./versions.ts";

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
    if (vsix) installVsix(installed.folder, dataFolder, vsix, env);
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

function installVsix(
  vscodeFolder: string,
  dataFolder: string,
  vsix: string,
  env: NodeJS.ProcessEnv,
): void {
  const dataFolders = ["user-data-dir", "server-data-dir", "extensions-dir"].map(
    (flag) => `--${flag}=${path.join(dataFolder, flag.slice(0, flag.indexOf("-")))}`,
  );
  execFileSync(
    process.execPath,
    [
      path.join(vscodeFolder, "out", "server-main.js"),
      ...dataFolders,
      "--accept-server-license-terms",
      "--force",
      `--install-extension=${path.resolve(vsix)}`,
    ],
    { env, stdio: "pipe" },
  );
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
