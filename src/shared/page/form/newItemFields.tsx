// The fields that every form for a new item of a project begins with.
import * as l10n from "@vscode/l10n";
import { nameChoices, SelectField, TextField } from "./fields.tsx";
import type { FormControls } from "./useForm.ts";

/** The project and the name of a new item. `description` says what the project contains. */
export function NewItemFields<
  Draft extends { project: string; name: string },
  Name extends string,
>(props: {
  form: FormControls<Draft, Name | "project" | "name">;
  description: string;
  projects: readonly string[] | null | undefined;
}) {
  const { form, description, projects } = props;
  return (
    <>
      <SelectField
        form={form}
        name="project"
        label={l10n.t("Project")}
        description={description}
        choices={nameChoices(projects, form.draft.project)}
      />
      <TextField
        form={form}
        name="name"
        label={l10n.t("Name")}
        description={l10n.t(
          "Use lowercase letters, digits, and underscores so you can reference it in SQL.",
        )}
        isFirst
      />
    </>
  );
}
