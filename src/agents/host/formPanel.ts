// The host behind one agent form: answers what its page asks for, and sends what the user has written.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { contextKeys } from "../../ids.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { back } from "../../shared/host/quickInput.ts";
import type { DraftStore } from "../../shared/host/draftStore.ts";
import { explainError, showError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { NoticeButton } from "../../shared/host/noticeButton.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import type { AgentPages, AgentTreeAccess, AskAgent } from "../agentsHost.ts";
import { emptyDraft, type AgentDraft } from "../agentDraft.ts";
import { draftInstruction } from "../draftInstruction.ts";
import type {
  AgentForm,
  ListField,
  CreatedAgent,
  FormNotice,
  ToHost,
  ToPage,
} from "../formMessages.ts";
import type { LoadedData } from "../validation.ts";
import { AgentFormDraft } from "./agentFormDraft.ts";
import { DataSources } from "./dataSourceItems.ts";
import { editForm, newForm } from "./initialForm.ts";
import { pickData } from "./dataPicker.ts";
import { requestText } from "./requestText.ts";
import {
  failureOf,
  saveAgent,
  testsModelFirst,
  type Failure,
  type SaveRequest,
} from "./saveAgent.ts";
import { formTexts, formTitle, problemSentence, formatTexts } from "./formTexts.ts";

export interface FormOptions {
  servers: ServerAccess;
  log: Log;
  tree: AgentTreeAccess;
  ask: AskAgent;
  pages: AgentPages;
  drafts: DraftStore;
  /** The form is about something else now. */
  turned: (panel: FormPanel) => void;
  /** The form has unsaved changes now, or has none any more. */
  dirtyChanged: (panel: FormPanel) => void;
}

/** What is known when a form begins. */
export interface FormKnowledge {
  /** What the server has. */
  seen?: LoadedData | undefined;
  /** The agent that the form had made before a reload. */
  made?: CreatedAgent | null | undefined;
}

export class FormPanel implements PanelContent<ToHost, ToPage> {
  readonly #options: FormOptions;
  readonly #post: PostToPage<ToPage>;
  readonly #catalogue: DataSources;
  #form: AgentForm;
  #seen: LoadedData | undefined;
  /** What the page has asked about last: an answer about an older draft says nothing any more. */
  #looked: AgentDraft | undefined;
  #unseen: FormNotice | undefined;
  #sending: { since: number; abort: AbortController } | undefined;
  /** The agent that was made; the form has done its work. */
  #created: CreatedAgent | undefined;
  /** What the server answered when it made the agent. */
  #answer: JsonObject | undefined;
  #refused: FormNotice | undefined;
  readonly #button = new NoticeButton();
  #draft: AgentFormDraft;

  constructor(
    form: AgentForm,
    post: PostToPage<ToPage>,
    options: FormOptions,
    { seen, made }: FormKnowledge = {},
  ) {
    this.#form = form;
    this.#created = made ?? undefined;
    this.#post = post;
    this.#options = options;
    this.#seen = seen;
    this.#catalogue = new DataSources(options.servers, form.connectionId);
    this.#draft = new AgentFormDraft(form, options.drafts);
    if (made) this.#draft.saved();
    else this.#draft.find();
  }

  get title(): string {
    // An agent that was made is edited next.
    return this.#created ? vscode.l10n.t("Edit {0}", this.#created.name) : formTitle(this.#form);
  }

  get isDirty(): boolean {
    return this.#draft.isDirty;
  }

  get form(): AgentForm {
    return this.#form;
  }

  snapshot(): ToPage[] {
    return [
      this.#begin(),
      ...(this.#seen ? [{ type: "seen", seen: this.#seen } as const] : []),
      ...(this.#unseen ? [{ type: "unseen", notice: this.#unseen } as const] : []),
      ...(this.#draft.offer.text === undefined ? [] : [this.#draft.offer]),
      ...(this.#refused ? [{ type: "refused", notice: this.#refused } as const] : []),
      ...(this.#sending ? [this.#progress(this.#sending)] : []),
      ...(this.#created ? [{ type: "created", agent: this.#created } as const] : []),
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "look":
        void this.#look(message.draft);
        break;
      case "changed":
        this.#changed(message.draft, message.hasKey);
        break;
      case "restoreDraft":
        this.#restoreDraft();
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
        if (this.#agent) this.#options.pages.open(this.#agent, this.#answer);
        break;
      case "edit":
        void this.#edit();
        break;
      case "another":
        this.#turn(newForm(this.#form.connectionId, this.#nextDraft()));
        break;
    }
  }

  /** The user has closed the panel: the request is no longer needed, and unsaved changes are kept as a draft. */
  closed(): void {
    this.#sending?.abort.abort();
    this.#draft.close(this.title);
  }

  get #address(): string | undefined {
    return this.#options.servers.find(this.#form.connectionId)?.address;
  }

  /** The agent that exists, made or edited. */
  get #agent(): { connectionId: string; project: string; name: string } | undefined {
    const agent = this.#created ?? this.#form.before;
    if (!agent) return undefined;
    return { connectionId: this.#form.connectionId, project: agent.project, name: agent.name };
  }

  #begin(): ToPage {
    const { connectionId } = this.#form;
    return {
      type: "begin",
      form: this.#form,
      connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
      texts: formTexts(this.#form),
      locale: vscode.env.language,
    };
  }

  #progress({ since }: { since: number }): ToPage {
    return { type: "sending", elapsed: Date.now() - since };
  }

  #changed(draft: AgentDraft, hasKey: boolean): void {
    if (this.#created) return;
    const wasDirty = this.isDirty;
    this.#draft.change(draft, hasKey);
    if (this.isDirty !== wasDirty) this.#options.dirtyChanged(this);
  }

  /** The page goes on with the offered draft; what was written instead of it becomes a draft in its place. */
  #restoreDraft(): void {
    const restored = this.#draft.restore();
    const wasDirty = this.isDirty;
    if (restored) {
      this.#draft.close(this.title);
      this.#turn(restored);
    }
    if (!restored || wasDirty) this.#offerDraft();
  }

  #offerDraft(): void {
    this.#draft.find();
    this.#post(this.#draft.offer);
  }

  async #look(draft: AgentDraft): Promise<void> {
    this.#looked = draft;
    const { seen, failure } = await this.#catalogue.look(draft, this.#form.before?.name);
    if (this.#looked !== draft) return;
    this.#seen = seen;
    this.#post({ type: "seen", seen });
    this.#tellUnseen(failure);
  }

  #tellUnseen(failure: unknown): void {
    if (failure === undefined) {
      if (!this.#unseen) return;
      this.#unseen = undefined;
      this.#post({ type: "unseen" });
      return;
    }
    this.#options.log.error("What a server has could not be read", failure);
    const { connectionId } = this.#catalogue;
    const { message, action } = explainError(failure, { connectionId, address: this.#address });
    this.#unseen = this.#notice({ field: "form", text: formatTexts.unseen(message), action });
    this.#post({ type: "unseen", notice: this.#unseen });
  }

  /** What a notice's button does may be what was missing. */
  async #accept(): Promise<void> {
    if (!(await this.#button.press())) return;
    if (this.#unseen && this.#looked) await this.#look(this.#looked);
  }

  #notice({ field, text, action }: Failure): FormNotice {
    return { field, ...this.#button.createNotice({ message: text, action }) };
  }

  async #pick(field: ListField, chosen: string[]): Promise<void> {
    const catalogue = this.#catalogue;
    const isTables = field === "tables";
    try {
      const picked = await pickData({
        title: isTables ? vscode.l10n.t("Tables") : vscode.l10n.t("Knowledge Bases"),
        placeholder: isTables
          ? vscode.l10n.t("What may the agent query? A pattern can be typed: files.sales_*")
          : vscode.l10n.t("What may the agent search?"),
        shelves: { [field]: isTables ? catalogue.tables() : catalogue.knowledgeBases() },
        chosen: { tables: [], knowledgeBases: [], [field]: chosen },
      });
      if (picked && picked !== back) this.#post({ type: "picked", field, entries: picked[field] });
    } catch (error) {
      this.#tellUnseen(error);
    }
  }

  async #describe(draft: AgentDraft): Promise<void> {
    try {
      const data = await this.#catalogue.describe(draft);
      this.#post({ type: "described", instruction: draftInstruction(data) });
    } catch (error) {
      this.#tellUnseen(error);
      this.#post({ type: "described", instruction: "" });
    }
  }

  async #send(draft: AgentDraft, apiKey: string): Promise<void> {
    if (this.#sending || this.#created) return;
    const { before, modelOf } = this.#form;
    const order = { draft, apiKey, before, modelOf };
    const sending = { since: Date.now(), abort: new AbortController() };
    this.#sending = sending;
    this.#refused = undefined;
    this.#post(this.#progress(sending));
    try {
      const sent = await saveAgent(this.#catalogue, order, sending.abort.signal);
      this.#sending = undefined;
      if ("problem" in sent) {
        this.#refuse({ field: sent.problem.field, text: problemSentence(sent.problem) });
      } else if ("now" in sent) this.#saved(sent.now, draft.project, sent.isChanged);
      else await this.#made(draft, sent.made);
    } catch (error) {
      const failure = sending.abort.signal.aborted
        ? { field: "form" as const, text: formatTexts.cancelled() }
        : await this.#failure(error, order);
      this.#sending = undefined;
      this.#refuse(failure);
    }
  }

  async #failure(error: unknown, order: SaveRequest): Promise<Failure> {
    const what = order.before ? "changed" : "made";
    this.#options.log.error(`The agent ${order.draft.name} could not be ${what}`, error);
    return failureOf(error, this.#catalogue, order, this.#address);
  }

  #refuse(failure: Failure): void {
    this.#refused = this.#notice(failure);
    this.#post({ type: "refused", notice: this.#refused });
  }

  async #made({ name, project }: AgentDraft, answer: JsonObject | undefined): Promise<void> {
    this.#answer = answer;
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const { connectionId } = this.#form;
    const isTried = await testsModelFirst(this.#options.servers, connectionId);
    this.#draft.saved();
    this.#created = {
      name,
      project,
      note: isTried ? formatTexts.tried() : formatTexts.triedLater(),
    };
    this.#options.turned(this);
    this.#post({ type: "created", agent: this.#created });
    await this.#options.tree.revealAgent({ connectionId, project, name });
  }

  #saved(agent: StoredAgent, project: string, isChanged: boolean): void {
    const { connectionId, before } = this.#form;
    const { name } = agent;
    this.#turn(editForm(connectionId, agent, project));
    this.#post({ type: "said", text: isChanged ? formatTexts.saved() : formatTexts.unchanged() });
    if (!isChanged) return;
    if (name !== before?.name) void this.#options.tree.revealAgent({ connectionId, project, name });
  }

  /** From the agent that was made to its form. */
  async #edit(): Promise<void> {
    const agent = this.#agent;
    if (!agent) return;
    try {
      const stored = await this.#catalogue.agent(agent.project, agent.name);
      this.#turn(editForm(agent.connectionId, stored, agent.project));
    } catch (error) {
      // The page shows no form yet, on top of which it could stand.
      this.#options.log.error(`The agent ${agent.name} could not be read`, error);
      const { connectionId } = agent;
      await showError(error, { connectionId, address: this.#address });
    }
  }

  /** The next agent begins with the model of the last one. */
  #nextDraft(): AgentDraft {
    const { project, model } = this.#form.draft;
    return { ...emptyDraft(project), model };
  }

  /** The panel goes on with another form. */
  #turn(form: AgentForm): void {
    this.#form = form;
    this.#draft = new AgentFormDraft(form, this.#options.drafts);
    this.#created = undefined;
    this.#answer = undefined;
    this.#refused = undefined;
    this.#options.turned(this);
    this.#post(this.#begin());
    if (this.#seen) this.#post({ type: "seen", seen: this.#seen });
  }

  async #copy(message: Extract<ToHost, { type: "copy" }>): Promise<void> {
    const text = await requestText(message, this.#form, this.#catalogue, this.#options.servers);
    if (text !== undefined) await vscode.env.clipboard.writeText(text);
    this.#post({
      type: "said",
      text: text === undefined ? formatTexts.noStatement() : formatTexts.copied(),
    });
  }
}
