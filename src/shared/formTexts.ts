// The texts that several forms have.
import * as l10n from "@vscode/l10n";

export function createFormFrameTexts() {
  return {
    restoreDraft: l10n.t("Restore Draft"),
    discardDraft: l10n.t("Discard"),
    cancel: l10n.t("Cancel"),
    copySql: l10n.t("Copy as SQL"),
    oneProblem: l10n.t("One field needs attention."),
    severalProblems: l10n.t("{0} fields need attention."),
    warning: l10n.t("Warning"),
    problem: l10n.t("Problem"),
  };
}

export function createModelFieldsTexts() {
  const providerNotes: Record<string, string> = {
    openai: l10n.t("OpenAI and compatible servers"),
    anthropic: l10n.t("Claude models"),
    google: l10n.t("Gemini models"),
    ollama: l10n.t("Models on your own machine"),
    vllm: l10n.t("A vLLM server"),
    nvidia_nim: l10n.t("NVIDIA's models and containers"),
    litellm: l10n.t("A LiteLLM proxy"),
  };
  return {
    defaultModel: l10n.t("The server's default: {0}"),
    defaultModelUnknown: l10n.t("The server's default"),
    noDefaultModel: l10n.t("The server's default (it has none)"),
    ownModel: l10n.t("Custom model"),
    providerNotes,
    otherProvider: l10n.t("Other…"),
    providerName: l10n.t("Provider name"),
    keyGone: l10n.t(
      "The key that you entered was not kept while this page was hidden. Enter it again.",
    ),
    showKey: l10n.t("Show Key"),
    hideKey: l10n.t("Hide Key"),
  };
}

/** What the host says about any form that saves an item. */
export const formOutcomeTexts = {
  cancelled: () =>
    l10n.t("Canceled. The server may still be processing this. Refresh the tree to see."),
  declined: () => l10n.t("Not saved."),
  unchanged: () => l10n.t("Nothing has changed."),
  loadFailed: (why: string) => l10n.t("The server's data could not be read. {0}", why),
  copied: () => l10n.t("Copied without API keys."),
};

/** Returns what may be wrong with the name of any item. */
export function createNameProblemTexts() {
  return {
    nameNotSayable: l10n.t(
      "Use lowercase letters, digits and underscores, and start with a letter.",
    ),
    nameTaken: l10n.t("{0} is taken in this project. Choose another name."),
    nameOfAgent: l10n.t("This project has an agent named {0}. Choose another name."),
    nameOfKnowledgeBase: l10n.t(
      "This project has a knowledge base named {0}. Choose another name.",
    ),
    nameOfModel: l10n.t("This project has a model named {0}. Choose another name."),
    nameOfView: l10n.t("This project has a view named {0}. Choose another name."),
  };
}

/** Returns what may be wrong with the name and the model of an item, before and after it is sent. */
export function createModelProblemTexts() {
  return {
    ...createNameProblemTexts(),
    noDefaultModel: l10n.t("This server has no default model. Choose a custom model."),
    providerMissing: l10n.t("Enter the model's provider."),
    providerUnknown: l10n.t("MindsDB is not known to support the provider {0}."),
    modelNameMissing: l10n.t("Enter the model's name."),
    baseUrlInvalid: l10n.t("Enter a URL like https://host/path."),
    baseUrlWithoutPath: l10n.t("Most servers of this kind need the path /v1."),
    projectGone: l10n.t("The project {0} is not on the server. Choose another one."),
    keyMissing: l10n.t("The server has no key of its own for {0}. Enter one."),
    keyRefused: l10n.t("{0} does not accept this key. Enter another one."),
    modelUnknown: l10n.t("{1} has no model {0}. Check its name, and the base URL if there is one."),
    modelUnreachable: l10n.t(
      "The MindsDB server cannot reach {0}. Check that the address works from the machine that the server runs on.",
    ),
    serverSays: l10n.t("The server refused: {0}"),
  };
}
