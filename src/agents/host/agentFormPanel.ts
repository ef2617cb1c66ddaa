import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { contextKeys } from "../../ids.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { back } from "../../shared/host/quickInput.ts";
import { attempt } from "../../shared/host/attempt.ts";
import type { FormHooks } from "../../shared/host/formPanels.ts";
import { FormState } from "../../shared/host/formState.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import type { AgentPages, AgentTreeAccess, AskAgent } from "../otherFeatures.ts";
import { emptyDraft, type AgentDraft } from "../agentDraft.ts";
import { draftInstruction } from "../draftInstruction.ts";
import {
  agentForm,
  type AgentForm,
  type CreatedAgent,
  type ToHost,
  type ToPage,
} from "../formMessages.ts";
import type { Field, ListField, LoadedData } from "../validation.ts";
import { DataSources } from "./dataSources.ts";
import { draftTarget, editForm, newForm } from "./initialForm.ts";
import { pickData } from "./dataPicker.ts";
import { requestText } from "./requestText.ts";
import { explainSaveError, saveAgent, testsModelOnCreate } from "./saveAgent.ts";
import { createFormTexts, createFormTitle, formatProblem, formatTexts } from "../formTexts.ts";

export interface AgentFormOptions extends FormHooks<AgentFormPanel> {
  servers: ServerAccess;
  log: Log;
  tree: AgentTreeAccess;
  ask: AskAgent;
  pages: AgentPages;
}

/** Data that is known when a form opens. */
export interface InitialFormData {
  /** The server's data. */
  seen?: LoadedData | undefined;
  /** The agent that the form created before a reload. */
  made?: CreatedAgent | null | undefined;
}

export class AgentFormPanel implements PanelContent<ToHost, ToPage> {
  readonly #options: AgentFormOptions;
  readonly #post: PostToPage<ToPage>;
  readonly #dataSources: DataSources;
  readonly #state: FormState<AgentForm, "draft" | "hadKey", Field>;
  #loaded: LoadedData | undefined;
  /** The draft of the newest request: responses for older drafts are dropped. */
  #loadedDraft: AgentDraft | undefined;
  /** The new agent; the form is finished. */
  #created: CreatedAgent | undefined;
  /** The server's response to the creation. */
  #createdRow: JsonObject | undefined;

  constructor(
    form: AgentForm,
    post: PostToPage<ToPage>,
    options: AgentFormOptions,
    { seen, made }: InitialFormData = {},
  ) {
    this.#created = made ?? undefined;
    this.#post = post;
    this.#options = options;
    this.#loaded = seen;
    this.#dataSources = new DataSources(options.servers, form.connectionId);
    this.#state = new FormState(form, {
      servers: options.servers,
      store: options.drafts,
      schema: agentForm,
      target: draftTarget,
      changed: ["draft", "hadKey"],
      changedSince: formatTexts.changedSince,
      post,
      title: () => this.title,
      onDirtyChanged: () => options.onDirtyChanged(this),
      onRestored: () => this.#showForm(),
      onNoticeAccepted: () => {
        if (this.#state.hasLoadError && this.#loadedDraft) void this.#load(this.#loadedDraft);
      },
    });
    if (made) this.#state.draft.saved();
    else this.#state.draft.find();
  }

  get title(): string {
    // A new agent is edited next.
    return this.#created
      ? vscode.l10n.t("Edit {0}", this.#created.name)
      : createFormTitle(this.form);
  }

  get isDirty(): boolean {
    return this.#state.draft.isDirty;
  }

  get form(): AgentForm {
    return this.#state.draft.form;
  }

  snapshot(): ToPage[] {
    return [
      this.#createBegin(),
      ...(this.#loaded ? [{ type: "loaded", data: this.#loaded } as const] : []),
      ...this.#state.messages,
      ...(this.#created ? [{ type: "created", agent: this.#created } as const] : []),
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "look":
        void this.#load(message.draft);
        break;
      case "changed":
        if (this.#created) break;
        this.#state.draft.change({ draft: message.draft, hadKey: message.hasKey });
        break;
      case "pick":
        void this.#pick(message.field, message.chosen);
        break;
      case "describe":
        void this.#describe(message.draft);
        break;
      case "send":
        void this.#send(message.draft, message.apiKey);
        break;
      case "copy":
        void this.#copy(message);
        break;
      case "ask":
        if (this.#agent) this.#options.ask(this.#agent);
        break;
      case "show":
        if (this.#agent) this.#options.pages.open(this.#agent, this.#createdRow);
        break;
      case "edit":
        void this.#edit();
        break;
      case "another":
        this.#replaceForm(newForm(this.form.connectionId, this.#nextDraft()));
        break;
      case "restoreDraft":
      case "discardDraft":
      case "cancel":
      case "accept":
        this.#state.receive(message);
        break;
    }
  }

  /** Aborts the request and stores unsaved changes as a draft. */
  onClosed(): void {
    this.#state.cancel();
    this.#state.close();
  }

  get connectionId(): string {
    return this.form.connectionId;
  }

  /** The created or edited agent. */
  get #agent(): { connectionId: string; project: string; name: string } | undefined {
    const agent = this.#created ?? this.form.before;
    if (!agent) return undefined;
    return { connectionId: this.form.connectionId, project: agent.project, name: agent.name };
  }

  #createBegin(): ToPage {
    return {
      type: "begin",
      form: this.form,
      connection: this.#state.connectionName,
      texts: createFormTexts(this.form),
      locale: vscode.env.language,
    };
  }

  async #load(draft: AgentDraft): Promise<void> {
    this.#loadedDraft = draft;
    const { seen, failure } = await this.#dataSources.load(draft, this.form.before?.name);
    if (this.#loadedDraft !== draft) return;
    this.#loaded = seen;
    this.#post({ type: "loaded", data: seen });
    this.#showLoadError(failure);
  }

  #showLoadError(error: unknown): void {
    if (error !== undefined) this.#options.log.error("What a server has could not be read", error);
    const failure = error === undefined ? undefined : this.#state.explain(error, "form");
    this.#state.showLoadError(
      failure && { ...failure, text: formatTexts.loadFailed(failure.text) },
    );
  }

  async #pick(field: ListField, chosen: string[]): Promise<void> {
    const catalogue = this.#dataSources;
    const isTables = field === "tables";
    try {
      const picked = await pickData({
        title: isTables ? vscode.l10n.t("Tables") : vscode.l10n.t("Knowledge Bases"),
        placeholder: isTables
          ? vscode.l10n.t("Select what the agent can query, or type a pattern: files.sales_*")
          : vscode.l10n.t("Select what the agent can search"),
        sources: { [field]: isTables ? catalogue.listTables() : catalogue.listKnowledgeBases() },
        chosen: { tables: [], knowledgeBases: [], [field]: chosen },
      });
      if (picked && picked !== back) this.#post({ type: "picked", field, entries: picked[field] });
    } catch (error) {
      this.#showLoadError(error);
    }
  }

  async #describe(draft: AgentDraft): Promise<void> {
    try {
      const data = await this.#dataSources.describe(draft);
      this.#post({ type: "described", instruction: draftInstruction(data) });
    } catch (error) {
      this.#showLoadError(error);
      this.#post({ type: "described", instruction: "" });
    }
  }

  async #send(draft: AgentDraft, apiKey: string): Promise<void> {
    if (this.#created) return;
    const { before, modelOf } = this.form;
    const order = { draft, apiKey, before, modelOf };
    await this.#state.send({
      request: (signal) => saveAgent(this.#dataSources, order, signal),
      show: async (sent) => {
        if ("isDeclined" in sent) return { field: "form", text: formatTexts.declined() };
        if ("problem" in sent) {
          return { field: sent.problem.field, text: formatProblem(sent.problem) };
        }
        if ("now" in sent) this.#showSaved(sent.now, draft.project, sent.isChanged);
        else await this.#showCreated(draft, sent.made);
        return undefined;
      },
      explain: (error, isCancelled) => {
        if (isCancelled) return { field: "form", text: formatTexts.cancelled() };
        const what = before ? "changed" : "made";
        this.#options.log.error(`The agent ${draft.name} could not be ${what}`, error);
        const { address } = this.#options.servers.find(this.connectionId) ?? {};
        return explainSaveError(error, this.#dataSources, order, address);
      },
    });
  }

  async #showCreated({ name, project }: AgentDraft, answer: JsonObject | undefined): Promise<void> {
    this.#createdRow = answer;
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const { connectionId } = this.form;
    const isTried = await testsModelOnCreate(this.#options.servers, connectionId);
    this.#state.draft.saved();
    this.#created = {
      name,
      project,
      note: isTried ? formatTexts.tried() : formatTexts.triedLater(),
    };
    this.#options.onFormReplaced(this);
    this.#post({ type: "created", agent: this.#created });
    await this.#options.tree.revealAgent({ connectionId, project, name });
  }

  #showSaved(agent: StoredAgent, project: string, isChanged: boolean): void {
    const { connectionId, before } = this.form;
    const { name } = agent;
    this.#replaceForm(editForm(connectionId, agent, project));
    this.#post({ type: "status", text: isChanged ? formatTexts.saved() : formatTexts.unchanged() });
    if (!isChanged) return;
    if (name !== before?.name) void this.#options.tree.revealAgent({ connectionId, project, name });
  }

  /** Replaces the new agent's view by its form. */
  async #edit(): Promise<void> {
    const agent = this.#agent;
    if (!agent) return;
    const { connectionId, project, name } = agent;
    // The page has no form that could show an error.
    await attempt(this.#options, `Reading the agent ${name}`, connectionId, async () => {
      const stored = await this.#dataSources.readAgent(project, name);
      this.#replaceForm(editForm(connectionId, stored, project));
    });
  }

  /** Returns an empty draft with the model of the last agent. */
  #nextDraft(): AgentDraft {
    const { project, model } = this.form.draft;
    return { ...emptyDraft(project), model };
  }

  #replaceForm(form: AgentForm): void {
    this.#state.draft.replace(form);
    this.#showForm();
  }

  #showForm(): void {
    this.#created = undefined;
    this.#createdRow = undefined;
    this.#state.clearRefusal();
    this.#options.onFormReplaced(this);
    this.#post(this.#createBegin());
    if (this.#loaded) this.#post({ type: "loaded", data: this.#loaded });
  }

  async #copy(message: Extract<ToHost, { type: "copy" }>): Promise<void> {
    const text = await requestText(message, this.form, this.#dataSources, this.#options.servers);
    if (text !== undefined) await vscode.env.clipboard.writeText(text);
    this.#post({
      type: "status",
      text: text === undefined ? formatTexts.noStatement() : formatTexts.copied(),
    });
  }
}
