// The page of the form of a server's default models.
import * as l10n from "@vscode/l10n";
import { FormFrame } from "../../shared/page/form/formPageFrame.tsx";
import { ModelFields } from "../../shared/page/form/modelFields.tsx";
import { useForm } from "../../shared/page/form/useForm.ts";
import { startPage, type PageProps } from "../../shared/page/startPage.tsx";
import type { DefaultModelKind } from "../../mindsdb/defaultModels.ts";
import { fieldOf, type ModelDraft, type SettingsField } from "../settingsDraft.ts";
import type { SettingsForm, settingsFormCalls, SettingsFormState } from "../settingsForm.ts";
import { providersOf, validateSettings } from "../validation.ts";

function SettingsFormView({ state, host }: PageProps<SettingsFormState, typeof settingsFormCalls>) {
  const { form: given, connection, isTesting = false } = state;
  const form = useForm<SettingsForm, SettingsField>({
    state,
    host,
    findProblems: (draft, { keys }) => validateSettings(draft, given, keys),
  });
  const texts: [DefaultModelKind, label: string, description: string, example: string][] = [
    [
      "language",
      l10n.t("Default Language Model"),
      l10n.t("Used by agents without a model of their own."),
      l10n.t("The provider's name for the model, like gpt-4o."),
    ],
    [
      "embedding",
      l10n.t("Default Embedding Model"),
      l10n.t(
        "For new knowledge bases without an embedding model of their own. Existing ones keep theirs.",
      ),
      l10n.t("The provider's name for the model, like text-embedding-3-small."),
    ],
    [
      "reranking",
      l10n.t("Default Reranking Model"),
      l10n.t(
        "A chat model that reorders search results of all knowledge bases without a reranking model of their own. It runs on every search, which adds time and cost.",
      ),
      l10n.t("The provider's name for the model, like gpt-4o."),
    ],
  ];
  return (
    <FormFrame
      {...{ state, host, form }}
      title={l10n.t("Server Settings")}
      place={l10n.t("On {0}", connection)}
      intro={l10n.t("The models this server uses when none is specified.")}
      send={l10n.t("Save Changes")}
      test={{ title: l10n.t("Test Models"), press: () => form.submit(host.test) }}
      formatSending={(seconds) =>
        isTesting ? l10n.t("Testing… {0} s", seconds) : l10n.t("Saving… {0} s", seconds)
      }
    >
      {texts.map(([kind, label, description, example]) => (
        <ModelFields
          key={kind}
          form={form}
          names={{
            model: fieldOf(kind, "model"),
            provider: fieldOf(kind, "provider"),
            modelName: fieldOf(kind, "modelName"),
            apiKey: fieldOf(kind, "apiKey"),
            baseUrl: fieldOf(kind, "baseUrl"),
          }}
          model={{ label, description }}
          modelNameDescription={example}
          apiKey={{
            label: l10n.t("API Key"),
            description: given.storedKeys[kind]
              ? l10n.t("The stored key is never shown. To change the model, enter its key again.")
              : l10n.t(
                  "Sent to the MindsDB server and stored there. Leave empty to use the server's key, if it has one.",
                ),
          }}
          values={form.draft[kind]}
          set={(change, field) =>
            form.change({ [kind]: { ...form.draft[kind], ...change } as ModelDraft }, field)
          }
          choices={[
            ["none", l10n.t("No default model")],
            ["own", l10n.t("Custom model")],
          ]}
          providers={providersOf(kind)}
          keyName={kind}
          keyPlaceholder={given.storedKeys[kind] ? l10n.t("Stored on the server") : undefined}
        />
      ))}
    </FormFrame>
  );
}

startPage(SettingsFormView);
