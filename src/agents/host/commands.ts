// The agents' commands: show, create (form or quick input), edit, duplicate, delete. What they do is imported with the
// first use.
import * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ServerChanges } from "../../connections/connection.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { commands, panels } from "../../ids.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { AgentActions, NewAgentPlace } from "./agentActions.ts";
import type { createAgentPages } from "./agentPage.ts";
import type { AgentForms, AgentFormsOptions } from "./agentForms.ts";

/** `AgentCommands` adds the pages itself. */
type AgentCommandsOptions = Omit<AgentFormsOptions, "pages"> & { changes: ServerChanges };

export class AgentCommands implements vscode.Disposable {
  readonly #options: AgentCommandsOptions;
  readonly #subscriptions: vscode.Disposable[];
  readonly pages: ItemPages<AgentRef, JsonObject, ReturnType<typeof createAgentPages>>;
  #forms: Promise<AgentForms> | undefined;

  constructor(options: AgentCommandsOptions) {
    this.#options = options;
    const register = <Given>(
      command: string,
      work: (actions: AgentActions, given: Given) => Promise<void>,
    ): vscode.Disposable =>
      vscode.commands.registerCommand(command, async (given: Given) => {
        const { AgentActions } = await import("./agentActions.ts");
        await work(new AgentActions(this.#options, () => this.load()), given);
      });
    this.pages = new ItemPages({
      viewType: panels.agent,
      showCommand: commands.agentShow,
      pick: () => options.tree.pickAgent(vscode.l10n.t("Show an Agent")),
      load: async () => (await import("./agentPage.ts")).createAgentPages(options),
    });
    this.#subscriptions = [
      this.pages,
      restorePanels(panels.agentForm, () => this.load()),
      register(commands.agentCreate, (actions, given?: NewAgentPlace) => actions.create(given)),
      register(commands.agentQuickCreate, (actions, given?: NewAgentPlace) =>
        actions.quickCreate(given),
      ),
      register(commands.agentEdit, (actions, given?: AgentRef) => actions.edit(given)),
      register(commands.agentDuplicate, (actions, given?: AgentRef) => actions.duplicate(given)),
      register(commands.agentDelete, (actions, given?: AgentRef) => actions.delete(given)),
    ];
  }

  /** All forms; the same object each time. */
  load(): Promise<AgentForms> {
    const show = (agent: AgentRef, row?: JsonObject): void => {
      void this.pages.load().then((pages) => pages.open(agent, row));
    };
    this.#forms ??= import("./agentForms.ts").then(
      ({ AgentForms }) => new AgentForms({ ...this.#options, pages: { open: show } }),
    );
    return this.#forms;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
