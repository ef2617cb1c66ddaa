import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { TriggerTarget } from "./triggerActions.ts";
import type { TriggerForms } from "./triggerForms.ts";

interface TriggerCommandsOptions extends FormPagesOptions, ItemPageOptions {
  pickTable: (title: string, connectionId: string) => Promise<TableRef | undefined>;
  /** Reloads the project's triggers and selects this one. */
  reveal: (trigger: ItemRef) => Promise<void>;
}

/** Registers the commands, the form and the pages of triggers, which are loaded when they are first used. */
export function registerTriggerCommands(options: TriggerCommandsOptions): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  let forms: Promise<TriggerForms> | undefined;
  /** The same object each time. */
  const loadForms = (): Promise<TriggerForms> => {
    const onSaved = (trigger: ItemRef): void => void options.reveal(trigger);
    forms ??= import("./triggerForms.ts").then(
      ({ TriggerForms }) => new TriggerForms({ ...options, onSaved }),
    );
    return forms;
  };
  return vscode.Disposable.from(
    restorePanels(panels.triggerForm, loadForms),
    new ItemPages({
      viewType: panels.trigger,
      showCommand: commands.triggerShow,
      load: async () => (await import("./triggerPage.ts")).createTriggerPages(options),
    }),
    register(commands.triggerCreate, async (given?: TriggerTarget) => {
      const { createInForm } = await import("./triggerActions.ts");
      await createInForm(options, given, loadForms);
    }),
    register(commands.triggerDelete, async (trigger: ItemRef) => {
      const { confirmAndDelete } = await import("./triggerActions.ts");
      await confirmAndDelete(options, trigger);
    }),
  );
}
