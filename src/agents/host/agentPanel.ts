import * as v from "valibot";
import * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";
import { commands, panels } from "../../ids.ts";
import { getAgentFields } from "../../mindsdb/agents.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { isItemNotFound } from "../../shared/host/itemLoader.ts";
import { ItemPanels } from "../../shared/host/itemPanels.ts";
import { LoadedItemPanel, type ItemPageOptions } from "../../shared/host/loadedItemPanel.ts";
import type { PostToPage } from "../../shared/host/panels.ts";
import { readAgentDetails, type AgentDetails } from "../agentDetails.ts";
import {
  agentPageState,
  fromAgentPage,
  type FromAgentPage,
  type ToAgentPage,
} from "../agentPageMessages.ts";
import type { AskAgent } from "../otherFeatures.ts";
import { formatAgentGone, createAgentPageTexts } from "../agentPageTexts.ts";

interface AgentPanelOptions extends ItemPageOptions {
  ask: AskAgent;
}

const savedState = v.pipe(
  agentPageState,
  v.transform(({ agent }) => ({ item: agent })),
);

/** All open pages of agents. A page can be opened with the agent as the server has just sent it, without keys. */
export function createAgentPanels(
  options: AgentPanelOptions,
): ItemPanels<FromAgentPage, ToAgentPage, JsonObject, AgentPanel> {
  return new ItemPanels({
    ...options,
    viewType: panels.agent,
    page: "agent",
    icon: "agent",
    incoming: fromAgentPage,
    pageState: savedState,
    create: (agent, row, post) => new AgentPanel(agent, row, post, options),
  });
}

export class AgentPanel extends LoadedItemPanel<FromAgentPage, ToAgentPage, JsonObject> {
  readonly #options: AgentPanelOptions;
  #details: AgentDetails | undefined;

  /** `row` is the agent as the server has just sent it, without keys; without it the server is asked. */
  constructor(
    agent: AgentRef,
    row: JsonObject | undefined,
    post: PostToPage<ToAgentPage>,
    options: AgentPanelOptions,
  ) {
    super(agent, "agents", post, options);
    this.#options = options;
    if (row) this.#details = readAgentDetails(row);
    else void this.loader.load();
  }

  snapshot(): ToAgentPage[] {
    return [
      {
        type: "begin",
        agent: this.item,
        connection: this.loader.connectionName,
        texts: createAgentPageTexts(),
      },
      ...(this.#details ? [{ type: "read", details: this.#details } as const] : []),
      ...this.loader.messages,
    ];
  }

  receive(message: FromAgentPage): void {
    switch (message.type) {
      case "refresh":
        void this.loader.load();
        break;
      case "ask":
        if (!this.isGone) this.#options.ask(this.item);
        break;
      case "edit":
        if (!this.isGone) void vscode.commands.executeCommand(commands.agentEdit, this.item);
        break;
      case "copyInstruction":
        void vscode.env.clipboard.writeText(this.#details?.instruction ?? "");
        break;
      case "accept":
        void this.loader.pressButton();
        break;
    }
  }

  override reopen(row: JsonObject | undefined): void {
    if (!row) {
      super.reopen(row);
      return;
    }
    this.loader.cancel();
    this.#show(row);
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<void> {
    const { project, name } = this.item;
    const row = await getAgentFields(client, project, name, { signal });
    signal.throwIfAborted();
    this.#show(row);
  }

  protected override explainGone(error: unknown): string | undefined {
    const { name, project } = this.item;
    return isItemNotFound(error, this.item) ? formatAgentGone(name, project) : undefined;
  }

  #show(row: JsonObject): void {
    this.loader.succeed();
    this.#details = readAgentDetails(row);
    this.post({ type: "read", details: this.#details });
  }
}
