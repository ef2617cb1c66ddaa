// The agents' commands: show, create (form or quick input), edit, duplicate, delete. Page and form are imported on first
// use.
import * as vscode from "vscode";
import type { AgentRef, KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { ServerChanges } from "../../connections/connection.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { commands, panels } from "../../ids.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { createAgentPanels } from "./agentPanel.ts";
import type { AgentForms, AgentFormsOptions } from "./formPanels.ts";

/** Where a new agent is wanted: on a connection, in a project, with a name for a knowledge base, or for tables. */
type NewAgentPlace = Pick<KnowledgeBaseRef, "connectionId"> &
  Partial<KnowledgeBaseRef> & { tables?: string[] };

/** `AgentCommands` adds the pages itself. */
export type AgentCommandsOptions = Omit<AgentFormsOptions, "pages"> & { changes: ServerChanges };

export class AgentCommands implements vscode.Disposable {
  readonly #options: AgentCommandsOptions;
  readonly #subscriptions: vscode.Disposable[];
  readonly pages: ItemPages<AgentRef, JsonObject, ReturnType<typeof createAgentPanels>>;
  #forms: Promise<AgentForms> | undefined;

  constructor(options: AgentCommandsOptions) {
    this.#options = options;
    const register = vscode.commands.registerCommand;
    this.pages = new ItemPages({
      viewType: panels.agent,
      showCommand: commands.agentShow,
      pick: () => options.tree.pickAgent(vscode.l10n.t("Show an Agent")),
      load: async () => (await import("./agentPanel.ts")).createAgentPanels(options),
    });
    this.#subscriptions = [
      this.pages,
      restorePanels(panels.agentForm, () => this.load()),
      register(commands.agentCreate, (given?: NewAgentPlace) => this.#create(given)),
      register(commands.agentQuickCreate, (given?: NewAgentPlace) => this.#quickCreate(given)),
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

  /** All forms; the same object each time. */
  load(): Promise<AgentForms> {
    const show = (agent: AgentRef, row?: JsonObject): void => {
      void this.pages.load().then((pages) => pages.open(agent, row));
    };
    this.#forms ??= import("./formPanels.ts").then(
      ({ AgentForms }) => new AgentForms({ ...this.#options, pages: { open: show } }),
    );
    return this.#forms;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #create(given?: NewAgentPlace): Promise<void> {
    const { pickConnection, readDefaultProject } =
      await import("../../shared/host/newItemTarget.ts");
    const connection = await pickConnection(this.#options.servers, given, newAgentTexts());
    if (!connection) return;
    await this.#attempt("Creating an agent", connection.id, async () => {
      const project =
        given?.project ?? (await readDefaultProject(this.#options.servers, connection.id));
      const base = given?.name;
      const { formatEntry } = await import("../../mindsdb/dataPatterns.ts");
      const chosen = {
        ...(base === undefined ? {} : { knowledgeBases: [formatEntry([project, base])] }),
        ...(given?.tables ? { tables: given.tables } : {}),
      };
      await (await this.load()).create({ connectionId: connection.id, project }, chosen);
    });
  }

  async #quickCreate(given?: NewAgentPlace): Promise<void> {
    const { pickConnection } = await import("../../shared/host/newItemTarget.ts");
    const connection = await pickConnection(this.#options.servers, given, newAgentTexts());
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
    const { confirmAndDeleteAgent } = await import("./deleteAgent.ts");
    if (!(await confirmAndDeleteAgent(this.#options.servers, agent))) return;
    vscode.window.setStatusBarMessage(vscode.l10n.t("Deleted {0}", agent.name), 4_000);
  }

  async #withAgent(
    title: string,
    given: AgentRef | undefined,
    work: (agent: AgentRef) => Promise<void>,
  ): Promise<void> {
    const agent = given ?? (await this.#options.tree.pickAgent(title));
    if (agent) await this.#attempt(title, agent.connectionId, () => work(agent));
  }

  /** Runs `work`; logs and shows its error. */
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

function newAgentTexts(): { title: string; offer: string } {
  return {
    title: vscode.l10n.t("Create an Agent"),
    offer: vscode.l10n.t("Agents need a MindsDB server, and none is connected yet."),
  };
}
