// What may be wrong with an agent's draft, before it is sent and as a server reports it (serverErrors.ts).
import * as l10n from "@vscode/l10n";
import { createModelProblemTexts } from "../shared/formTexts.ts";
import { maxConnected } from "./modelProviders.ts";

export type ProblemKind = keyof ReturnType<typeof createProblemTexts>;

/** Returns the sentences; `{0}` and `{1}` are a problem's values. */
export function createProblemTexts() {
  return {
    ...createModelProblemTexts(),
    nameMissing: l10n.t("Give the agent a name."),
    nameNotPlain: l10n.t("SQL can't find an agent by this name. Try {0}."),
    providerUnusable: l10n.t("MindsDB 26 does not support {0} for agents. Older servers do."),
    keyNotUsed: l10n.t(
      "MindsDB 26 does not pass this key on to {0}. If the key matters, choose openai and a base URL.",
    ),
    entryWithoutOwner: l10n.t("Write {0} with its data source in front, like files.{0}."),
    entryNotFound: l10n.t("{0} is not on the server. Remove it or choose another one."),
    patternEmpty: l10n.t("Nothing matches {0} now. Remove it or choose something else."),
    noData: l10n.t(
      "Without a table or a knowledge base, the agent can only chat. It can't look anything up.",
    ),
    manyConnected: l10n.t(
      "The agent would read {0} tables and knowledge bases. With more than {1} it often picks the wrong ones.",
      "{0}",
      maxConnected,
    ),
    projectOfAgentGone: l10n.t(
      "The project {0} is no longer on the server, and neither is this agent.",
    ),
    agentGone: l10n.t("The agent {0} no longer exists. It was deleted or renamed."),
    noModelAnywhere: l10n.t(
      "The server cannot use a default model. Choose a custom model, or set the server's default.",
    ),
    keySourceGone: l10n.t(
      "The agent {0}, whose key was to be copied, no longer exists. Enter the key.",
    ),
    defaultFailed: l10n.t(
      "The server's default model failed (HTTP {0}). Choose a custom model, or set the server's default.",
    ),
    defaultUnreachable: l10n.t(
      "The server cannot reach its default model. Choose a custom model, or set the server's default.",
    ),
    defaultUnfit: l10n.t(
      "The server's default model returned a response that agents can't use. Choose a model that can call tools.",
    ),
    modelSettings: l10n.t(
      "This server does not accept the setting {0} for an agent's model. Create a new agent instead.",
    ),
    modelRefused: l10n.t(
      "The server refused this model and does not say why. Check the provider {0}, the model's name and the base URL.",
    ),
    agentRefused: l10n.t(
      "The server refused this agent and does not say why. Check its model and its tables.",
    ),
    providerNotOffered: l10n.t("This server does not offer {0}. Choose another provider."),
    modelLimit: l10n.t("{0} is rate-limiting requests. Try again later."),
    modelRejects: l10n.t("The model refused the server's request. It says: {0}"),
    modelUnfit: l10n.t(
      "{0} returned a response that agents can't use. Choose a model that can call tools.",
    ),
    modelFailed: l10n.t(
      "The model of {0} failed (HTTP {1}). Try again later, or check the base URL.",
    ),
    notAModel: l10n.t("The service at {0} is not a model that agents can use. Check the base URL."),
    sourceNotFound: l10n.t(
      "{0} is not a data source of this server. Remove the entries that begin with it.",
    ),
    tablesNotFound: l10n.t("The server found none of these tables: {0}."),
    tablesTooNew: l10n.t(
      "For agents, this server only knows the tables a data source had when its first agent was created, and these are newer: {0}. Choose {1} instead, or add an older table of the same data source.",
    ),
    knowledgeBasesNotFound: l10n.t("The server found none of these knowledge bases: {0}."),
    renameLost: l10n.t("The server kept the name {0}. Save again to rename it."),
  };
}
