// The texts of the agent form and its problems.
import { l10n } from "vscode";
import { formatMessage } from "../../shared/formatMessage.ts";
import {
  createFormFrameTexts,
  createModelFieldsTexts,
  createModelProblemTexts,
} from "../../shared/host/formTexts.ts";
import type { AgentForm, FormTexts, ListField } from "../formMessages.ts";
import { maxConnected } from "../modelProviders.ts";
import type { Problem, ProblemKind } from "../validation.ts";

/** Tells whether a form creates, duplicates or edits an agent. */
type Kind = Pick<AgentForm, "before" | "modelOf">;

/** Returns the title of the form and its tab. */
export function createFormTitle({ before, modelOf }: Kind): string {
  if (before) return l10n.t("Edit {0}", before.name);
  return modelOf ? l10n.t("Duplicate {0}", modelOf.name) : l10n.t("Create Agent");
}

/** Returns the page's texts, in the user's language. */
export function createFormTexts(form: Kind): FormTexts {
  const isEdit = form.before !== undefined;
  return {
    title: createFormTitle(form),
    intro: l10n.t(
      "An agent answers questions from the tables and knowledge bases that it may read.",
    ),
    place: isEdit ? l10n.t("In {1} on {0}", "{0}", "{1}") : l10n.t("On {0}", "{0}"),
    fields: createFieldTexts(form),
    ...createFormFrameTexts(),
    ...createModelFieldsTexts(),
    keyKept: isEdit
      ? l10n.t("Kept on the server")
      : l10n.t("Copied from {0}", form.modelOf?.name ?? ""),
    chooseTables: l10n.t("Choose Tables…"),
    chooseKnowledgeBases: l10n.t("Choose Knowledge Bases…"),
    noTables: l10n.t("No tables yet."),
    noKnowledgeBases: l10n.t("No knowledge bases yet."),
    remove: l10n.t("Remove {0}", "{0}"),
    oneTable: l10n.t("1 table"),
    severalTables: l10n.t("{0} tables", "{0}"),
    oneKnowledgeBase: l10n.t("1 knowledge base"),
    severalKnowledgeBases: l10n.t("{0} knowledge bases", "{0}"),
    notCounted: l10n.t("not counted"),
    describe: l10n.t("Draft from the Chosen Data"),
    describing: l10n.t("Reading the columns…"),
    replaced: l10n.t("Your text was replaced by the draft."),
    undo: l10n.t("Undo"),
    send: isEdit ? l10n.t("Save Changes") : l10n.t("Create Agent"),
    sending: isEdit
      ? l10n.t("Saving… {0} s. The server may try the model first.", "{0}")
      : l10n.t("Creating… {0} s. The server may try the model first.", "{0}"),
    copyJson: l10n.t("Copy as JSON"),
    copyCurl: l10n.t("Copy as curl"),
    created: l10n.t("{0} is ready in {1}.", "{0}", "{1}"),
    ask: l10n.t("Open Chat"),
    show: l10n.t("Show Agent"),
    edit: l10n.t("Edit Agent"),
    another: l10n.t("Create Another"),
    problems: createProblemTexts(),
  };
}

function createFieldTexts({ before, modelOf }: Kind): FormTexts["fields"] {
  return {
    project: {
      label: l10n.t("Project"),
      description: l10n.t("The project that contains the agent."),
    },
    name: {
      label: l10n.t("Name"),
      description: l10n.t("Lower-case letters, digits and underscores, so that SQL finds it too."),
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
      "The API key of {0} is copied to the new agent. Type another one to use that.",
      modelOf.name,
    );
  }
  return l10n.t(
    "Sent to the MindsDB server and stored there. Leave empty to use the server's key, if it has one.",
  );
}

function createProblemTexts(): Record<ProblemKind, string> {
  return {
    ...createModelProblemTexts(),
    nameMissing: l10n.t("Give the agent a name."),
    nameNotPlain: l10n.t("SQL can't find an agent by this name. Try {0}.", "{0}"),
    providerUnusable: l10n.t(
      "MindsDB 26 does not support {0} for agents. Older servers do.",
      "{0}",
    ),
    keyNotUsed: l10n.t(
      "MindsDB 26 does not pass this key on to {0}. If the key matters, choose openai and a base URL.",
      "{0}",
    ),
    entryWithoutOwner: l10n.t("Write {0} with its data source in front, like files.{0}.", "{0}"),
    entryNotFound: l10n.t("{0} is not on the server. Remove it or choose another one.", "{0}"),
    patternEmpty: l10n.t("Nothing matches {0} now. Remove it or choose something else.", "{0}"),
    noData: l10n.t(
      "Without a table or a knowledge base, the agent can only chat: it cannot look anything up.",
    ),
    manyConnected: l10n.t(
      "The agent would read {0} tables and knowledge bases. With more than {1} it often picks the wrong ones.",
      "{0}",
      maxConnected,
    ),
    projectOfAgentGone: l10n.t(
      "The project {0} is no longer on the server, and neither is this agent.",
      "{0}",
    ),
    agentGone: l10n.t("The agent {0} no longer exists. It was deleted or renamed.", "{0}"),
    noModelAnywhere: l10n.t(
      "The server cannot use a default model. Choose a custom model, or set the server's default.",
    ),
    keySourceGone: l10n.t(
      "The agent {0}, whose key was to be copied, no longer exists. Enter the key.",
      "{0}",
    ),
    defaultFailed: l10n.t(
      "The server's default model failed (HTTP {0}). Choose a custom model, or set the server's default.",
      "{0}",
    ),
    defaultUnreachable: l10n.t(
      "The server cannot reach its default model. Choose a custom model, or set the server's default.",
    ),
    defaultUnfit: l10n.t(
      "The server's default model returned a response that agents can't use. Choose a model that can call tools.",
    ),
    modelSettings: l10n.t(
      "This server does not accept the setting {0} for an agent's model. Create a new agent instead.",
      "{0}",
    ),
    modelRefused: l10n.t(
      "The server refused this model and does not say why. Check the provider {0}, the model's name and the base URL.",
      "{0}",
    ),
    providerNotOffered: l10n.t("This server does not offer {0}. Choose another provider.", "{0}"),
    modelLimit: l10n.t("{0} is rate-limiting requests. Try again later.", "{0}"),
    modelRejects: l10n.t("The model refused the server's request. It says: {0}", "{0}"),
    modelUnfit: l10n.t(
      "{0} returned a response that agents can't use. Choose a model that can call tools.",
      "{0}",
    ),
    modelFailed: l10n.t(
      "The model of {0} failed (HTTP {1}). Try again later, or check the base URL.",
      "{0}",
      "{1}",
    ),
    notAModel: l10n.t(
      "The service at {0} is not a model that agents can use. Check the base URL.",
      "{0}",
    ),
    sourceNotFound: l10n.t(
      "{0} is not a data source of this server. Remove the entries that begin with it.",
      "{0}",
    ),
    tablesNotFound: l10n.t("The server found none of these tables: {0}.", "{0}"),
    knowledgeBasesNotFound: l10n.t("The server found none of these knowledge bases: {0}.", "{0}"),
    renameLost: l10n.t("The server kept the name {0}. Save again to rename it.", "{0}"),
  };
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
  cancelled: () =>
    l10n.t("Cancelled. The server may still be processing this. Refresh the tree to see."),
  declined: () => l10n.t("Not saved."),
  changedSince: () => l10n.t("The agent was changed on the server since then."),
  saved: () => l10n.t("Saved."),
  unchanged: () => l10n.t("Nothing has changed."),
  loadFailed: (why: string) => l10n.t("The server's data could not be read. {0}", why),
  tried: () => l10n.t("The server tested the model and got a response."),
  triedLater: () => l10n.t("This server does not test the model until the first question."),
  copied: () => l10n.t("Copied without API keys."),
  noStatement: () =>
    l10n.t("Nothing was copied: SQL cannot express this text. Copy it as JSON instead."),
};
