// The page of the form that creates or changes a knowledge base.
import * as l10n from "@vscode/l10n";
import { TextField } from "../../shared/page/form/fields.tsx";
import { formatPlace, FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { defaultModelChoice, ModelFields } from "../../shared/page/form/modelFields.tsx";
import { NewItemFields } from "../../shared/page/form/newItemFields.tsx";
import { useForm, type FormControls } from "../../shared/page/form/useForm.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { KnowledgeBaseDraft, ModelDraft, ModelKind } from "../form/knowledgeBaseDraft.ts";
import {
  formTitle,
  type FormContent,
  type KnowledgeBaseForm,
  type KnowledgeBaseFormState,
  type knowledgeBaseFormCalls,
} from "../form/knowledgeBaseForm.ts";
import {
  fieldOf,
  modelProviders,
  toPlainBaseName,
  validateDraft,
  type Field,
} from "../form/validation.ts";

type Props = PageProps<KnowledgeBaseFormState, typeof knowledgeBaseFormCalls>;

function KnowledgeBaseFormView({ state, host }: Props) {
  const { form: given, connection, loaded } = state;
  const { before } = given;
  const form = useForm<KnowledgeBaseForm, Field>({
    state,
    host,
    findProblems: (draft) => validateDraft(draft, loaded, before),
    complete: (draft) => {
      const plain = toPlainBaseName(draft.name);
      const isPlain = before !== undefined || plain === "" || plain === draft.name;
      return isPlain ? draft : { ...draft, name: plain };
    },
  });
  const { draft } = form;
  return (
    <FormFrame
      {...{ state, host, form }}
      title={formTitle(given)}
      place={formatPlace(connection, before && draft.project)}
      intro={
        before
          ? l10n.t("Existing documents are not changed.")
          : l10n.t("A knowledge base contains text that you and your agents search by meaning.")
      }
      send={before ? l10n.t("Save Changes") : l10n.t("Create Knowledge Base")}
      formatSending={(seconds) =>
        before
          ? l10n.t("Saving… {0} s. The server may test the model first.", seconds)
          : l10n.t("Creating… {0} s. The server tests the models first.", seconds)
      }
      copies={[[l10n.t("Copy as SQL"), () => form.callWithDraft(host.copySql)]]}
    >
      {!before && (
        <NewItemFields
          form={form}
          description={l10n.t("The project that contains the knowledge base.")}
          projects={loaded?.projects}
        />
      )}
      <EmbeddingModel {...{ form, before, loaded }} />
      <TextField
        form={form}
        name="contentColumns"
        label={l10n.t("Content Columns")}
        description={l10n.t("Columns to search, separated by commas. Default: content.")}
      />
      <TextField
        form={form}
        name="metadataColumns"
        label={l10n.t("Metadata Columns")}
        description={l10n.t(
          "Columns to filter by, separated by commas. If empty, all other columns are stored but can't be used as filters.",
        )}
      />
      <TextField
        form={form}
        name="idColumn"
        label={l10n.t("ID Column")}
        description={l10n.t("The column with the document's ID. Default: id.")}
      />
      <RerankingModel {...{ form, before, loaded }} />
      {!before && (
        <TextField
          form={form}
          name="storage"
          label={l10n.t("Storage")}
          description={l10n.t(
            "A vector store of this server and a table in it, like vectors.docs. Leave empty for the server's default.",
          )}
        />
      )}
    </FormFrame>
  );
}

interface ModelProps {
  form: FormControls<KnowledgeBaseDraft, Field>;
  before: KnowledgeBaseDraft | undefined;
  loaded: FormContent["loaded"];
}

/** Props of a model's fields, the same for both models. */
function modelProps(kind: ModelKind, { form }: ModelProps) {
  return {
    form,
    names: {
      model: fieldOf(kind, "model"),
      provider: fieldOf(kind, "provider"),
      modelName: fieldOf(kind, "modelName"),
      apiKey: fieldOf(kind, "apiKey"),
      baseUrl: fieldOf(kind, "baseUrl"),
    },
    values: form.draft[kind],
    set: (change: object, field: Field): void => {
      form.change({ [kind]: { ...form.draft[kind], ...change } as ModelDraft }, field);
    },
    providers: modelProviders,
    keyName: kind,
  };
}

function EmbeddingModel(props: ModelProps) {
  const { before, loaded } = props;
  const model = [before?.embedding.provider, before?.embedding.modelName].filter(Boolean);
  return (
    <ModelFields
      {...modelProps("embedding", props)}
      model={{
        label: l10n.t("Embedding Model"),
        description: l10n.t("Converts text into the vectors that searches compare."),
      }}
      modelNameDescription={l10n.t(
        "The provider's name for the model, like text-embedding-3-small. It can't be changed later.",
      )}
      apiKey={
        before && {
          label: l10n.t("API Key of the Embedding Model"),
          description: l10n.t("For {0}. Leave empty to keep the stored key.", model.join(" · ")),
        }
      }
      baseUrl={
        before && {
          label: l10n.t("Base URL of the Embedding Model"),
          description: l10n.t("The URL MindsDB uses to reach the same model."),
        }
      }
      choices={[defaultModelChoice(loaded?.defaults.embedding), ["own", l10n.t("Custom model")]]}
      keyPlaceholder={before && l10n.t("Stored on the server")}
      isFixed={before !== undefined}
    />
  );
}

function RerankingModel(props: ModelProps) {
  const { before, loaded } = props;
  const isKept = before?.reranking.choice === "own";
  return (
    <ModelFields
      {...modelProps("reranking", props)}
      model={{
        label: l10n.t("Reranking Model"),
        description: l10n.t(
          "A chat model that reorders search results. It runs on every search, which adds time and cost.",
        ),
      }}
      modelNameDescription={l10n.t("The provider's name for the model, like gpt-4o.")}
      apiKey={
        isKept
          ? {
              label: l10n.t("API Key"),
              description: l10n.t(
                "Sent to the MindsDB server and stored there. Leave empty to keep the stored key.",
              ),
            }
          : undefined
      }
      choices={[
        // A change cannot go back to the default.
        ...(before ? [] : [defaultModelChoice(loaded?.defaults.reranking)]),
        ["none", l10n.t("No reranking")],
        ["own", l10n.t("Custom model")],
      ]}
      keyPlaceholder={isKept ? l10n.t("Stored on the server") : undefined}
    />
  );
}

startPage(KnowledgeBaseFormView);
