// All open forms that connect a data source or create an ML engine. Imported with the first one.
import { panels } from "../../ids.ts";
import type { Handler } from "../../mindsdb/handlers.ts";
import {
  FormPages,
  joinTarget,
  newItemForm,
  savedForm,
  storedItemForm,
  type FormPagesOptions,
} from "../../shared/host/formPages.ts";
import { emptyDraft } from "../dataSourceDraft.ts";
import {
  dataSourceForm,
  dataSourceFormCalls,
  type DataSourceForm,
  type Field,
  type FormContent,
} from "../dataSourceForm.ts";
import type { StoredDraft } from "../storedDraft.ts";
import { DataSourceFormPage, type DataSourceFormOptions } from "./dataSourceFormPage.ts";

type DataSourceFormsOptions = FormPagesOptions & DataSourceFormOptions;

/** Identifies the form's subject: the next form with the same target begins with its unsaved changes. */
function targetOf({ connectionId, before, draft, isMlEngine }: DataSourceForm): string {
  const parts = before
    ? ["edit", connectionId, before.name]
    : [isMlEngine ? "createEngine" : "connect", connectionId, draft.engine];
  return joinTarget("dataSource", ...parts);
}

export class DataSourceForms extends FormPages<
  DataSourceForm,
  Field,
  FormContent,
  typeof dataSourceFormCalls,
  DataSourceFormPage
> {
  constructor(options: DataSourceFormsOptions) {
    super(
      {
        viewType: panels.dataSourceForm,
        page: "dataSourceForm",
        icon: "dataSource",
        calls: dataSourceFormCalls,
        form: dataSourceForm,
        pageState: savedForm(dataSourceForm),
        targetOf,
        create: (opened) => new DataSourceFormPage(opened, options),
      },
      options,
    );
  }

  /** Opens a form for a new data source of this kind. */
  create(connectionId: string, handler: Handler, known: FormContent["known"]): void {
    const draft = emptyDraft(handler, "");
    this.show(newItemForm(connectionId, draft), { known });
  }

  /** Opens a form for a new ML engine of this kind. */
  createEngine(
    connectionId: string,
    handler: Handler,
    { known, name }: { known: FormContent["known"]; name: string },
  ): void {
    const draft = emptyDraft(handler, name);
    this.show({ ...newItemForm(connectionId, draft), isMlEngine: true }, { known });
  }

  /** Opens the form of a data source that the server has. */
  edit(
    connectionId: string,
    { draft, storedKeys }: StoredDraft,
    known: FormContent["known"],
  ): void {
    this.show({ ...storedItemForm(connectionId, draft), storedKeys }, { known });
  }

  /** A driver was installed: open forms look again. */
  reload(connectionId: string): void {
    for (const page of this.contents) if (page.connectionId === connectionId) page.reload();
  }
}
