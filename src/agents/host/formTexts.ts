// The words of the agent form: those of its page, and the sentences for everything that can be wrong with an agent.
import { l10n } from "vscode";
import { formatMessage } from "../../shared/formatMessage.ts";
import { draftOfferButtons } from "../../shared/host/formDraft.ts";
import type { AgentForm, FormTexts, ListField } from "../formMessages.ts";
import { maxConnected } from "../providers.ts";
import type { Problem, ProblemKind } from "../validation.ts";

/** What tells a form for a new agent from one for a copy and one for an agent that is there. */
type Kind = Pick<AgentForm, "before" | "modelOf">;

/** What a form is for: in its tab, and above it. */
export function formTitle({ before, modelOf }: Kind): string {
  if (before) return l10n.t("Edit {0}", before.name);
  return modelOf ? l10n.t("Duplicate {0}", modelOf.name) : l10n.t("Create Agent");
}

/** The page's words, in the user's language. */
export function formTexts(form: Kind): FormTexts {
  const isEdit = form.before !== undefined;
  return {
    title: formTitle(form),
    intro: l10n.t(
      "An agent answers questions from the tables and knowledge bases that it may read.",
    ),
    place: isEdit ? l10n.t("In {1} on {0}", "{0}", "{1}") : l10n.t("On {0}", "{0}"),
    fields: fieldTexts(form),
    defaultModel: l10n.t("The server's default: {0}", "{0}"),
    defaultModelUnknown: l10n.t("The server's default"),
    noDefaultModel: l10n.t("The server's default (it has none)"),
    ownModel: l10n.t("Custom model"),
    providerNotes: {
      openai: l10n.t("OpenAI, and every server that speaks its API"),
      anthropic: l10n.t("Claude models"),
      google: l10n.t("Gemini models"),
      ollama: l10n.t("Models on a machine of yours"),
      vllm: l10n.t("A vLLM server"),
      nvidia_nim: l10n.t("NVIDIA's models and containers"),
      litellm: l10n.t("A LiteLLM proxy"),
    },
    otherProvider: l10n.t("Another one…"),
    providerName: l10n.t("Name of the provider"),
    ...draftOfferButtons(),
    keyKept: isEdit
      ? l10n.t("Kept on the server")
      : l10n.t("Copied from {0}", form.modelOf?.name ?? ""),
    keyGone: l10n.t("The key you had typed is not kept while this page is hidden. Type it again."),
    showKey: l10n.t("Show Key"),
    hideKey: l10n.t("Hide Key"),
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
    replaced: l10n.t("The draft took the place of your text."),
    undo: l10n.t("Undo"),
    send: isEdit ? l10n.t("Save Changes") : l10n.t("Create Agent"),
    cancel: l10n.t("Cancel"),
    sending: isEdit
      ? l10n.t("Saving… {0} s. The server may try the model first.", "{0}")
      : l10n.t("Creating… {0} s. The server may try the model first.", "{0}"),
    copySql: l10n.t("Copy as SQL"),
    copyJson: l10n.t("Copy as JSON"),
    copyCurl: l10n.t("Copy as curl"),
    oneProblem: l10n.t("One field needs attention."),
    severalProblems: l10n.t("{0} fields need attention.", "{0}"),
    warning: l10n.t("Warning"),
    problem: l10n.t("Problem"),
    created: l10n.t("{0} is ready in {1}.", "{0}", "{1}"),
    ask: l10n.t("Open Chat"),
    show: l10n.t("Show Agent"),
    edit: l10n.t("Edit Agent"),
    another: l10n.t("Create Another"),
    problems: problemTexts(),
  };
}

function fieldTexts({ before, modelOf }: Kind): FormTexts["fields"] {
  return {
    project: {
      label: l10n.t("Project"),
      description: l10n.t("Where the agent is kept."),
    },
    name: {
      label: l10n.t("Name"),
      description: l10n.t("Lower-case letters, digits and underscores, so that SQL finds it too."),
    },
    model: {
      label: l10n.t("Model"),
      description: l10n.t("The language model that does the thinking."),
    },
    provider: {
      label: l10n.t("Provider"),
      description: l10n.t("Who runs the model. For anything that speaks OpenAI's API: openai."),
    },
    modelName: {
      label: l10n.t("Model Name"),
      description: l10n.t("As the provider spells it, like gpt-4o. It must be able to call tools."),
    },
    apiKey: {
      label: l10n.t("API Key"),
      description: keyDescription({ before, modelOf }),
    },
    baseUrl: {
      label: l10n.t("Base URL"),
      description: l10n.t(
        "Where the model answers, seen from the MindsDB server. Empty: the provider's own address.",
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

function keyDescription({ before, modelOf }: Kind): string {
  if (before) {
    return l10n.t(
      "Goes to the MindsDB server and stays there. Empty: the one that the server has.",
    );
  }
  if (modelOf?.hasKey) {
    return l10n.t(
      "The API key of {0} is copied to the new agent. Type another one to use that.",
      modelOf.name,
    );
  }
  return l10n.t(
    "Goes to the MindsDB server and stays there. Empty: the server's own, if it has one.",
  );
}

function problemTexts(): Record<ProblemKind, string> {
  return {
    nameMissing: l10n.t("Give the agent a name."),
    nameNotPlain: l10n.t("SQL would not find it by this name. Try {0}.", "{0}"),
    nameNotSayable: l10n.t("Use lower-case letters, digits and underscores, a letter first."),
    nameTaken: l10n.t("{0} is taken in this project. Choose another name.", "{0}"),
    noDefaultModel: l10n.t("This server has no default model. Choose a model of its own."),
    providerMissing: l10n.t("Name the provider of the model."),
    providerUnknown: l10n.t("{0} is not a provider that MindsDB is known to take.", "{0}"),
    providerUnusable: l10n.t("MindsDB 26 does not take {0} for agents; older servers do.", "{0}"),
    modelNameMissing: l10n.t("Name the model."),
    keyNotUsed: l10n.t(
      "MindsDB 26 does not pass this key on to {0}. If the key matters, choose openai and a base URL.",
      "{0}",
    ),
    baseUrlInvalid: l10n.t("Write it as https://host/path."),
    baseUrlWithoutPath: l10n.t("Most such servers answer under /v1."),
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
    projectGone: l10n.t("The project {0} is not on the server. Choose another one.", "{0}"),
    projectOfAgentGone: l10n.t(
      "The project {0} is not on the server any more, and this agent with it.",
      "{0}",
    ),
    agentGone: l10n.t("There is no agent {0} any more: it was deleted or renamed.", "{0}"),
    noModelAnywhere: l10n.t(
      "The server cannot use a default model. Choose a model of its own, or set the server's default.",
    ),
    keySourceGone: l10n.t(
      "The agent {0}, whose key this one was to take over, is gone. Type the key.",
      "{0}",
    ),
    defaultFailed: l10n.t(
      "The server's default model failed (HTTP {0}). Choose a model of its own, or set the server's default.",
      "{0}",
    ),
    defaultUnreachable: l10n.t(
      "The server cannot reach its default model. Choose a model of its own, or set the server's default.",
    ),
    defaultUnfit: l10n.t(
      "The server's default model did not answer the way agents need it. Choose a model that can call tools.",
    ),
    modelSettings: l10n.t(
      "This server takes no {0} for an agent's model, and this agent has it. Create a new agent instead.",
      "{0}",
    ),
    modelRefused: l10n.t(
      "The server refused this model and does not say why. Check the provider {0}, the model's name and the base URL.",
      "{0}",
    ),
    providerNotOffered: l10n.t("This server does not offer {0}. Choose another provider.", "{0}"),
    keyMissing: l10n.t("The server has no key of its own for {0}. Type one.", "{0}"),
    keyRefused: l10n.t("{0} does not accept this key. Type another one.", "{0}"),
    modelUnknown: l10n.t(
      "{1} knows no model {0}. Check its name, and the base URL if there is one.",
      "{0}",
      "{1}",
    ),
    modelLimit: l10n.t("{0} takes no more requests for now. Try again later.", "{0}"),
    modelRejects: l10n.t("The model refused the server's request. It says: {0}", "{0}"),
    modelUnfit: l10n.t(
      "{0} did not answer the way agents need it. Choose a model that can call tools.",
      "{0}",
    ),
    modelFailed: l10n.t(
      "The model of {0} failed (HTTP {1}). Try again later, or check the base URL.",
      "{0}",
      "{1}",
    ),
    modelUnreachable: l10n.t(
      "The MindsDB server cannot reach {0}. Check that the address holds from where the server runs.",
      "{0}",
    ),
    notAModel: l10n.t(
      "What answers at {0} is not a model that agents can use. Check the base URL.",
      "{0}",
    ),
    sourceNotFound: l10n.t(
      "{0} is not a data source of this server. Remove what begins with it.",
      "{0}",
    ),
    tablesNotFound: l10n.t("The server finds no table in this list: {0}.", "{0}"),
    knowledgeBasesNotFound: l10n.t("The server finds no knowledge base in this list: {0}.", "{0}"),
    renameLost: l10n.t("The server kept the name {0}. Save again to rename it.", "{0}"),
    serverSays: l10n.t("The server refused: {0}", "{0}"),
  };
}

/** A problem as a sentence. */
export function problemSentence({ kind, values }: Problem): string {
  return formatMessage(problemTexts()[kind], ...values);
}

/** How many tables or knowledge bases something stands for: "7 tables". */
export function matchWords(field: ListField, count: number | null): string {
  if (count === null) return l10n.t("not counted");
  if (field === "tables") return count === 1 ? l10n.t("1 table") : l10n.t("{0} tables", count);
  return count === 1 ? l10n.t("1 knowledge base") : l10n.t("{0} knowledge bases", count);
}

/** Sentences that only the host says. */
export const formatTexts = {
  cancelled: () =>
    l10n.t("Cancelled. The server may still be processing this. Refresh the tree to see."),
  changedSince: () => l10n.t("The agent was changed on the server since then."),
  saved: () => l10n.t("Saved."),
  unchanged: () => l10n.t("Nothing has changed."),
  unseen: (why: string) => l10n.t("What the server has could not be read. {0}", why),
  tried: () => l10n.t("The server tested the model and got a response."),
  triedLater: () =>
    l10n.t("This server does not try the model until it is asked: its first answer will tell."),
  copied: () => l10n.t("Copied without API keys."),
  noStatement: () =>
    l10n.t("Nothing was copied: SQL cannot express this text. Copy it as JSON instead."),
};
