// All open forms that create or change a view. Imported with the first one.
import { panels } from "../../ids.ts";
import {
  FormPages,
  savedForm,
  storedItemForm,
  targetOfItem,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import type { ViewDraft, ViewField } from "../viewDraft.ts";
import { viewForm, viewFormCalls, type ViewContent, type ViewForm } from "../viewForm.ts";
import { ViewFormPage, type ViewFormOptions } from "./viewFormPage.ts";

type ViewFormsOptions = FormPagesOptions & ViewFormOptions;

export class ViewForms extends FormPages<
  ViewForm,
  ViewField,
  ViewContent,
  typeof viewFormCalls,
  ViewFormPage
> {
  constructor(options: ViewFormsOptions) {
    super(
      {
        viewType: panels.viewForm,
        page: "viewForm",
        icon: "table",
        calls: viewFormCalls,
        form: viewForm,
        pageState: savedForm(viewForm),
        targetOf: (form) => targetOfItem("view", form),
        create: (opened) => new ViewFormPage(opened, options),
      },
      options,
    );
  }

  /** Opens a form for a new view in this project. A query that is given is an unsaved change. */
  create(connectionId: string, project: string, query = ""): void {
    const initial = { project, name: "", query: "" };
    const draft = { ...initial, query };
    const form = { id: crypto.randomUUID(), connectionId, draft, initial };
    this.show(form, {}, { isChosen: query !== "" });
  }

  /** Opens the form of a view. */
  edit(connectionId: string, draft: ViewDraft): void {
    this.show(storedItemForm(connectionId, draft), {});
  }
}
