// All open agent forms. Imported with the first one.
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { panels } from "../../ids.ts";
import { FormPanels, type FormHooks } from "../../shared/host/formPanels.ts";
import { createDraft, emptyDraft, findFreeName, type AgentDraft } from "../agentDraft.ts";
import { toPlainName } from "../../mindsdb/sql/plainName.ts";
import { pageState, toHost, type AgentForm, type ToHost, type ToPage } from "../formMessages.ts";
import type { LoadedData } from "../validation.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { DataSources } from "./dataSources.ts";
import { AgentFormPanel, type InitialFormData, type AgentFormOptions } from "./agentFormPanel.ts";
import { editForm, newForm, panelKey } from "./initialForm.ts";

/** How long a form waits for server data before it opens without, in ms. */
const maxLoadMs = 1_500;

export interface AgentFormsOptions extends Omit<AgentFormOptions, keyof FormHooks<AgentFormPanel>> {
  extensionUri: vscode.Uri;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
}

const savedState = v.pipe(
  pageState,
  v.transform(({ form, made }) => ({ form, known: { made } })),
);

export class AgentForms extends FormPanels<
  ToHost,
  ToPage,
  AgentForm,
  InitialFormData,
  AgentFormPanel
> {
  readonly #servers: ServerAccess;

  constructor(options: AgentFormsOptions) {
    super({
      ...options,
      viewType: panels.agentForm,
      page: "agentForm",
      icon: "agent",
      incoming: toHost,
      pageState: savedState,
      keyOf: panelKey,
      create: (form, post, hooks, known) =>
        new AgentFormPanel(form, post, { ...options, ...hooks }, known),
    });
    this.#servers = options.servers;
  }

  /**
   * Opens a form for a new agent in this project; `chosen` fills in fields. With `isTyped` the user typed them elsewhere,
   * so they count as unsaved.
   */
  async create(
    { connectionId, project }: { connectionId: string; project: string },
    chosen: Partial<AgentDraft> = {},
    { isTyped = false } = {},
  ): Promise<void> {
    const draft = { ...emptyDraft(project), ...chosen };
    const seen = await this.#loadData(connectionId, draft);
    // Without a default model on the server, only a custom model is possible.
    if (seen?.defaultModel === "") draft.model = { ...draft.model, own: true };
    const form = newForm(connectionId, draft);
    this.show(isTyped ? { ...form, initial: emptyDraft(project) } : form, { seen });
  }

  /** Opens the form of an agent. Throws AppError. */
  async edit({ connectionId, project, name }: AgentRef): Promise<void> {
    const form = editForm(
      connectionId,
      await this.#readAgent(connectionId, project, name),
      project,
    );
    this.show(form, { seen: await this.#loadData(connectionId, form.draft, name) });
  }

  /** Opens a form for a copy of an agent, whose key is copied unless another one is typed. Throws AppError. */
  async duplicate({ connectionId, project, name }: AgentRef): Promise<void> {
    const agent = await this.#readAgent(connectionId, project, name);
    const draft = createDraft(agent, project);
    const seen = await this.#loadData(connectionId, draft);
    const taken = seen?.items?.map((item) => item.name) ?? [];
    draft.name = findFreeName(`${toPlainName(name, "agent") || "agent"}_copy`, taken);
    this.show(newForm(connectionId, draft, agent), { seen });
  }

  #readAgent(connectionId: string, project: string, name: string): Promise<StoredAgent> {
    return new DataSources(this.#servers, connectionId).readAgent(project, name);
  }

  /** Returns the server's data; undefined if that takes too long or fails: the form asks again and shows the error. */
  async #loadData(
    connectionId: string,
    draft: AgentDraft,
    except?: string,
  ): Promise<LoadedData | undefined> {
    const look = new DataSources(this.#servers, connectionId).load(draft, except);
    const late = sleep(maxLoadMs, undefined);
    const answer = await Promise.race([look, late]);
    return answer?.failure === undefined ? answer?.seen : undefined;
  }
}
