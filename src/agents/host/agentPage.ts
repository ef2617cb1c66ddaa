import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { getAgentFields } from "../../mindsdb/agents.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ErrorAction } from "../../shared/errorExplanation.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import { isItemNotFound, ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { readAgentDetails } from "../agentDetails.ts";
import { createAgain, readDraft } from "../createAgain.ts";
import { agentCalls, type AgentContent } from "../agentPage.ts";
import type { AskAgent } from "../otherFeatures.ts";

interface AgentPageOptions extends ItemPageOptions {
  ask: AskAgent;
}

export const createAgentPages = (options: AgentPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.agent,
    page: "agent",
    icon: "agent",
    calls: agentCalls,
    create: (agent, row?: JsonObject) => new AgentPage(agent, row, options),
  });

export class AgentPage extends ItemPage<AgentContent, typeof agentCalls, JsonObject> {
  readonly handlers: Handlers<typeof agentCalls>;

  /** `row` is the agent as the server has just sent it, without keys; without it the server is asked. */
  constructor(item: AgentRef, row: JsonObject | undefined, options: AgentPageOptions) {
    super({ item, list: "agents" }, row ? { details: readAgentDetails(row) } : {}, options);
    this.handlers = {
      ...this.itemHandlers,
      ask: () => {
        if (!this.isGone) options.ask(item);
      },
      edit: async () => {
        if (!this.isGone) await executeCommand(commands.agentEdit, item);
      },
      openSettings: () =>
        executeCommand(commands.serverSettings, {
          connectionId: item.connectionId,
        }),
      copyInstruction: () =>
        vscode.env.clipboard.writeText(this.state.current.details?.instruction ?? ""),
    };
    if (!row) void this.load();
  }

  override reopen(row: JsonObject | undefined): void {
    if (row) this.show({ details: readAgentDetails(row) });
    else super.reopen(row);
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<AgentContent> {
    const { project, name } = this.item;
    return { details: readAgentDetails(await getAgentFields(client, project, name, { signal })) };
  }

  protected override createAgain(): ErrorAction {
    const { details } = this.state.current;
    return createAgain(this.item, details && readDraft(details));
  }

  protected override explainGone(error: unknown): string | undefined {
    if (!isItemNotFound(error, this.item)) return undefined;
    const { name, project } = this.item;
    return vscode.l10n.t(
      "{0} is no longer in {1}. It may have been deleted or renamed.",
      name,
      project,
    );
  }
}
