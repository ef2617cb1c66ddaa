import * as vscode from "vscode";
import { commands, contextKeys } from "../../ids.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../shared/host/formPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { emptyDraft, type AgentDraft } from "../agentDraft.ts";
import { createAgainTitle } from "../createAgain.ts";
import { describeUntestedModel } from "../agentFieldTexts.ts";
import {
  formTitle,
  type AgentForm,
  type AgentFormContent,
  type agentFormCalls,
  type CopyFormat,
} from "../agentForm.ts";
import { agentProblems, type Field, type Problem } from "../agentProblems.ts";
import { draftInstruction } from "../draftInstruction.ts";
import type { AgentPages, AgentTreeAccess, AskAgent } from "../otherFeatures.ts";
import type { ListField } from "../validation.ts";
import { pickData } from "./dataPicker.ts";
import { ServerCatalog } from "./serverCatalog.ts";
import { editForm, newForm } from "./initialForm.ts";
import { requestText } from "./requestText.ts";
import { findSaveProblem, saveAgent, testsModelOnCreate, type SaveRequest } from "./saveAgent.ts";

export interface AgentFormOptions extends FormPageOptions {
  tree: AgentTreeAccess;
  ask: AskAgent;
  pages: AgentPages;
}

export class AgentFormPage extends FormPage<
  AgentForm,
  Field,
  AgentFormContent,
  typeof agentFormCalls
> {
  readonly handlers: Handlers<typeof agentFormCalls>;
  readonly #options: AgentFormOptions;
  readonly #catalog: ServerCatalog;
  readonly #data = this.reads.create();
  /** The draft that the server's data was last read for. */
  #loadedFor = "";
  /** The server's response to the creation. */
  #createdRow: JsonObject | undefined;

  constructor(opened: OpenedForm<AgentForm, AgentFormContent>, options: AgentFormOptions) {
    super(opened, options);
    this.#options = options;
    this.#catalog = new ServerCatalog(options.servers, this.connectionId);
    this.handlers = {
      ...this.formHandlers,
      pick: (field, chosen) => this.#pick(field, chosen),
      describe: (draft) => this.#describe(draft),
      copy: (format, draft, hadKeys) => this.#copy(format, draft, hadKeys["apiKey"] ?? false),
      ask: () => {
        if (this.#agent) options.ask(this.#agent);
      },
      show: () => {
        if (this.#agent) options.pages.open(this.#agent, this.#createdRow);
      },
      edit: () => this.#edit(),
      runProblemAction: async (title) => {
        if (title === createAgainTitle()) this.#createAgain();
        else await this.formHandlers.runProblemAction(title);
      },
      another: () => {
        // With the model of the last agent.
        const { project, model } = this.form.draft;
        this.#replaceForm(newForm(this.connectionId, { ...emptyDraft(project), model }));
      },
    };
    this.offerServerSettings();
    if (!opened.isDone) this.onDraftChanged();
  }

  get title(): string {
    return this.state.current.created?.name ?? formTitle(this.form);
  }

  /** The created or edited agent. */
  get #agent(): AgentRef | undefined {
    const agent = this.state.current.created ?? this.form.before;
    if (!agent) return undefined;
    return { connectionId: this.connectionId, project: agent.project, name: agent.name };
  }

  /** Loads the server's data about the project and the lists. */
  protected override onDraftChanged(): void {
    const { project, tables, knowledgeBases } = this.form.draft;
    const wanted = JSON.stringify([project, tables, knowledgeBases]);
    if (wanted === this.#loadedFor) return;
    this.#loadedFor = wanted;
    void this.load();
  }

  /** The server may have a default model now. */
  override onActivated(): void {
    if (this.state.current.loaded?.defaultModel === "") void this.load();
  }

  protected override async send(
    draft: AgentDraft,
    keys: Record<string, string>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const saved = await saveAgent(this.#catalog, this.#createRequest(draft, keys), signal);
    if (saved.kind === "declined") throw this.refusedError();
    if (saved.kind === "problem") throw new ProblemError(saved.problem);
    if (saved.kind === "created") {
      await this.#showCreated(draft, saved.row);
      return undefined;
    }
    const { agent, isChanged } = saved;
    const { before } = this.form;
    this.#replaceForm(editForm(this.connectionId, agent, draft.project));
    if (!isChanged) return vscode.l10n.t("Nothing has changed.");
    if (agent.name !== before?.name && this.#agent) {
      void this.#options.tree.revealAgent(this.#agent);
    }
    return vscode.l10n.t("Saved.");
  }

  protected override async findProblem(
    error: unknown,
    draft: AgentDraft,
    keys: Record<string, string>,
  ): Promise<Problem | undefined> {
    const problem = await findSaveProblem(error, this.#catalog, this.#createRequest(draft, keys));
    const { before } = this.form;
    if (!before || problem?.text !== agentProblems.agentGone(before.name)) return problem;
    return { ...problem, action: createAgainTitle() };
  }

  /** Makes the form of a deleted agent one for a new agent, with the same draft. */
  #createAgain(): void {
    const { draft } = this.form;
    const form = newForm(this.connectionId, draft);
    this.#replaceForm({ ...form, initial: emptyDraft(draft.project) });
  }

  #createRequest(draft: AgentDraft, { apiKey = "" }: Record<string, string>): SaveRequest {
    const { before, modelOf } = this.form;
    return { draft, apiKey, before, modelOf };
  }

  protected override async load(): Promise<void> {
    const { draft, before } = this.form;
    await this.#data.run(() => this.#catalog.load(draft, before?.name), {
      show: ({ seen, failure }) => {
        this.update({ loaded: seen });
        this.showLoadError(failure);
      },
      fail: (error) => this.showLoadError(error),
    });
  }

  /** Returns what is chosen then; undefined if the user has closed the list. */
  async #pick(field: ListField, chosen: string[]): Promise<string[] | undefined> {
    const catalog = this.#catalog;
    const isTables = field === "tables";
    try {
      return await pickData({
        field,
        title: isTables ? vscode.l10n.t("Tables") : vscode.l10n.t("Knowledge Bases"),
        placeholder: isTables
          ? vscode.l10n.t("Select what the agent can query, or type a pattern: files.sales_*")
          : vscode.l10n.t("Select what the agent can search"),
        connect: isTables ? () => void this.#connectDataSource() : undefined,
        sources: isTables ? catalog.listTables() : catalog.listKnowledgeBases(),
        chosen,
      });
    } catch (error) {
      this.showLoadError(error);
      return undefined;
    }
  }

  async #connectDataSource(): Promise<void> {
    const { connectionId } = this;
    await executeCommand(commands.dataSourceConnect, { connectionId });
  }

  async #describe(draft: AgentDraft): Promise<string> {
    try {
      return draftInstruction(await this.#catalog.describe(draft));
    } catch (error) {
      this.showLoadError(error);
      return "";
    }
  }

  async #showCreated(draft: AgentDraft, row: JsonObject | undefined): Promise<void> {
    this.#createdRow = row;
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const { connectionId } = this;
    const { name, project, tables, knowledgeBases } = draft;
    const model = (await testsModelOnCreate(this.#options.servers, connectionId))
      ? vscode.l10n.t("The server tested the model and got a response.")
      : describeUntestedModel();
    const data =
      tables.length + knowledgeBases.length === 0
        ? vscode.l10n.t("It has no tables or knowledge bases, so it can't look anything up.")
        : "";
    this.finish({ created: { name, project, note: `${model} ${data}`.trim() } });
    await this.#options.tree.revealAgent({ connectionId, project, name });
  }

  /** Replaces the new agent's view by its form. */
  async #edit(): Promise<void> {
    const agent = this.#agent;
    if (!agent) return;
    const { connectionId, project, name } = agent;
    // The page has no form that could show an error.
    await attempt(this.#options, `Reading the agent ${name}`, connectionId, async () => {
      const stored = await this.#catalog.readAgent(project, name);
      this.#replaceForm(editForm(connectionId, stored, project));
    });
  }

  #replaceForm(form: AgentForm): void {
    this.#createdRow = undefined;
    this.#loadedFor = "";
    this.replace(form, { created: undefined });
  }

  async #copy(format: CopyFormat, draft: AgentDraft, typedKey: boolean): Promise<string> {
    const { servers } = this.#options;
    const wanted = { format, draft, typedKey };
    const copied = await requestText(wanted, this.form, this.#catalog, servers);
    if (copied === undefined) {
      return vscode.l10n.t(
        "Nothing was copied: SQL can't express this text. Copy it as curl instead.",
      );
    }
    await vscode.env.clipboard.writeText(copied.text);
    if (copied.variable === undefined) return vscode.l10n.t("Copied without API keys.");
    return vscode.l10n.t(
      "Copied without API keys. Paste it into a new terminal in this window, where {0} contains the token.",
      copied.variable,
    );
  }
}
