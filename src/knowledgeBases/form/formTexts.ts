// The texts of the form that creates or changes a knowledge base, and of its problems.
import * as l10n from "@vscode/l10n";
import type { FieldTexts } from "../../shared/formFields.ts";
import { formatMessage } from "../../shared/formatMessage.ts";
import {
  createFormFrameTexts,
  createModelFieldsTexts,
  formOutcomeTexts,
} from "../../shared/formTexts.ts";
import type { KnowledgeBaseDraft, ModelKind } from "./knowledgeBaseDraft.ts";
import { createProblemTexts } from "./problemTexts.ts";
import type { Field, Problem } from "./validation.ts";

export type FormTexts = ReturnType<typeof createFormTexts>;

/** Returns the title of the form and its tab. `before` is the edited knowledge base. */
export function createFormTitle(before: KnowledgeBaseDraft | undefined): string {
  return before ? l10n.t("Edit {0}", before.name) : l10n.t("Create Knowledge Base");
}

/** Returns the page's texts, in the user's language. `{0}` and `{1}` are filled in by the page. */
export function createFormTexts(before: KnowledgeBaseDraft | undefined) {
  const isEdit = before !== undefined;
  const kept = isEdit ? l10n.t("Kept on the server") : "";
  return {
    title: createFormTitle(before),
    intro: isEdit
      ? l10n.t("Documents that are already in it stay as they are.")
      : l10n.t("A knowledge base holds texts that agents and you search by their meaning."),
    place: isEdit ? l10n.t("In {1} on {0}") : l10n.t("On {0}"),
    fields: createFieldTexts(before),
    noReranking: l10n.t("No reranking"),
    ...createFormFrameTexts(),
    ...createModelFieldsTexts(),
    keyPlaceholders: {
      embedding: kept,
      reranking: before?.reranking.choice === "own" ? kept : "",
    } satisfies Record<ModelKind, string>,
    send: isEdit ? l10n.t("Save Changes") : l10n.t("Create Knowledge Base"),
    sending: isEdit
      ? l10n.t("Saving… {0} s. The server may try the model first.")
      : l10n.t("Creating… {0} s. The server tries the models first."),
    problems: createProblemTexts(),
  };
}

function createFieldTexts(
  before: KnowledgeBaseDraft | undefined,
): Record<Exclude<Field, "form">, FieldTexts> {
  const isEdit = before !== undefined;
  const embedding = [before?.embedding.provider, before?.embedding.modelName]
    .filter(Boolean)
    .join(" · ");
  return {
    project: {
      label: l10n.t("Project"),
      description: l10n.t("The project that contains the knowledge base."),
    },
    name: {
      label: l10n.t("Name"),
      description: l10n.t("Lowercase letters, digits and underscores, so that SQL finds it too."),
    },
    embedding: {
      label: l10n.t("Embedding Model"),
      description: l10n.t("Turns texts into the vectors that a search compares."),
    },
    embeddingProvider: createProviderTexts(),
    embeddingModelName: {
      label: l10n.t("Model Name"),
      description: l10n.t(
        "The provider's name for the model, like text-embedding-3-small. It cannot be changed later.",
      ),
    },
    embeddingApiKey: isEdit
      ? {
          label: l10n.t("API Key of the Embedding Model"),
          description: l10n.t("For {0}. Leave empty to keep the stored key.", embedding),
        }
      : createKeyTexts(),
    embeddingBaseUrl: isEdit
      ? {
          label: l10n.t("Base URL of the Embedding Model"),
          description: l10n.t("Where the MindsDB server reaches the same model."),
        }
      : createAddressTexts(),
    reranking: {
      label: l10n.t("Reranking Model"),
      description: l10n.t(
        "A chat model that sorts what a search finds. Each search calls it, which costs time and money.",
      ),
    },
    rerankingProvider: createProviderTexts(),
    rerankingModelName: {
      label: l10n.t("Model Name"),
      description: l10n.t("The provider's name for the model, like gpt-4o."),
    },
    rerankingApiKey:
      before?.reranking.choice === "own"
        ? {
            label: l10n.t("API Key"),
            description: l10n.t(
              "Sent to the MindsDB server and stored there. Leave empty to keep the stored key.",
            ),
          }
        : createKeyTexts(),
    rerankingBaseUrl: createAddressTexts(),
    storage: {
      label: l10n.t("Storage"),
      description: l10n.t(
        "A vector store of this server and a table in it, like vectors.docs. Leave empty for the server's default.",
      ),
    },
    contentColumns: {
      label: l10n.t("Content Columns"),
      description: l10n.t(
        "Columns with texts to search, separated by commas. Leave empty for the column content.",
      ),
    },
    metadataColumns: {
      label: l10n.t("Metadata Columns"),
      description: l10n.t(
        "Columns to filter by, separated by commas. When empty, all other columns are stored, but searches offer no filters.",
      ),
    },
    idColumn: {
      label: l10n.t("Id Column"),
      description: l10n.t("The column that names a document. Leave empty for the column id."),
    },
  };
}

function createProviderTexts(): FieldTexts {
  return {
    label: l10n.t("Provider"),
    description: l10n.t(
      "Who runs the model. For servers with an OpenAI-compatible API, choose openai.",
    ),
  };
}

function createKeyTexts(): FieldTexts {
  return {
    label: l10n.t("API Key"),
    description: l10n.t(
      "Sent to the MindsDB server and stored there. Leave empty to use the server's key, if it has one.",
    ),
  };
}

function createAddressTexts(): FieldTexts {
  return {
    label: l10n.t("Base URL"),
    description: l10n.t(
      "Where the MindsDB server reaches the model. Leave empty for the provider's own address.",
    ),
  };
}

export function formatProblem({ kind, values }: Problem): string {
  return formatMessage(createProblemTexts()[kind], ...values);
}

/** Texts that only the host uses. */
export const formatTexts = {
  ...formOutcomeTexts,
  changedSince: () => l10n.t("The knowledge base was changed on the server since then."),
  saved: (name: string) => l10n.t("Saved {0}", name),
  created: (name: string) => l10n.t("Created {0}", name),
  noStatement: () => l10n.t("Nothing was copied: SQL cannot express one of the values."),
};
