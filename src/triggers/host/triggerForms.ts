// All open forms that create a trigger. Imported with the first one.
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import type { ItemRef, TableRef } from "../../mindsdb/references.ts";
import {
  FormPages,
  savedForm,
  targetOfItem,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import { emptyTriggerDraft, type TriggerField } from "../triggerDraft.ts";
import {
  triggerForm,
  triggerFormCalls,
  type TriggerContent,
  type TriggerForm,
} from "../triggerForm.ts";
import { tableEntry, TriggerFormPage } from "./triggerFormPage.ts";

interface TriggerFormsOptions extends FormPagesOptions {
  pickTable: (title: string, connectionId: string) => Promise<TableRef | undefined>;
  onSaved: (trigger: ItemRef) => void;
}

export class TriggerForms extends FormPages<
  TriggerForm,
  TriggerField,
  TriggerContent,
  typeof triggerFormCalls,
  TriggerFormPage
> {
  constructor(options: TriggerFormsOptions) {
    super(
      {
        viewType: panels.triggerForm,
        page: "triggerForm",
        icon: "trigger",
        calls: triggerFormCalls,
        form: triggerForm,
        pageState: savedForm(triggerForm),
        targetOf: (form) => targetOfItem("trigger", form),
        changedSince: () => vscode.l10n.t("The trigger has been changed on the server since then."),
        create: (opened) =>
          new TriggerFormPage(opened, {
            ...options,
            onSaved: (page, trigger) => {
              options.onSaved(trigger);
              this.close(page);
            },
          }),
      },
      options,
    );
  }

  /** Opens a form for a new trigger in this project, on a table if one is given. */
  create(connectionId: string, project: string, table?: TableRef): void {
    const draft = emptyTriggerDraft(project, table && tableEntry(table));
    this.show({ id: crypto.randomUUID(), connectionId, draft, initial: draft }, {});
  }
}
