import { commands, panels } from "../../ids.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { NewViewPlace } from "./viewActions.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerViewCommands>> {}
}

interface ViewCommandsOptions extends FormPagesOptions {
  /** Reloads the project's views and selects this one. */
  reveal: (view: ItemRef) => Promise<void>;
}

/** Registers the commands and the form of views, which are loaded when they are first used. */
export function registerViewCommands(options: ViewCommandsOptions) {
  const act = () => import("./viewActions.ts");
  const loadForms = lazy(async () => {
    const { ViewForms } = await import("./viewForms.ts");
    return new ViewForms({ ...options, onSaved: (view) => void options.reveal(view) });
  });
  return registerCommands(
    {
      [commands.viewCreate]: async (given?: NewViewPlace) =>
        (await act()).createInForm(options, given, loadForms),
      [commands.viewEdit]: async (view: TableRef) =>
        (await act()).editInForm(options, view, loadForms),
      [commands.viewDelete]: async (view: TableRef) =>
        (await act()).confirmAndDelete(options, view),
    },
    restorePanels(panels.viewForm, loadForms),
  );
}
