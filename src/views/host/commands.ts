import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { ViewForms } from "./viewForms.ts";

interface ViewCommandsOptions extends FormPagesOptions {
  /** Reloads the project's views and selects this one. */
  reveal: (view: ItemRef) => Promise<void>;
}

/** Registers the commands and the form of views, which are loaded when they are first used. */
export function registerViewCommands(options: ViewCommandsOptions): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  let forms: Promise<ViewForms> | undefined;
  /** The same object each time. */
  const loadForms = (): Promise<ViewForms> => {
    const onSaved = (view: ItemRef): void => void options.reveal(view);
    forms ??= import("./viewForms.ts").then(
      ({ ViewForms }) => new ViewForms({ ...options, onSaved }),
    );
    return forms;
  };
  return vscode.Disposable.from(
    restorePanels(panels.viewForm, loadForms),
    register(commands.viewCreate, async (given?: { connectionId: string; project?: string }) => {
      const { createInForm } = await import("./viewActions.ts");
      await createInForm(options, given, loadForms);
    }),
    register(commands.viewEdit, async (view: TableRef) => {
      const { editInForm } = await import("./viewActions.ts");
      await editInForm(options, view, loadForms);
    }),
    register(commands.viewDelete, async (view: TableRef) => {
      const { confirmAndDelete } = await import("./viewActions.ts");
      await confirmAndDelete(options, view);
    }),
  );
}
