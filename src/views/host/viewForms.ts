// All open forms that create or change a view. Imported with the first one.
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import {
  FormPages,
  savedForm,
  targetOfItem,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import type { ViewDraft, ViewField } from "../viewDraft.ts";
import { viewForm, viewFormCalls, type ViewContent, type ViewForm } from "../viewForm.ts";
import { ViewFormPage } from "./viewFormPage.ts";

interface ViewFormsOptions extends FormPagesOptions {
  onSaved: (view: ItemRef) => void;
}

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
        changedSince: () => vscode.l10n.t("The view has been changed on the server since then."),
        create: (opened) =>
          new ViewFormPage(opened, {
            ...options,
            onSaved: (page, view) => {
              options.onSaved(view);
              this.close(page);
            },
          }),
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
    const form = { id: crypto.randomUUID(), connectionId, before: draft, draft, initial: draft };
    this.show(form, {});
  }
}
