// Opens the setting with the connections of the settings. Imported when a command needs it.
import * as vscode from "vscode";
import { settings } from "../../ids.ts";

/** Opens the settings file with the connections at its place; the setting is one of the machine, so there is one file. */
export async function openConnectionsSetting(): Promise<void> {
  const key = `${settings.section}.${settings.connections}`;
  const isRemote = vscode.env.remoteName !== undefined;
  await vscode.commands.executeCommand(
    isRemote ? "workbench.action.openRemoteSettingsFile" : "workbench.action.openSettingsJson",
    { revealSetting: { key, edit: false } },
  );
}
