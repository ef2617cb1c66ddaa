import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { JobForms } from "./jobForms.ts";

interface JobCommandsOptions extends FormPagesOptions, ItemPageOptions {
  /** Reloads the project's jobs and selects this one. */
  reveal: (job: ItemRef) => Promise<void>;
}

/** Registers the commands, the form and the pages of jobs, which are loaded when they are first used. */
export function registerJobCommands(options: JobCommandsOptions): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  let forms: Promise<JobForms> | undefined;
  /** The same object each time. */
  const loadForms = (): Promise<JobForms> => {
    const onSaved = (job: ItemRef): void => void options.reveal(job);
    forms ??= import("./jobForms.ts").then(({ JobForms }) => new JobForms({ ...options, onSaved }));
    return forms;
  };
  return vscode.Disposable.from(
    restorePanels(panels.jobForm, loadForms),
    new ItemPages({
      viewType: panels.job,
      showCommand: commands.jobShow,
      load: async () => (await import("./jobPage.ts")).createJobPages(options),
    }),
    register(commands.jobCreate, async (given?: { connectionId: string; project?: string }) => {
      const { createInForm } = await import("./jobActions.ts");
      await createInForm(options, given, loadForms);
    }),
    register(commands.jobEdit, async (job: ItemRef) => {
      const { editInForm } = await import("./jobActions.ts");
      await editInForm(options, job, loadForms);
    }),
  );
}
