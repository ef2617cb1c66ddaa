// All open agent forms. Imported with the first one.
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type * as vscode from "vscode";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { panels } from "../../ids.ts";
import { DraftStore } from "../../shared/host/draftStore.ts";
import {
  Panels,
  type PanelRestorer,
  type PostToPage,
  type RestoredPanel,
} from "../../shared/host/panels.ts";
import {
  createDraft,
  emptyDraft,
  findFreeName,
  toPlainName,
  type AgentDraft,
} from "../agentDraft.ts";
import { pageState, toHost, type AgentForm, type ToHost, type ToPage } from "../formMessages.ts";
import type { LoadedData } from "../validation.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { DataSources } from "./dataSourceItems.ts";
import { FormPanel, type InitialFormData, type FormOptions } from "./formPanel.ts";
import { editForm, newForm, panelKey } from "./initialForm.ts";

/** How long a form waits for server data before it opens without, in ms. */
const maxLoadMs = 1_500;

export interface AgentFormsOptions extends Omit<
  FormOptions,
  "onFormReplaced" | "onDirtyChanged" | "drafts"
> {
  extensionUri: vscode.Uri;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
}

export class AgentForms implements PanelRestorer {
  readonly #options: AgentFormsOptions;
  readonly #panels: Panels<ToHost, ToPage, FormPanel>;
  readonly #drafts: DraftStore;

  constructor(options: AgentFormsOptions) {
    this.#options = options;
    this.#drafts = new DraftStore(options.draftsFolder, (error) =>
      options.log.error("A draft could not be kept", error),
    );
    this.#panels = new Panels({
      viewType: panels.agentForm,
      extensionUri: options.extensionUri,
      page: "agentForm",
      icon: "agent",
      incoming: toHost,
      restore: (state) => this.#restoreForm(state),
      log: options.log,
    });
  }

  /** The forms that are open, the oldest first. */
  get contents(): FormPanel[] {
    return this.#panels.contents;
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
    this.#show(isTyped ? { ...form, initial: emptyDraft(project) } : form, seen);
  }

  /** Opens the form of an agent. Throws AppError. */
  async edit({ connectionId, project, name }: AgentRef): Promise<void> {
    const form = editForm(
      connectionId,
      await this.#readAgent(connectionId, project, name),
      project,
    );
    this.#show(form, await this.#loadData(connectionId, form.draft, name));
  }

  /** Opens a form for a copy of an agent, whose key is copied unless another one is typed. Throws AppError. */
  async duplicate({ connectionId, project, name }: AgentRef): Promise<void> {
    const agent = await this.#readAgent(connectionId, project, name);
    const draft = createDraft(agent, project);
    const seen = await this.#loadData(connectionId, draft);
    draft.name = findFreeName(`${toPlainName(name) || "agent"}_copy`, seen?.agents ?? []);
    this.#show(newForm(connectionId, draft, agent), seen);
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #show(form: AgentForm, seen: LoadedData | undefined): void {
    this.#panels.show(panelKey(form), (post) => this.#createPanel(form, post, { seen }));
  }

  #restoreForm(state: unknown): RestoredPanel<ToPage, FormPanel> | undefined {
    const saved = v.safeParse(pageState, state);
    if (!saved.success) return undefined;
    const { form, made } = saved.output;
    return { key: panelKey(form), create: (post) => this.#createPanel(form, post, { made }) };
  }

  #createPanel(form: AgentForm, post: PostToPage<ToPage>, known: InitialFormData): FormPanel {
    const options: FormOptions = {
      ...this.#options,
      drafts: this.#drafts,
      onFormReplaced: (panel) => this.#panels.rename(panel, panelKey(panel.form)),
      onDirtyChanged: (panel) => this.#panels.updateTitle(panel),
    };
    return new FormPanel(form, post, options, known);
  }

  #readAgent(connectionId: string, project: string, name: string): Promise<StoredAgent> {
    return new DataSources(this.#options.servers, connectionId).readAgent(project, name);
  }

  /** Returns the server's data; undefined if that takes too long or fails: the form asks again and shows the error. */
  async #loadData(
    connectionId: string,
    draft: AgentDraft,
    except?: string,
  ): Promise<LoadedData | undefined> {
    const look = new DataSources(this.#options.servers, connectionId).load(draft, except);
    const late = sleep(maxLoadMs, undefined);
    const answer = await Promise.race([look, late]);
    return answer?.failure === undefined ? answer?.seen : undefined;
  }
}
