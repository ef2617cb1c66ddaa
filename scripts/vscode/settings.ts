// The settings our VS Code starts with: quiet, offline, without anything that would move or ask.
import fs from "node:fs";
import path from "node:path";

export type Settings = Record<string, unknown>;

const quiet: Settings = {
  "chat.disableAIFeatures": true,
  "editor.accessibilitySupport": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "files.autoSave": "off",
  "files.simpleDialog.enable": true,
  "git.enabled": false,
  "git.openRepositoryInParentFolders": "never",
  "npm.autoDetect": "off",
  "remote.autoForwardPorts": false,
  "telemetry.telemetryLevel": "off",
  "typescript.disableAutomaticTypeAcquisition": true,
  "update.mode": "none",
  "update.showReleaseNotes": false,
  "window.commandCenter": false,
  "workbench.enableExperiments": false,
  "workbench.layoutControl.enabled": false,
  "workbench.reduceMotion": "on",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
};

/**
 * Writes a data folder's settings, before VS Code starts and reads them: what is there already stays, what is given wins.
 * Machine settings are those of scope `machine`; VS Code 1.139 ignores them among the user's.
 */
export function writeSettings(dataFolder: string, user: Settings, machine: Settings): void {
  merge(path.join(dataFolder, "user", "User", "settings.json"), quiet, user);
  merge(path.join(dataFolder, "user", "Machine", "settings.json"), {}, machine);
}

function merge(file: string, defaults: Settings, given: Settings): void {
  const present = fs.existsSync(file)
    ? (JSON.parse(fs.readFileSync(file, "utf8")) as Settings)
    : defaults;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ ...present, ...given }, null, 2));
}
