// The page of the agent form.
import * as l10n from "@vscode/l10n";
import { useEffect } from "preact/hooks";
import { isPattern } from "../../mindsdb/dataPatterns.ts";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import { nameChoices, SelectField, TextField } from "../../shared/page/form/fields.tsx";
import { formatPlace, FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { ListField } from "../../shared/page/form/listField.tsx";
import { defaultModelChoice, ModelFields } from "../../shared/page/form/modelFields.tsx";
import { useForm, type FormControls } from "../../shared/page/form/useForm.ts";
import type { Host } from "../../shared/pageProtocol.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import { save } from "../../shared/page/webview.ts";
import type { AgentDraft } from "../agentDraft.ts";
import { createFieldTexts, formatMatchCount } from "../agentFieldTexts.ts";
import {
  formTitle,
  type AgentForm,
  type AgentFormState,
  type agentFormCalls,
  type CopyFormat,
} from "../agentForm.ts";
import type { Field } from "../agentProblems.ts";
import { providers } from "../modelProviders.ts";
import { createSnapshot, validateDraft, type LoadedData } from "../validation.ts";
import { InstructionField } from "./instructionField.tsx";

function AgentFormView({ state, host }: PageProps<AgentFormState, typeof agentFormCalls>) {
  const { form: given, connection, loaded, created } = state;
  const { before, modelOf } = given;
  const texts = createFieldTexts();
  const form = useForm<AgentForm, Field>({
    state,
    host,
    findProblems: (draft, { keys, visited }) => {
      // The known names may be of another project.
      const isSame = loaded?.project === draft.project;
      const known = { ...createSnapshot(loaded), ...(isSame ? {} : { items: null }) };
      const hasKey = (keys["apiKey"] ?? "").trim() !== "";
      const isUntouched = visited.size === 0 && modelOf === undefined;
      return validateDraft(draft, known, { hasKey, before, isUntouched });
    },
    complete: (draft) => {
      const name = toPlainName(draft.name, "agent");
      const isKept = name === "" || name === draft.name || draft.name === before?.name;
      return isKept ? draft : { ...draft, name };
    },
  });
  useEffect(() => save({ made: created ?? null }), [created]);
  const { draft } = form;
  const copy = (format: CopyFormat) => () =>
    form.callWithDraft((whole, hadKeys) => host.copy(format, whole, hadKeys));
  return (
    <FormFrame
      {...{ state, host, form }}
      title={formTitle(given)}
      place={formatPlace(connection, before && draft.project)}
      intro={l10n.t("An agent answers questions from the tables and knowledge bases it can read.")}
      send={before ? l10n.t("Save Changes") : l10n.t("Create Agent")}
      formatSending={(seconds) =>
        before
          ? l10n.t("Saving… {0} s. The server may test the model first.", seconds)
          : l10n.t("Creating… {0} s. The server may test the model first.", seconds)
      }
      copies={[
        [l10n.t("Copy as SQL"), copy("sql")],
        [l10n.t("Copy as curl"), copy("curl")],
      ]}
      done={
        created && {
          title: l10n.t("{0} is ready in {1}.", created.name, created.project),
          note: created.note,
          next: [
            [l10n.t("Open Chat"), host.ask],
            [l10n.t("Show Agent"), host.show],
            [l10n.t("Edit Agent"), host.edit],
            [l10n.t("Create Another"), host.another],
          ],
        }
      }
    >
      {!before && (
        <SelectField
          form={form}
          name="project"
          label={l10n.t("Project")}
          description={l10n.t("The project that contains the agent.")}
          choices={nameChoices(loaded?.projects, draft.project)}
        />
      )}
      <TextField form={form} name="name" {...texts.name} isFirst />
      <AgentModel key={`model ${given.id}`} {...{ form, given, loaded }} />
      <TablesField {...{ form, host, loaded }} />
      <KnowledgeBasesField {...{ form, host, loaded }} />
      <InstructionField
        key={`instruction ${given.id}`}
        form={form}
        texts={texts.instruction}
        describe={host.describe}
      />
    </FormFrame>
  );
}

interface ModelProps {
  form: FormControls<AgentDraft, Field>;
  given: AgentForm;
  loaded: LoadedData | undefined;
}

function AgentModel({ form, given, loaded }: ModelProps) {
  const { before, modelOf } = given;
  const texts = createFieldTexts();
  const { model } = form.draft;
  const { apiKey } = texts;
  const copied = modelOf && l10n.t("Copied from {0}", modelOf.name);
  return (
    <ModelFields
      form={form}
      names={{
        model: "model",
        provider: "provider",
        modelName: "modelName",
        apiKey: "apiKey",
        baseUrl: "baseUrl",
      }}
      model={texts.model}
      modelNameDescription={texts.modelName.description}
      apiKey={{ ...apiKey, description: describeKey(given) ?? apiKey.description }}
      values={{ ...model, choice: model.own ? "own" : "default" }}
      set={({ choice, ...change }, field) => {
        const own = choice === undefined ? model.own : choice === "own";
        form.change({ model: { ...model, ...change, own } }, field);
      }}
      choices={[defaultModelChoice(loaded?.defaultModel), ["own", l10n.t("Custom model")]]}
      providers={providers}
      keyName="apiKey"
      keyPlaceholder={
        modelOf?.hasKey ? (before ? l10n.t("Stored on the server") : copied) : undefined
      }
    />
  );
}

function describeKey({ before, modelOf }: AgentForm): string | undefined {
  if (before) {
    return l10n.t(
      "Sent to the MindsDB server and stored there. Leave empty to keep the stored key.",
    );
  }
  if (!modelOf?.hasKey) return undefined;
  return l10n.t(
    "The API key of {0} is copied to the new agent. To use a different key, enter it here.",
    modelOf.name,
  );
}

interface DataProps {
  form: FormControls<AgentDraft, Field>;
  host: Host<typeof agentFormCalls>;
  loaded: LoadedData | undefined;
}

function TablesField({ form, host, loaded }: DataProps) {
  const { tables } = form.draft;
  return (
    <ListField
      form={form}
      name="tables"
      label={l10n.t("Tables")}
      description={l10n.t("Tables the agent can query. Use * for every table in a data source.")}
      icon="table"
      entries={tables}
      empty={l10n.t("No tables selected.")}
      choose={l10n.t("Select Tables…")}
      noteOf={(entry) => noteMatches("tables", entry, loaded)}
      pick={() => host.pick("tables", tables)}
    />
  );
}

function KnowledgeBasesField({ form, host, loaded }: DataProps) {
  const { knowledgeBases } = form.draft;
  return (
    <ListField
      form={form}
      name="knowledgeBases"
      label={l10n.t("Knowledge Bases")}
      description={l10n.t("Knowledge bases the agent can search. Use * for all in a project.")}
      icon="library"
      entries={knowledgeBases}
      empty={l10n.t("No knowledge bases selected.")}
      choose={l10n.t("Select Knowledge Bases…")}
      noteOf={(entry) => noteMatches("knowledgeBases", entry, loaded)}
      pick={() => host.pick("knowledgeBases", knowledgeBases)}
    />
  );
}

/** Says how many items a pattern matches, once that is known. */
function noteMatches(
  field: "tables" | "knowledgeBases",
  entry: string,
  loaded: LoadedData | undefined,
): string {
  const count = loaded?.[field][entry];
  return isPattern(entry) && count !== undefined ? formatMatchCount(field, count) : "";
}

startPage(AgentFormView);
