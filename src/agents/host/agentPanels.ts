// All open pages of agents, one for each agent, and their return after a reload. Imported with the first one.
import * as v from "valibot";
import type * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ServerChanges } from "../../connections/connection.ts";
import { panels } from "../../ids.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { Panels, type PanelRestorer, type PostToPage } from "../../shared/host/panels.ts";
import {
  agentPageState,
  fromAgentPage,
  type FromAgentPage,
  type ToAgentPage,
} from "../agentPageMessages.ts";
import { AgentPanel, type AgentPanelOptions } from "./agentPanel.ts";

export interface AgentPanelsOptions extends AgentPanelOptions {
  extensionUri: vscode.Uri;
  changes: ServerChanges;
}

export class AgentPanels implements PanelRestorer {
  readonly #options: AgentPanelsOptions;
  readonly #panels: Panels<FromAgentPage, ToAgentPage, AgentPanel>;

  constructor(options: AgentPanelsOptions) {
    this.#options = options;
    this.#panels = new Panels({
      viewType: panels.agent,
      extensionUri: options.extensionUri,
      page: "agent",
      icon: "agent",
      incoming: fromAgentPage,
      restore: (state, post) => Promise.resolve(this.#contentOf(state, post)),
      log: (text) => options.log.info(text),
    });
    options.changes.onDidLearn((change) => {
      for (const panel of this.contents) panel.learn(change);
    });
  }

  /** The pages that are open, the oldest first. */
  get contents(): AgentPanel[] {
    return this.#panels.contents;
  }

  /** Shows an agent's page; `row` is the agent as the server has just given it, without keys. */
  open({ connectionId, project, name }: AgentRef, row?: JsonObject): void {
    const agent = { connectionId, project, name };
    const open = this.#find(agent);
    if (row) open?.show(row);
    // A name can be used again: the open page may say that the agent is gone.
    else if (open?.isGone) void open.reload();
    this.#panels.show(keyOf(agent), (post) => this.#panel(agent, row, post));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #find(agent: AgentRef): AgentPanel | undefined {
    const key = keyOf(agent);
    return this.contents.find((panel) => keyOf(panel.agent) === key);
  }

  #panel(agent: AgentRef, row: JsonObject | undefined, post: PostToPage<ToAgentPage>): AgentPanel {
    return new AgentPanel(agent, row, post, this.#options);
  }

  #contentOf(
    state: unknown,
    post: PostToPage<ToAgentPage>,
  ): { key: string; content: AgentPanel } | undefined {
    const saved = v.safeParse(agentPageState, state);
    if (!saved.success) return undefined;
    const { agent } = saved.output;
    return { key: keyOf(agent), content: this.#panel(agent, undefined, post) };
  }
}

function keyOf({ connectionId, project, name }: AgentRef): string {
  return JSON.stringify([connectionId, project, name]);
}
