import { commands, panels } from "../../ids.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { TriggerTarget } from "./triggerActions.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerTriggerCommands>> {}
}

interface TriggerCommandsOptions extends FormPagesOptions, ItemPageOptions {
  pickTable: (title: string, connectionId: string) => Promise<TableRef | undefined>;
  /** Reloads the project's triggers and selects this one. */
  reveal: (trigger: ItemRef) => Promise<void>;
}

/** Registers the commands, the form and the pages of triggers, which are loaded when they are first used. */
export function registerTriggerCommands(options: TriggerCommandsOptions) {
  const act = () => import("./triggerActions.ts");
  const loadForms = lazy(async () => {
    const { TriggerForms } = await import("./triggerForms.ts");
    return new TriggerForms({ ...options, onSaved: (trigger) => void options.reveal(trigger) });
  });
  const pages = new ItemPages({
    viewType: panels.trigger,
    load: async () => (await import("./triggerPage.ts")).createTriggerPages(options),
  });
  return registerCommands(
    {
      [commands.triggerShow]: pages.show,
      [commands.triggerCreate]: async (given?: TriggerTarget) =>
        (await act()).createInForm(options, given, loadForms),
      [commands.triggerDelete]: async (trigger: ItemRef) =>
        (await act()).confirmAndDelete(options, trigger),
    },
    pages,
    restorePanels(panels.triggerForm, loadForms),
  );
}
