// Commands on agents, other than those that show their pages.
import * as vscode from "vscode";
import type { AgentRef, KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { createOnServer, pickConnection } from "../../shared/host/newItemTarget.ts";
import type { AgentDraft } from "../agentDraft.ts";
import { confirmAndDeleteAgent } from "./deleteAgent.ts";
import type { AgentForms, AgentFormsOptions } from "./agentForms.ts";
import { showStatus } from "../../shared/host/notifications.ts";

/**
 * Where a new agent is wanted: on a connection, in a project, with a name for a knowledge base, for tables, or with what a
 * deleted agent had.
 */
export type NewAgentPlace = Pick<KnowledgeBaseRef, "connectionId"> &
  Partial<KnowledgeBaseRef> & { tables?: string[]; deleted?: Partial<AgentDraft> };

export class AgentActions {
  readonly #options: Omit<AgentFormsOptions, "pages">;
  readonly #loadForms: () => Promise<AgentForms>;

  constructor(options: Omit<AgentFormsOptions, "pages">, loadForms: () => Promise<AgentForms>) {
    this.#options = options;
    this.#loadForms = loadForms;
  }

  /** Opens a form for a new agent; asks for the connection unless it is given or the only one. */
  async create(given?: NewAgentPlace): Promise<void> {
    const texts = { ...newAgentTexts(), task: "Creating an agent" };
    await createOnServer(this.#options, given, texts, async (connectionId, project) => {
      const base = given?.name;
      const chosen = {
        ...given?.deleted,
        ...(base === undefined ? {} : { knowledgeBases: [formatEntry([project, base])] }),
        ...(given?.tables ? { tables: given.tables } : {}),
      };
      const forms = await this.#loadForms();
      await forms.create({ connectionId, project }, chosen);
    });
  }

  /** Asks for what a new agent needs, step by step. */
  async quickCreate(given?: NewAgentPlace): Promise<void> {
    const connection = await pickConnection(this.#options.servers, given, newAgentTexts());
    if (!connection) return;
    await attempt(this.#options, "Creating an agent", connection.id, async () => {
      const [{ quickCreateAgent }, forms] = await Promise.all([
        import("./quickCreate.ts"),
        this.#loadForms(),
      ]);
      const { id: connectionId } = connection;
      await quickCreateAgent({ ...this.#options, forms, connectionId, project: given?.project });
    });
  }

  async edit(given?: AgentRef): Promise<void> {
    await this.#withAgent(vscode.l10n.t("Edit an Agent"), given, async (agent) =>
      (await this.#loadForms()).edit(agent),
    );
  }

  async duplicate(given?: AgentRef): Promise<void> {
    await this.#withAgent(vscode.l10n.t("Duplicate an Agent"), given, async (agent) =>
      (await this.#loadForms()).duplicate(agent),
    );
  }

  async delete(given?: AgentRef): Promise<void> {
    await this.#withAgent(vscode.l10n.t("Delete an Agent"), given, async (agent) => {
      if (!(await confirmAndDeleteAgent(this.#options.servers, agent))) return;
      showStatus(vscode.l10n.t("Deleted {0}", agent.name));
    });
  }

  async #withAgent(
    title: string,
    given: AgentRef | undefined,
    work: (agent: AgentRef) => Promise<void>,
  ): Promise<void> {
    const agent = given ?? (await this.#options.tree.pickAgent(title));
    if (agent) await attempt(this.#options, title, agent.connectionId, () => work(agent));
  }
}

function newAgentTexts(): { title: string; offer: string } {
  return {
    title: vscode.l10n.t("Create an Agent"),
    offer: vscode.l10n.t("Agents need a MindsDB server, and none is connected yet."),
  };
}
