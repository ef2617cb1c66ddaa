// Problems of an agent's draft, found before it is sent or reported by a server.
import * as l10n from "@vscode/l10n";
import type { Problem as FormProblem } from "../shared/formPage.ts";
import { modelProblems } from "../shared/modelProblems.ts";
import { maxConnected } from "./modelProviders.ts";

export type Field =
  | "project"
  | "name"
  | "model"
  | "provider"
  | "modelName"
  | "apiKey"
  | "baseUrl"
  | "tables"
  | "knowledgeBases"
  | "instruction";

export type Problem = FormProblem<Field>;

export const agentProblems = {
  ...modelProblems,
  providerUnusable: (provider: string) =>
    l10n.t("MindsDB 26 does not support {0} for agents. Older servers do.", provider),
  keyNotUsed: (provider: string) =>
    l10n.t(
      "MindsDB 26 does not pass this key on to {0}. If the key matters, select openai and enter a base URL.",
      provider,
    ),
  entryWithoutOwner: (entry: string) =>
    l10n.t("Put the data source before {0}, like files.{0}.", entry),
  entryNotFound: (entry: string) =>
    l10n.t("{0} is not on the server. Remove it or select another one.", entry),
  patternEmpty: (pattern: string) =>
    l10n.t("Nothing matches {0} now. Remove it or select something else.", pattern),
  noData: () =>
    l10n.t(
      "Without a table or a knowledge base, the agent can only chat. It can't look anything up.",
    ),
  manyConnected: (count: number) =>
    l10n.t(
      "The agent would read {0} tables and knowledge bases. With more than {1}, it often picks the wrong ones.",
      count,
      maxConnected,
    ),
  projectOfAgentGone: (project: string) =>
    l10n.t("The project {0} is no longer on the server, and neither is this agent.", project),
  agentGone: (name: string) =>
    l10n.t("The agent {0} no longer exists. It was deleted or renamed.", name),
  noModelAnywhere: () =>
    l10n.t(
      "The server can't use a default model. Select a custom model, or set the server's default.",
    ),
  keySourceGone: (name: string) =>
    l10n.t("The agent {0} no longer exists, so its key can't be copied. Enter the key.", name),
  defaultFailed: (status: string) =>
    l10n.t(
      "The server's default model failed (HTTP {0}). Select a custom model, or set the server's default.",
      status,
    ),
  defaultUnreachable: () =>
    l10n.t(
      "The server can't reach its default model. Select a custom model, or set the server's default.",
    ),
  defaultUnfit: () =>
    l10n.t(
      "The server's default model returned a response that agents can't use. Select a model that can call tools.",
    ),
  modelSettings: (settings: string) =>
    l10n.t(
      "This server does not accept the setting {0} for an agent's model. Create a new agent instead.",
      settings,
    ),
  modelRefused: (provider: string) =>
    l10n.t(
      "The server refused this model and gave no reason. Check the provider {0}, the model's name, and the base URL.",
      provider,
    ),
  agentRefused: () =>
    l10n.t("The server refused this agent and gave no reason. Check its model and its tables."),
  providerNotOffered: (provider: string) =>
    l10n.t("This server does not offer {0}. Select another provider.", provider),
  modelLimit: (provider: string) =>
    l10n.t("{0} is rate-limiting requests. Try again later.", provider),
  modelRejects: (message: string) => l10n.t("The model refused the server's request: {0}", message),
  modelUnfit: (model: string) =>
    l10n.t(
      "{0} returned a response that agents can't use. Select a model that can call tools.",
      model,
    ),
  modelFailed: (provider: string, status: string) =>
    l10n.t(
      "The model from {0} failed (HTTP {1}). Try again later, or check the base URL.",
      provider,
      status,
    ),
  notAModel: (address: string) =>
    l10n.t("There is no model that agents can use at {0}. Check the base URL.", address),
  sourceNotFound: (source: string) =>
    l10n.t(
      "{0} is not a data source of this server. Remove the entries that begin with it.",
      source,
    ),
  tablesNotFound: (tables: string) => l10n.t("The server found none of these tables: {0}.", tables),
  tablesTooNew: (tables: string, patterns: string) =>
    l10n.t(
      "For agents, this server only knows the tables a data source had when its first agent was created, and these are newer: {0}. Select {1} instead, or add an older table of the same data source.",
      tables,
      patterns,
    ),
  knowledgeBasesNotFound: (knowledgeBases: string) =>
    l10n.t("The server found none of these knowledge bases: {0}.", knowledgeBases),
  renameLost: (name: string) =>
    l10n.t("The server kept the name {0}. Save again to rename it.", name),
};

/** A problem of the server's default model, with the button that leads to it. */
export function defaultModelProblem(text: string): Problem {
  return { field: "model", text, action: agentProblems.serverSettings() };
}
