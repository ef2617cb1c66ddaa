import { commands, panels } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import type { NewItemPlace } from "../../shared/host/newItemTarget.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerJobCommands>> {}
}

interface JobCommandsOptions extends FormPagesOptions, ItemPageOptions {
  /** Reloads the project's jobs and selects this one. */
  reveal: (job: ItemRef) => Promise<void>;
}

/** Registers the commands, the form and the pages of jobs, which are loaded when they are first used. */
export function registerJobCommands(options: JobCommandsOptions) {
  const act = () => import("./jobActions.ts");
  const loadForms = lazy(async () => {
    const { JobForms } = await import("./jobForms.ts");
    return new JobForms({ ...options, onSaved: (job) => void options.reveal(job) });
  });
  const pages = new ItemPages({
    viewType: panels.job,
    load: async () => (await import("./jobPage.ts")).createJobPages(options),
  });
  return registerCommands(
    {
      [commands.jobShow]: pages.show,
      [commands.jobCreate]: async (given?: NewItemPlace) =>
        (await act()).createInForm(options, given, loadForms),
      [commands.jobEdit]: async (job: ItemRef) => (await act()).editInForm(options, job, loadForms),
    },
    pages,
    restorePanels(panels.jobForm, loadForms),
  );
}
