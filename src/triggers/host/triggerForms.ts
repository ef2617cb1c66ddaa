// All open forms that create a trigger. Imported with the first one.
import { panels } from "../../ids.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import {
  FormPages,
  newItemForm,
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
import { tableEntry, TriggerFormPage, type TriggerFormOptions } from "./triggerFormPage.ts";

type TriggerFormsOptions = FormPagesOptions & TriggerFormOptions;

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
        create: (opened) => new TriggerFormPage(opened, options),
      },
      options,
    );
  }

  /** Opens a form for a new trigger in this project, on a table if one is given. */
  create(connectionId: string, project: string, table?: TableRef): void {
    const draft = emptyTriggerDraft(project, table && tableEntry(table));
    this.show(newItemForm(connectionId, draft), {});
  }
}
