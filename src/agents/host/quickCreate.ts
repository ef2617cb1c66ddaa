// Quick create: an agent with a name and the server's default model at once, and its form for the rest.
import * as vscode from "vscode";
import { contextKeys } from "../../ids.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { showErrorMessage, showInformation } from "../../shared/host/notifications.ts";
import { askChoice, askText, back } from "../../shared/host/quickInput.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";
import { createFieldTexts } from "../agentFieldTexts.ts";
import { emptyDraft, type AgentDraft } from "../agentDraft.ts";
import { createSnapshot, validateDraft, type LoadedData } from "../validation.ts";
import type { AgentForms } from "./agentForms.ts";
import type { AgentFormOptions } from "./agentFormPage.ts";
import { ServerCatalog } from "./serverCatalog.ts";
import { findSaveProblem, saveAgent } from "./saveAgent.ts";

interface QuickCreateOptions extends Pick<AgentFormOptions, "servers" | "tree" | "log"> {
  forms: AgentForms;
  connectionId: string;
  /** If absent, the user picks one. */
  project: string | undefined;
}

/**
 * Asks for a name, creates the agent with the server's default model, and opens its form. Where that model is missing or
 * the server refuses, the form of a new agent opens with the name. Throws AppError if the server cannot be asked.
 */
export async function quickCreateAgent(options: QuickCreateOptions): Promise<void> {
  const { servers, connectionId, forms } = options;
  if (servers.find(connectionId)?.protection === "readOnly") {
    // Says so before the questions, not after them.
    await servers.allowWrite(connectionId, { what: vscode.l10n.t("Create an Agent") });
    return;
  }
  const project = options.project ?? (await pickProject(options));
  if (project === undefined) return;
  const catalog = new ServerCatalog(servers, connectionId);
  const { seen, failure } = await catalog.load(emptyDraft(project));
  if (failure !== undefined) throw failure;
  const name = await askName(project, seen);
  if (name === undefined) return;
  const draft = { ...emptyDraft(project), name };
  const openForm = (): Promise<void> =>
    forms.create({ connectionId, project }, { name }, { isTyped: true });
  if (seen.defaultModel === "") return openForm();
  const problem = await create(options, catalog, draft);
  if (problem === undefined) return;
  await openForm();
  void showErrorMessage(problem);
}

async function askName(project: string, seen: LoadedData): Promise<string | undefined> {
  const { label, description } = createFieldTexts().name;
  const typed = await askText({
    title: vscode.l10n.t("Create an Agent in {0}", project),
    prompt: `${label}: ${description}`,
    accept: (value) => {
      const draft = { ...emptyDraft(project), name: value.trim() };
      const problems = validateDraft(draft, createSnapshot(seen));
      return Promise.resolve(problems.find(({ field }) => field === "name")?.text);
    },
  });
  return typeof typed === "string" ? typed.trim() : undefined;
}

/** Creates the agent and opens its form. Returns what is wrong; undefined also if the user has declined or canceled. */
async function create(
  { servers, tree, log, forms, connectionId }: QuickCreateOptions,
  catalog: ServerCatalog,
  draft: AgentDraft,
): Promise<string | undefined> {
  const { project, name } = draft;
  const request = { draft, apiKey: "" };
  const title = vscode.l10n.t("Creating {0}. The server may test the model first.", name);
  return withCancelButton(title, async (signal) => {
    try {
      const saved = await saveAgent(catalog, request, signal);
      if (saved.kind === "declined") return undefined;
      if (saved.kind === "problem") return saved.problem.text;
    } catch (error) {
      if (signal.aborted) {
        const canceled = vscode.l10n.t(
          "Canceled. The server may still be processing this. Refresh the tree to check.",
        );
        void showInformation(canceled);
        return undefined;
      }
      log.error(`The agent ${name} could not be made`, error);
      const problem = await findSaveProblem(error, catalog, request);
      const address = servers.find(connectionId)?.address;
      return problem?.text ?? explainError(error, { connectionId, address }).message;
    }
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const agent = { connectionId, project, name };
    await tree.revealAgent(agent);
    await forms.edit(agent);
    return undefined;
  });
}

async function pickProject({
  servers,
  connectionId,
}: QuickCreateOptions): Promise<string | undefined> {
  const { listProjects } = await import("../../mindsdb/projects.ts");
  const projects = await listProjects(await servers.client(connectionId));
  if (projects.length < 2) return projects[0]?.name;
  const item = await askChoice({
    title: vscode.l10n.t("Create an Agent"),
    placeholder: vscode.l10n.t("Select a project"),
    items: projects.map(({ name, isDefault }) => {
      return { label: name, description: isDefault ? vscode.l10n.t("default") : "", name };
    }),
  });
  return item === back ? undefined : item?.name;
}
