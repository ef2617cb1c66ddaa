// The page of the form that creates or changes a view.
import * as l10n from "@vscode/l10n";
import { LongTextField } from "../../shared/page/form/fields.tsx";
import { formatPlace, FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { NewItemFields } from "../../shared/page/form/newItemFields.tsx";
import { RowsTable } from "../../shared/page/form/rowsTable.tsx";
import { useForm } from "../../shared/page/form/useForm.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { explainNoRows } from "../../tables/explainNoRows.ts";
import type { PreviewRows } from "../../tables/previewRows.ts";
import { toPlainViewName, validateView } from "../validation.ts";
import type { ViewField } from "../viewDraft.ts";
import {
  viewFormTitle,
  type ViewForm,
  type viewFormCalls,
  type ViewFormState,
} from "../viewForm.ts";

function ViewFormView({ state, host }: PageProps<ViewFormState, typeof viewFormCalls>) {
  const { form: given, connection, choices, preview, isPreviewing = false } = state;
  const isNew = given.before === undefined;
  const form = useForm<ViewForm, ViewField>({
    state,
    host,
    findProblems: (draft) => validateView(draft, choices, isNew),
    complete: (draft) => {
      const plain = isNew ? toPlainViewName(draft.name) : "";
      return plain === "" || plain === draft.name ? draft : { ...draft, name: plain };
    },
  });
  const { draft } = form;
  return (
    <FormFrame
      {...{ state, host, form }}
      title={viewFormTitle(given)}
      place={formatPlace(connection, isNew ? undefined : draft.project)}
      intro={l10n.t(
        "A view is a named query. You read it like a table, and the server runs the query each time.",
      )}
      send={isNew ? viewFormTitle(given) : l10n.t("Save")}
      test={{
        title: l10n.t("Preview"),
        press: () => form.submit((complete) => host.preview(complete)),
      }}
      formatSending={(seconds) =>
        isPreviewing
          ? l10n.t("Reading the first rows… {0} s", seconds)
          : l10n.t("Saving… {0} s. The server runs the query.", seconds)
      }
    >
      {isNew && (
        <NewItemFields
          form={form}
          description={l10n.t("The project that contains the view.")}
          projects={choices?.projects}
        />
      )}
      <LongTextField
        form={form}
        name="query"
        label={l10n.t("SELECT")}
        description={l10n.t(
          "Include the data source in table names: SELECT * FROM files.sales WHERE year > 2020",
        )}
      />
      {preview?.of === draft.query && <Preview rows={preview.rows} />}
    </FormFrame>
  );
}

function Preview({ rows }: { rows: PreviewRows }) {
  const name = l10n.t("First rows of the view");
  return (
    <section class="preview">
      <h2>{name}</h2>
      {rows.rows.length === 0 && (
        <p class="description" role="status">
          {explainNoRows(rows)}
        </p>
      )}
      {rows.columns.length > 0 && <RowsTable rows={rows} name={name} />}
    </section>
  );
}

startPage(ViewFormView);
