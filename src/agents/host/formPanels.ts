// All open agent forms: opens them, and brings them back after a reload. Imported with the first one.
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
import { draftOf, emptyDraft, freeName, plainName, type AgentDraft } from "../agentDraft.ts";
import { pageState, toHost, type AgentForm, type ToHost, type ToPage } from "../formMessages.ts";
import type { LoadedData } from "../validation.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { DataSources } from "./dataSourceItems.ts";
import { FormPanel, type FormKnowledge, type FormOptions } from "./formPanel.ts";
import { editForm, newForm, panelKey } from "./initialForm.ts";

/** How long a form waits for what the server has, before it opens without. */
const patienceMs = 1_500;

export interface AgentFormsOptions extends Omit<FormOptions, "turned" | "dirtyChanged" | "drafts"> {
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
   * Opens a form for a new agent in this project, with what is chosen already; `isTyped`: the user has written that
   * elsewhere, so that it counts as unsaved.
   */
  async create(
    { connectionId, project }: { connectionId: string; project: string },
    chosen: Partial<AgentDraft> = {},
    { isTyped = false } = {},
  ): Promise<void> {
    const draft = { ...emptyDraft(project), ...chosen };
    const seen = await this.#look(connectionId, draft);
    // A model of its own is what remains where the server has no default.
    if (seen?.defaultModel === "") draft.model = { ...draft.model, own: true };
    const form = newForm(connectionId, draft);
    this.#show(isTyped ? { ...form, initial: emptyDraft(project) } : form, seen);
  }

  /** Opens the form of an agent. Throws AppError. */
  async edit({ connectionId, project, name }: AgentRef): Promise<void> {
    const form = editForm(connectionId, await this.#load(connectionId, project, name), project);
    this.#show(form, await this.#look(connectionId, form.draft, name));
  }

  /** Opens a form for a new agent like this one; its key goes along unless another one is typed. Throws AppError. */
  async duplicate({ connectionId, project, name }: AgentRef): Promise<void> {
    const agent = await this.#load(connectionId, project, name);
    const draft = draftOf(agent, project);
    const seen = await this.#look(connectionId, draft);
    draft.name = freeName(`${plainName(name) || "agent"}_copy`, seen?.agents ?? []);
    this.#show(newForm(connectionId, draft, agent), seen);
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #show(form: AgentForm, seen: LoadedData | undefined): void {
    this.#panels.show(panelKey(form), (post) => this.#panel(form, post, { seen }));
  }

  #restoreForm(state: unknown): RestoredPanel<ToPage, FormPanel> | undefined {
    const saved = v.safeParse(pageState, state);
    if (!saved.success) return undefined;
    const { form, made } = saved.output;
    return { key: panelKey(form), create: (post) => this.#panel(form, post, { made }) };
  }

  #panel(form: AgentForm, post: PostToPage<ToPage>, known: FormKnowledge): FormPanel {
    const options: FormOptions = {
      ...this.#options,
      drafts: this.#drafts,
      turned: (panel) => this.#panels.rename(panel, panelKey(panel.form)),
      dirtyChanged: (panel) => this.#panels.retitle(panel),
    };
    return new FormPanel(form, post, options, known);
  }

  #load(connectionId: string, project: string, name: string): Promise<StoredAgent> {
    return new DataSources(this.#options.servers, connectionId).agent(project, name);
  }

  /** What the server has; undefined if it takes its time or cannot be asked: the form asks again and says so. */
  async #look(
    connectionId: string,
    draft: AgentDraft,
    except?: string,
  ): Promise<LoadedData | undefined> {
    const look = new DataSources(this.#options.servers, connectionId).look(draft, except);
    const late = sleep(patienceMs, undefined);
    const answer = await Promise.race([look, late]);
    return answer?.failure === undefined ? answer?.seen : undefined;
  }
}
