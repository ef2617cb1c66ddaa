// The user's own VS Code, where there is one: `code` on the PATH.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { writeSettings, type Settings } from "./settings.ts";

/** The command line of a desktop VS Code, or `undefined`. The `code` of a remote window's terminal is not one. */
export function findDesktop(): string | undefined {
  if (process.env["VSCODE_IPC_HOOK_CLI"]) return undefined;
  const name = process.platform === "win32" ? "code.cmd" : "code";
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
}

export interface DesktopOptions {
  extensionPath: string;
  folder: string;
  dataFolder: string;
  /** On a desktop, settings of scope `machine` are the user's. */
  settings: Settings;
  /** Added to the environment of VS Code and its extension host. */
  env: Record<string, string>;
}

export interface RunningDesktop {
  /** Resolves when its window is closed. */
  ended: Promise<void>;
  stop(): void;
}

/** Opens a window of the desktop VS Code with the extension, with data of its own beside the user's. */
export function openDesktop(code: string, options: DesktopOptions): RunningDesktop {
  // The window can open any folder.
  const settings = { ...options.settings, "security.workspace.trust.enabled": true };
  writeSettings(options.dataFolder, settings, {});
  const args = [
    "--new-window",
    "--wait",
    `--user-data-dir=${path.join(options.dataFolder, "user")}`,
    `--extensions-dir=${path.join(options.dataFolder, "extensions")}`,
    `--extensionDevelopmentPath=${options.extensionPath}`,
    options.folder,
  ];
  const onWindows = process.platform === "win32";
  const quote = (text: string) => (onWindows ? `"${text}"` : text);
  const child = spawn(quote(code), args.map(quote), {
    stdio: "inherit",
    shell: onWindows,
    env: { ...process.env, ...options.env },
  });
  return {
    ended: once(child, "exit").then(() => undefined),
    stop: () => child.kill(),
  };
}
