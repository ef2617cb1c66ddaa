import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { SettingsForms } from "./settingsForms.ts";

/** Registers the command and the form of the servers' default models, which are loaded when they are first used. */
export function registerServerSettings(options: FormPagesOptions): vscode.Disposable {
  let forms: Promise<SettingsForms> | undefined;
  /** The same object each time. */
  const loadForms = (): Promise<SettingsForms> =>
    (forms ??= import("./settingsForms.ts").then(
      ({ SettingsForms }) => new SettingsForms(options),
    ));
  return vscode.Disposable.from(
    restorePanels(panels.serverSettings, loadForms),
    vscode.commands.registerCommand(
      commands.serverSettings,
      async (given?: { connectionId: string }) => {
        const { openSettings } = await import("./openSettings.ts");
        await openSettings(options, given, loadForms);
      },
    ),
  );
}
