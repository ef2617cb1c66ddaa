import { commands, panels } from "../../ids.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerServerSettings>> {}
}

/** Registers the command and the form of the servers' default models, which are loaded when they are first used. */
export function registerServerSettings(options: FormPagesOptions) {
  const loadForms = lazy(async () => {
    const { SettingsForms } = await import("./settingsForms.ts");
    return new SettingsForms(options);
  });
  return registerCommands(
    {
      [commands.serverSettings]: async (given?: { connectionId: string }) =>
        (await import("./openSettings.ts")).openSettings(options, given, loadForms),
    },
    restorePanels(panels.serverSettings, loadForms),
  );
}
