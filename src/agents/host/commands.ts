// The agents' commands: show, create (in the form, or quickly), edit, duplicate, delete. Page and form are imported with the
// first one.
import * as vscode from "vscode";
import type { AgentRef } from "../../chat/agentAccess.ts";
import type { Connection, ServerAccess } from "../../connections/connection.ts";
import { commands, panels } from "../../ids.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import { askChoice, back } from "../../shared/host/quickInput.ts";
import { showError } from "../../shared/host/explain.ts";
import { offerConnection } from "../../shared/host/offerConnection.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { AgentPages } from "../agentTree.ts";
import type { AgentPanels } from "./agentPanels.ts";
import type { AgentForms, AgentFormsOptions } from "./panels.ts";
import { showWarning } from "../../shared/host/notifications.ts";

/** A node of the tree: a project, its agents, a knowledge base; or a connection alone. */
interface Place {
  connectionId: string;
  project?: string;
  kind?: string;
  name?: string;
}

/** What the commands are given; they add the pages themselves. */
export type AgentCommandsOptions = Omit<AgentFormsOptions, "pages">;

export class AgentCommands implements vscode.Disposable {
  readonly #options: AgentCommandsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #forms: Promise<AgentForms> | undefined;
  #pages: Promise<AgentPanels> | undefined;

  constructor(options: AgentCommandsOptions) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    this.#subscriptions = [
      restorePanels(panels.agentForm, () => this.load()),
      restorePanels(panels.agent, () => this.loadPages()),
      register(commands.agentShow, async (given?: AgentRef) => {
        const agent = given ?? (await options.tree.pickAgent(vscode.l10n.t("Show an Agent")));
        if (agent) (await this.loadPages()).open(agent);
      }),
      register(commands.agentCreate, (given?: Place) => this.#create(given)),
      register(commands.agentQuickCreate, (given?: Place) => this.#quickCreate(given)),
      register(commands.agentEdit, (given?: AgentRef) =>
        this.#withAgent(vscode.l10n.t("Edit an Agent"), given, async (agent) =>
          (await this.load()).edit(agent),
        ),
      ),
      register(commands.agentDuplicate, (given?: AgentRef) =>
        this.#withAgent(vscode.l10n.t("Duplicate an Agent"), given, async (agent) =>
          (await this.load()).duplicate(agent),
        ),
      ),
      register(commands.agentDelete, (given?: AgentRef) =>
        this.#withAgent(vscode.l10n.t("Delete an Agent"), given, (agent) => this.#delete(agent)),
      ),
    ];
  }

  /** All forms; the same ones every time. */
  load(): Promise<AgentForms> {
    const pages: AgentPages = {
      open: (agent, row) => void this.loadPages().then((loaded) => loaded.open(agent, row)),
      // A page that is not open needs no news, nor the code for it.
      changed: (agent) => void this.#pages?.then((loaded) => loaded.changed(agent)),
      gone: (agent) => void this.#pages?.then((loaded) => loaded.gone(agent)),
    };
    this.#forms ??= import("./panels.ts").then(
      ({ AgentForms }) => new AgentForms({ ...this.#options, pages }),
    );
    return this.#forms;
  }

  /** All pages of agents; the same ones every time. */
  loadPages(): Promise<AgentPanels> {
    this.#pages ??= import("./agentPanels.ts").then(
      ({ AgentPanels }) => new AgentPanels(this.#options),
    );
    return this.#pages;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #create(given?: Place): Promise<void> {
    const connection = await pickConnection(this.#options.servers, given);
    if (!connection) return;
    await this.#attempt("Creating an agent", connection.id, async () => {
      const project =
        given?.project ?? (await defaultProject(this.#options.servers, connection.id));
      const isBase = given?.kind === "knowledgeBase" && given.name !== undefined;
      const { entryOf } = await import("../entries.ts");
      const chosen = isBase ? { knowledgeBases: [entryOf([project, given.name ?? ""])] } : {};
      await (await this.load()).create({ connectionId: connection.id, project }, chosen);
    });
  }

  async #quickCreate(given?: Place): Promise<void> {
    const connection = await pickConnection(this.#options.servers, given);
    if (!connection) return;
    await this.#attempt("Creating an agent", connection.id, async () => {
      const [{ quickCreateAgent }, forms] = await Promise.all([
        import("./quickCreate.ts"),
        this.load(),
      ]);
      const { id: connectionId } = connection;
      await quickCreateAgent({ ...this.#options, forms, connectionId, project: given?.project });
    });
  }

  async #delete(agent: AgentRef): Promise<void> {
    const { servers, tree } = this.#options;
    const { connectionId, project, name } = agent;
    const yes = vscode.l10n.t("Delete");
    const answer = await showWarning(
      vscode.l10n.t("Delete the agent {0}?", name),
      {
        modal: true,
        detail: vscode.l10n.t(
          "It is deleted from {0} on {1} for everybody. Its tables and knowledge bases stay.",
          project,
          servers.find(connectionId)?.name ?? connectionId,
        ),
      },
      yes,
    );
    if (answer !== yes) return;
    const { deleteAgent } = await import("../../mindsdb/agents.ts");
    await deleteAgent(await servers.client(connectionId), project, name).catch(unlessGone);
    (await this.#pages)?.gone(agent);
    await tree.refreshAgents({ connectionId, project });
    vscode.window.setStatusBarMessage(vscode.l10n.t("Deleted {0}", name), 4_000);
  }

  async #withAgent(
    title: string,
    given: AgentRef | undefined,
    work: (agent: AgentRef) => Promise<void>,
  ): Promise<void> {
    const agent = given ?? (await this.#options.tree.pickAgent(title));
    if (agent) await this.#attempt(title, agent.connectionId, () => work(agent));
  }

  /** Does it, and says what went wrong in words. */
  async #attempt(what: string, connectionId: string, work: () => Promise<void>): Promise<void> {
    const { servers, log } = this.#options;
    try {
      await work();
    } catch (error) {
      log.error(`${what} failed`, error);
      await showError(error, { connectionId, address: servers.find(connectionId)?.address });
    }
  }
}

/** The connection of the node, the only one there is, or the one that the user picks. */
async function pickConnection(
  servers: ServerAccess,
  given: Place | undefined,
): Promise<Connection | undefined> {
  if (given) return servers.find(given.connectionId);
  if (servers.list().length === 0) {
    const message = vscode.l10n.t("An agent lives on a MindsDB server, and none is connected yet.");
    if (!(await offerConnection(servers, message))) return undefined;
  }
  const connections = servers.list();
  if (connections.length === 1) return connections[0];
  const item = await askChoice({
    title: vscode.l10n.t("Create an Agent"),
    placeholder: vscode.l10n.t("On which server?"),
    items: connections.map((connection) => {
      return { label: connection.name, description: connection.address, connection };
    }),
  });
  return item === undefined || item === back ? undefined : item.connection;
}

async function defaultProject(servers: ServerAccess, connectionId: string): Promise<string> {
  const [{ listProjects, usualProject }, { isListAbsent }] = await Promise.all([
    import("../../mindsdb/projects.ts"),
    import("../../mindsdb/listings.ts"),
  ]);
  const client = await servers.client(connectionId);
  const projects = await listProjects(client).catch((error: unknown) => {
    if (!isListAbsent(error)) throw error;
    // The form shows it.
    return [{ name: usualProject, isDefault: true }];
  });
  const project = projects.find(({ isDefault }) => isDefault) ?? projects[0];
  if (!project) throw new AppError("notFound", vscode.l10n.t("The server has no project."));
  return project.name;
}

/** What is gone already need not be deleted. */
function unlessGone(error: unknown): void {
  if (!isAppError(error, "notFound")) throw error;
}
