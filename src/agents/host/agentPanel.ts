// The host behind the page of one agent: reads it, and knows when it is gone.
import * as vscode from "vscode";
import type { AgentRef } from "../../mindsdb/references.ts";
import type { ServerAccess, ServerChange } from "../../connections/connection.ts";
import { changeOfItem } from "../../connections/itemChange.ts";
import { commands } from "../../ids.ts";
import { getAgentFields } from "../../mindsdb/agents.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { explainError, runAction, type ErrorAction } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { readAgentDetails, type AgentDetails } from "../agentDetails.ts";
import type { FromAgentPage, ToAgentPage } from "../agentPageMessages.ts";
import type { AskAgent } from "../agentsHost.ts";
import { agentGoneText, agentPageTexts } from "./agentPageTexts.ts";

export interface AgentPanelOptions {
  servers: ServerAccess;
  log: Log;
  ask: AskAgent;
}

type Failure = Extract<ToAgentPage, { type: "failed" }>;

export class AgentPanel implements PanelContent<FromAgentPage, ToAgentPage> {
  readonly agent: AgentRef;
  readonly #post: PostToPage<ToAgentPage>;
  readonly #options: AgentPanelOptions;
  #details: AgentDetails | undefined;
  #failure: Failure | undefined;
  /** What the button of the notice does. */
  #action: ErrorAction | undefined;
  #reading: AbortController | undefined;

  /** `row` is the agent as the server has just given it, without keys; otherwise the server is asked. */
  constructor(
    agent: AgentRef,
    row: JsonObject | undefined,
    post: PostToPage<ToAgentPage>,
    options: AgentPanelOptions,
  ) {
    this.agent = agent;
    this.#post = post;
    this.#options = options;
    if (row) this.#details = readAgentDetails(row);
    else void this.reload();
  }

  get title(): string {
    return this.agent.name;
  }

  get isGone(): boolean {
    return this.#failure?.isGone ?? false;
  }

  snapshot(): ToAgentPage[] {
    const { connectionId } = this.agent;
    return [
      {
        type: "begin",
        agent: this.agent,
        connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
        texts: agentPageTexts(),
      },
      ...(this.#details ? [{ type: "read", details: this.#details } as const] : []),
      ...(this.#failure ? [this.#failure] : []),
      ...(this.#reading ? [{ type: "asking" } as const] : []),
    ];
  }

  receive(message: FromAgentPage): void {
    switch (message.type) {
      case "refresh":
        void this.reload();
        break;
      case "ask":
        if (!this.isGone) this.#options.ask(this.agent);
        break;
      case "edit":
        if (!this.isGone) void vscode.commands.executeCommand(commands.agentEdit, this.agent);
        break;
      case "copyInstruction":
        void vscode.env.clipboard.writeText(this.#details?.instruction ?? "");
        break;
      case "accept":
        void this.#accept();
        break;
    }
  }

  closed(): void {
    this.#reading?.abort();
  }

  /** What some part of the product has learned about the server may be about this agent. */
  learn(change: ServerChange): void {
    switch (changeOfItem(change, "agents", this.agent)) {
      case "changed":
        void this.reload();
        break;
      case "absent":
        // What this page is asking at the moment says so itself.
        if (!this.#reading && !this.isGone) void this.reload();
        break;
      case "present":
        if (!this.#reading && this.isGone) void this.reload();
        break;
      case undefined:
    }
  }

  /** Shows the agent as the server has it now. */
  async reload(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    this.#post({ type: "asking" });
    const { connectionId, project, name } = this.agent;
    try {
      const client = await this.#options.servers.client(connectionId);
      const row = await getAgentFields(client, project, name, { signal });
      signal.throwIfAborted();
      this.show(row);
    } catch (error) {
      if (signal.aborted) return;
      this.#reading = undefined;
      this.#fail(error);
    }
  }

  /** Says that the agent is not on the server any more, and offers nothing to do with it. */
  #showGone(): void {
    this.#action = undefined;
    const { name, project } = this.agent;
    this.#failed({ text: agentGoneText(name, project) }, true);
  }

  /** Shows the agent as the server has just given it, without keys. */
  show(row: JsonObject): void {
    this.#reading?.abort();
    this.#reading = undefined;
    this.#failure = undefined;
    this.#details = readAgentDetails(row);
    this.#post({ type: "read", details: this.#details });
  }

  #fail(error: unknown): void {
    const { connectionId, name, project } = this.agent;
    this.#options.log.error(`The agent ${name} could not be read`, error);
    if (isGone(error, name, project)) {
      this.#showGone();
      return;
    }
    const address = this.#options.servers.find(connectionId)?.address;
    const { message: text, action } = explainError(error, { connectionId, address });
    this.#action = action;
    this.#failed({ text, ...(action ? { action: action.title } : {}) }, false);
  }

  #failed(notice: Failure["notice"], isGone: boolean): void {
    this.#failure = { type: "failed", notice, isGone };
    this.#post(this.#failure);
  }

  /** What the notice's button does may be what was missing. */
  async #accept(): Promise<void> {
    if (!this.#action) return;
    await runAction(this.#action);
    await this.reload();
  }
}

/** True for a 404 that is about this agent or its project; another one only says that the server has no such address. */
function isGone(error: unknown, name: string, project: string): boolean {
  if (!isAppError(error, "notFound")) return false;
  const { message } = error;
  return message.includes(name) || message.includes(project);
}
