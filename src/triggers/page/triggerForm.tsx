// The page of the form that creates a trigger.
import * as l10n from "@vscode/l10n";
import { Field, LongTextField, TextField } from "../../shared/page/form/fields.tsx";
import { FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { NewItemFields } from "../../shared/page/form/newItemFields.tsx";
import { useForm } from "../../shared/page/form/useForm.ts";
import { Button } from "../../shared/page/parts.tsx";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { TriggerField } from "../triggerDraft.ts";
import {
  triggerFormTitle,
  type TriggerForm,
  type triggerFormCalls,
  type TriggerFormState,
} from "../triggerForm.ts";
import { deltaTable, toPlainTriggerName, validateTrigger } from "../validation.ts";

function TriggerFormView({ state, host }: PageProps<TriggerFormState, typeof triggerFormCalls>) {
  const { connection, choices } = state;
  const form = useForm<TriggerForm, TriggerField>({
    state,
    host,
    findProblems: (draft) => validateTrigger(draft, choices),
    complete: (draft) => {
      const plain = toPlainTriggerName(draft.name);
      return plain === "" || plain === draft.name ? draft : { ...draft, name: plain };
    },
  });
  const pickTable = async (): Promise<void> => {
    const table = await host.pickTable();
    if (typeof table !== "string") return;
    form.change({ table });
    form.leave("table");
  };
  return (
    <FormFrame
      {...{ state, host, form }}
      title={triggerFormTitle()}
      place={l10n.t("On {0}", connection)}
      intro={l10n.t(
        "A trigger runs a statement for each row that is added to a table or changed in it.",
      )}
      send={triggerFormTitle()}
      formatSending={(seconds) => l10n.t("Saving… {0} s", seconds)}
    >
      <NewItemFields
        form={form}
        description={l10n.t("The project that contains the trigger.")}
        projects={choices?.projects}
      />
      <Field
        form={form}
        name="table"
        label={l10n.t("Table")}
        description={l10n.t(
          "A table of a data source that tells MindsDB about changes, such as PostgreSQL.",
        )}
      >
        {() => (
          <div class="row">
            <span class="chosen code">{form.draft.table || l10n.t("No table yet.")}</span>
            <Button label={l10n.t("Select Table…")} press={pickTable} />
          </div>
        )}
      </Field>
      <TextField
        form={form}
        name="columns"
        label={l10n.t("{0} (optional)", l10n.t("Columns"))}
        description={l10n.t(
          "Separated by commas. The statement runs only if one of them has changed. Without columns, any change counts.",
        )}
      />
      <LongTextField
        form={form}
        name="query"
        label={l10n.t("Statement")}
        description={l10n.t(
          "The row is in the table {0}: INSERT INTO files.log (SELECT * FROM {0})",
          deltaTable,
        )}
      />
    </FormFrame>
  );
}

startPage(TriggerFormView);
