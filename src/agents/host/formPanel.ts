import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { contextKeys } from "../../ids.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { back } from "../../shared/host/quickInput.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { FormDraft } from "../../shared/host/formDraft.ts";
import type { FormHooks } from "../../shared/host/formPanels.ts";
import type { Log } from "../../shared/host/log.ts";
import { NoticeButton } from "../../shared/host/noticeButton.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import type { AgentPages, AgentTreeAccess, AskAgent } from "../agentsHost.ts";
import { emptyDraft, type AgentDraft } from "../agentDraft.ts";
import { draftInstruction } from "../draftInstruction.ts";
import {
  agentForm,
  type AgentForm,
  type CreatedAgent,
  type FormNotice,
  type ToHost,
  type ToPage,
} from "../formMessages.ts";
import type { ListField, LoadedData } from "../validation.ts";
import { DataSources } from "./dataSourceItems.ts";
import { draftTarget, editForm, newForm } from "./initialForm.ts";
import { pickData } from "./dataPicker.ts";
import { requestText } from "./requestText.ts";
import {
  explainSaveError,
  saveAgent,
  testsModelOnCreate,
  type Failure,
  type SaveRequest,
} from "./saveAgent.ts";
import { createFormTexts, createFormTitle, formatProblem, formatTexts } from "../formTexts.ts";

export interface FormOptions extends FormHooks<FormPanel> {
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

export class FormPanel implements PanelContent<ToHost, ToPage> {
  readonly #options: FormOptions;
  readonly #post: PostToPage<ToPage>;
  readonly #dataSources: DataSources;
  readonly #draft: FormDraft<AgentForm, "draft" | "hadKey">;
  #loaded: LoadedData | undefined;
  /** The draft of the newest request: responses for older drafts are dropped. */
  #loadedDraft: AgentDraft | undefined;
  #loadError: FormNotice | undefined;
  #sending: { since: number; abort: AbortController } | undefined;
  /** The new agent; the form is finished. */
  #created: CreatedAgent | undefined;
  /** The server's response to the creation. */
  #createdRow: JsonObject | undefined;
  #saveError: FormNotice | undefined;
  readonly #button = new NoticeButton();

  constructor(
    form: AgentForm,
    post: PostToPage<ToPage>,
    options: FormOptions,
    { seen, made }: InitialFormData = {},
  ) {
    this.#created = made ?? undefined;
    this.#post = post;
    this.#options = options;
    this.#loaded = seen;
    this.#dataSources = new DataSources(options.servers, form.connectionId);
    this.#draft = new FormDraft(form, {
      store: options.drafts,
      schema: agentForm,
      target: draftTarget,
      changed: ["draft", "hadKey"],
      changedSince: formatTexts.changedSince,
      onDirtyChanged: () => options.onDirtyChanged(this),
    });
    if (made) this.#draft.saved();
    else this.#draft.find();
  }

  get title(): string {
    // A new agent is edited next.
    return this.#created
      ? vscode.l10n.t("Edit {0}", this.#created.name)
      : createFormTitle(this.form);
  }

  get isDirty(): boolean {
    return this.#draft.isDirty;
  }

  get form(): AgentForm {
    return this.#draft.form;
  }

  snapshot(): ToPage[] {
    return [
      this.#createBegin(),
      ...(this.#loaded ? [{ type: "loaded", data: this.#loaded } as const] : []),
      ...(this.#loadError ? [{ type: "loadError", notice: this.#loadError } as const] : []),
      ...this.#draft.offers,
      ...(this.#saveError ? [{ type: "refused", notice: this.#saveError } as const] : []),
      ...(this.#sending ? [this.#createProgress(this.#sending)] : []),
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
        this.#draft.change({ draft: message.draft, hadKey: message.hasKey });
        break;
      case "restoreDraft":
        if (this.#draft.restore(this.title)) this.#showForm();
        this.#post(this.#draft.offer);
        break;
      case "discardDraft":
        this.#draft.discard();
        this.#post(this.#draft.offer);
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
      case "cancel":
        this.#sending?.abort.abort();
        break;
      case "copy":
        void this.#copy(message);
        break;
      case "accept":
        void this.#accept();
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
    }
  }

  /** Aborts the request and stores unsaved changes as a draft. */
  onClosed(): void {
    this.#sending?.abort.abort();
    this.#draft.close(this.title);
  }

  get #address(): string | undefined {
    return this.#options.servers.find(this.form.connectionId)?.address;
  }

  /** The created or edited agent. */
  get connectionId(): string {
    return this.form.connectionId;
  }

  get #agent(): { connectionId: string; project: string; name: string } | undefined {
    const agent = this.#created ?? this.form.before;
    if (!agent) return undefined;
    return { connectionId: this.form.connectionId, project: agent.project, name: agent.name };
  }

  #createBegin(): ToPage {
    const { connectionId } = this.form;
    return {
      type: "begin",
      form: this.form,
      connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
      texts: createFormTexts(this.form),
      locale: vscode.env.language,
    };
  }

  #createProgress({ since }: { since: number }): ToPage {
    return { type: "sending", elapsed: Date.now() - since };
  }

  async #load(draft: AgentDraft): Promise<void> {
    this.#loadedDraft = draft;
    const { seen, failure } = await this.#dataSources.load(draft, this.form.before?.name);
    if (this.#loadedDraft !== draft) return;
    this.#loaded = seen;
    this.#post({ type: "loaded", data: seen });
    this.#showLoadError(failure);
  }

  #showLoadError(failure: unknown): void {
    if (failure === undefined) {
      if (!this.#loadError) return;
      this.#loadError = undefined;
      this.#post({ type: "loadError" });
      return;
    }
    this.#options.log.error("What a server has could not be read", failure);
    const { connectionId } = this.#dataSources;
    const { message, action } = explainError(failure, { connectionId, address: this.#address });
    this.#loadError = this.#createNotice({
      field: "form",
      text: formatTexts.loadFailed(message),
      action,
    });
    this.#post({ type: "loadError", notice: this.#loadError });
  }

  /** Runs the action of the notice's button, then loads again: the action may have fixed the cause. */
  async #accept(): Promise<void> {
    if (!(await this.#button.press())) return;
    if (this.#loadError && this.#loadedDraft) await this.#load(this.#loadedDraft);
  }

  #createNotice({ field, text, action }: Failure): FormNotice {
    return { field, ...this.#button.createNotice({ message: text, action }) };
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
    if (this.#sending || this.#created) return;
    const { before, modelOf } = this.form;
    const order = { draft, apiKey, before, modelOf };
    const sending = { since: Date.now(), abort: new AbortController() };
    this.#sending = sending;
    this.#saveError = undefined;
    this.#post(this.#createProgress(sending));
    try {
      const sent = await saveAgent(this.#dataSources, order, sending.abort.signal);
      this.#sending = undefined;
      if ("isDeclined" in sent) {
        this.#showSaveError({ field: "form", text: formatTexts.declined() });
      } else if ("problem" in sent) {
        this.#showSaveError({ field: sent.problem.field, text: formatProblem(sent.problem) });
      } else if ("now" in sent) this.#showSaved(sent.now, draft.project, sent.isChanged);
      else await this.#showCreated(draft, sent.made);
    } catch (error) {
      const failure = sending.abort.signal.aborted
        ? { field: "form" as const, text: formatTexts.cancelled() }
        : await this.#explainFailure(error, order);
      this.#sending = undefined;
      this.#showSaveError(failure);
    }
  }

  async #explainFailure(error: unknown, order: SaveRequest): Promise<Failure> {
    const what = order.before ? "changed" : "made";
    this.#options.log.error(`The agent ${order.draft.name} could not be ${what}`, error);
    return explainSaveError(error, this.#dataSources, order, this.#address);
  }

  #showSaveError(failure: Failure): void {
    this.#saveError = this.#createNotice(failure);
    this.#post({ type: "refused", notice: this.#saveError });
  }

  async #showCreated({ name, project }: AgentDraft, answer: JsonObject | undefined): Promise<void> {
    this.#createdRow = answer;
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const { connectionId } = this.form;
    const isTried = await testsModelOnCreate(this.#options.servers, connectionId);
    this.#draft.saved();
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
    this.#draft.replace(form);
    this.#showForm();
  }

  #showForm(): void {
    this.#created = undefined;
    this.#createdRow = undefined;
    this.#saveError = undefined;
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
