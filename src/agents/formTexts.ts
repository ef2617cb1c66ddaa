// The texts of the agent form and its problems.
import * as l10n from "@vscode/l10n";
import type { FieldTexts } from "../shared/formFields.ts";
import { formatMessage } from "../shared/formatMessage.ts";
import {
  createFormFrameTexts,
  createModelFieldsTexts,
  formOutcomeTexts,
} from "../shared/formTexts.ts";
import { createProblemTexts } from "./problemTexts.ts";
import type { Field, ListField, Problem } from "./validation.ts";

export type FormTexts = ReturnType<typeof createFormTexts>;

/** Tells whether a form creates, duplicates or edits an agent. */
interface Kind {
  before?: { name: string } | undefined;
  modelOf?: { name: string; hasKey: boolean } | undefined;
}

/** Returns the title of the form and its tab. */
export function createFormTitle({ before, modelOf }: Kind): string {
  if (before) return l10n.t("Edit {0}", before.name);
  return modelOf ? l10n.t("Duplicate {0}", modelOf.name) : l10n.t("Create Agent");
}

/** Returns the page's texts, in the user's language. `{0}` and `{1}` are filled in by the page. */
export function createFormTexts(form: Kind) {
  const isEdit = form.before !== undefined;
  return {
    title: createFormTitle(form),
    intro: l10n.t(
      "An agent answers questions from the tables and knowledge bases that it may read.",
    ),
    place: isEdit ? l10n.t("In {1} on {0}") : l10n.t("On {0}"),
    fields: createFieldTexts(form),
    ...createFormFrameTexts(),
    ...createModelFieldsTexts(),
    keyKept: isEdit
      ? l10n.t("Kept on the server")
      : l10n.t("Copied from {0}", form.modelOf?.name ?? ""),
    chooseTables: l10n.t("Choose Tables…"),
    chooseKnowledgeBases: l10n.t("Choose Knowledge Bases…"),
    noTables: l10n.t("No tables chosen."),
    noKnowledgeBases: l10n.t("No knowledge bases chosen."),
    remove: l10n.t("Remove {0}"),
    oneTable: l10n.t("1 table"),
    severalTables: l10n.t("{0} tables"),
    oneKnowledgeBase: l10n.t("1 knowledge base"),
    severalKnowledgeBases: l10n.t("{0} knowledge bases"),
    notCounted: l10n.t("not counted"),
    describe: l10n.t("Draft from the Chosen Data"),
    describing: l10n.t("Reading the columns…"),
    replaced: l10n.t("Your text was replaced by the draft."),
    undo: l10n.t("Undo"),
    send: isEdit ? l10n.t("Save Changes") : l10n.t("Create Agent"),
    sending: isEdit
      ? l10n.t("Saving… {0} s. The server may try the model first.")
      : l10n.t("Creating… {0} s. The server may try the model first."),
    copyJson: l10n.t("Copy as JSON"),
    copyCurl: l10n.t("Copy as curl"),
    created: l10n.t("{0} is ready in {1}."),
    ask: l10n.t("Open Chat"),
    show: l10n.t("Show Agent"),
    edit: l10n.t("Edit Agent"),
    another: l10n.t("Create Another"),
    problems: createProblemTexts(),
  };
}

function createFieldTexts({ before, modelOf }: Kind): Record<Exclude<Field, "form">, FieldTexts> {
  return {
    project: {
      label: l10n.t("Project"),
      description: l10n.t("The project that contains the agent."),
    },
    name: {
      label: l10n.t("Name"),
      description: l10n.t("Lowercase letters, digits and underscores, so that SQL finds it too."),
    },
    model: {
      label: l10n.t("Model"),
      description: l10n.t("The language model that the agent uses."),
    },
    provider: {
      label: l10n.t("Provider"),
      description: l10n.t(
        "Who runs the model. For servers with an OpenAI-compatible API, choose openai.",
      ),
    },
    modelName: {
      label: l10n.t("Model Name"),
      description: l10n.t(
        "The provider's name for the model, like gpt-4o. The model must support tool calls.",
      ),
    },
    apiKey: {
      label: l10n.t("API Key"),
      description: describeKey({ before, modelOf }),
    },
    baseUrl: {
      label: l10n.t("Base URL"),
      description: l10n.t(
        "Where the MindsDB server reaches the model. Leave empty for the provider's own address.",
      ),
    },
    tables: {
      label: l10n.t("Tables"),
      description: l10n.t("What the agent may query. A * stands for all tables of a data source."),
    },
    knowledgeBases: {
      label: l10n.t("Knowledge Bases"),
      description: l10n.t("What the agent may search. A * stands for all of a project."),
    },
    instruction: {
      label: l10n.t("Instruction"),
      description: l10n.t("What the data is about and how to answer. The model reads it."),
    },
  };
}

function describeKey({ before, modelOf }: Kind): string {
  if (before) {
    return l10n.t(
      "Sent to the MindsDB server and stored there. Leave empty to keep the stored key.",
    );
  }
  if (modelOf?.hasKey) {
    return l10n.t(
      "The API key of {0} is copied to the new agent. To use a different key, enter it here.",
      modelOf.name,
    );
  }
  return l10n.t(
    "Sent to the MindsDB server and stored there. Leave empty to use the server's key, if it has one.",
  );
}

/** Returns a problem as a sentence. */
export function formatProblem({ kind, values }: Problem): string {
  return formatMessage(createProblemTexts()[kind], ...values);
}

/** Returns how many tables or knowledge bases match: "7 tables". */
export function formatMatchCount(field: ListField, count: number | null): string {
  if (count === null) return l10n.t("not counted");
  if (field === "tables") return count === 1 ? l10n.t("1 table") : l10n.t("{0} tables", count);
  return count === 1 ? l10n.t("1 knowledge base") : l10n.t("{0} knowledge bases", count);
}

/** Texts that only the host uses. */
export const formatTexts = {
  ...formOutcomeTexts,
  changedSince: () => l10n.t("The agent was changed on the server since then."),
  saved: () => l10n.t("Saved."),
  tried: () => l10n.t("The server tested the model and got a response."),
  triedLater: () => l10n.t("This server does not test the model until the first question."),
  noStatement: () =>
    l10n.t("Nothing was copied: SQL cannot express this text. Copy it as JSON instead."),
};
