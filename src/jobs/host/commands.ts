import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import type { FormPagesOptions } from "../../shared/host/formPages.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { JobForms } from "./jobForms.ts";
import type { createJobPages } from "./jobPage.ts";

interface JobCommandsOptions extends FormPagesOptions, ItemPageOptions {
  /** Reloads the project's jobs and selects this one. */
  reveal: (job: ItemRef) => Promise<void>;
}

/** Registers the commands, the form and the pages of jobs, which are loaded when they are first used. */
export function registerJobCommands(options: JobCommandsOptions): vscode.Disposable {
  const register = vscode.commands.registerCommand;
  let forms: Promise<JobForms> | undefined;
  let pages: Promise<ReturnType<typeof createJobPages>> | undefined;
  /** The same objects each time. */
  const loadForms = (): Promise<JobForms> => {
    const onSaved = (job: ItemRef): void => void options.reveal(job);
    forms ??= import("./jobForms.ts").then(({ JobForms }) => new JobForms({ ...options, onSaved }));
    return forms;
  };
  const loadPages = (): NonNullable<typeof pages> => {
    pages ??= import("./jobPage.ts").then(({ createJobPages }) => createJobPages(options));
    return pages;
  };
  return vscode.Disposable.from(
    restorePanels(panels.jobForm, loadForms),
    restorePanels(panels.job, loadPages),
    { dispose: () => void pages?.then((loaded) => loaded.dispose()) },
    register(commands.jobShow, async (job: ItemRef) => (await loadPages()).open(job)),
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
