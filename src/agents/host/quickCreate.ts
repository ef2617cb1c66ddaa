// Quick create: an agent in four steps of the quick input, with Back, for those who live in the palette.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { contextKeys } from "../../ids.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { askChoice, askText, back, type QuestionFrame } from "../../shared/host/quickInput.ts";
import type { Log } from "../../shared/host/log.ts";
import { escapeLinks } from "../../shared/escapeLinks.ts";
import type { AgentTreeAccess, AskAgent } from "../agentsHost.ts";
import { draftOf, emptyDraft, hasStoredKey, type AgentDraft } from "../agentDraft.ts";
import { draftInstruction } from "../draftInstruction.ts";
import type { AgentForm } from "../formMessages.ts";
import type { LoadedData } from "../validation.ts";
import {
  snapshotOfServer,
  validateDraft,
  validationError,
  type Field,
  type ServerSnapshot,
} from "../validation.ts";
import { providers } from "../providers.ts";
import { DataSources } from "./dataSourceItems.ts";
import type { AgentForms } from "./formPanels.ts";
import { pickData } from "./dataPicker.ts";
import { failureOf, saveAgent, testsModelFirst } from "./saveAgent.ts";
import { formTexts, problemSentence, formatTexts } from "./formTexts.ts";
import { showErrorMessage, showInformation, showWarning } from "../../shared/host/notifications.ts";

export interface QuickCreateOptions {
  servers: ServerAccess;
  forms: AgentForms;
  tree: AgentTreeAccess;
  ask: AskAgent;
  log: Log;
  connectionId: string;
  /** Asked for if absent and there are several. */
  project: string | undefined;
}

/** What has been answered so far. The key is kept in memory for as long as the questions last. */
interface Answers {
  draft: AgentDraft;
  apiKey: string;
  modelOf?: AgentForm["modelOf"];
}

type Answer = typeof back | undefined | true;

/** Throws AppError where the server cannot be asked. */
export async function quickCreateAgent(options: QuickCreateOptions): Promise<void> {
  const project = options.project ?? (await pickProject(options));
  if (project === undefined) return;
  const quick = new QuickCreate(options, project);
  await quick.run();
}

const stepCount = 4;

class QuickCreate {
  readonly #options: QuickCreateOptions;
  readonly #catalogue: DataSources;
  readonly #answers: Answers;
  readonly #texts = formTexts({});
  #seen: LoadedData | undefined;

  constructor(options: QuickCreateOptions, project: string) {
    this.#options = options;
    this.#catalogue = new DataSources(options.servers, options.connectionId);
    this.#answers = { draft: emptyDraft(project), apiKey: "" };
  }

  async run(): Promise<void> {
    const { seen, failure } = await this.#catalogue.look(this.#answers.draft);
    if (failure !== undefined) throw failure;
    this.#seen = seen;
    let next: number | undefined = 0;
    while (next !== undefined) {
      const isAnswered: boolean = await this.#ask(next);
      next = isAnswered ? await this.#create() : undefined;
    }
  }

  /** Asks from this step on; false when the user closed a question. */
  async #ask(from: number): Promise<boolean> {
    const questions = [
      () => this.#askName(),
      () => this.#askModel(),
      () => this.#askData(),
      () => this.#askInstruction(),
    ];
    for (let step = from; ;) {
      const question = questions[step];
      if (!question) return true;
      const answer = await question();
      if (answer === undefined) return false;
      step += answer === back ? -1 : 1;
    }
  }

  #frame(now: number): QuestionFrame {
    const title = vscode.l10n.t("Create an Agent in {0}", this.#answers.draft.project);
    return { title, step: { now, of: stepCount }, canGoBack: now > 1 };
  }

  async #askName(): Promise<Answer> {
    const { draft } = this.#answers;
    const { label, description } = this.#texts.fields.name;
    const typed = await askText({
      ...this.#frame(1),
      prompt: `${label}: ${description}`,
      value: draft.name,
      accept: (value) => {
        const problems = validateDraft({ ...draft, name: value.trim() }, this.#known);
        const problem = problems.find(({ field }) => field === "name");
        return Promise.resolve(problem && problemSentence(problem));
      },
    });
    if (typeof typed === "string") draft.name = typed.trim();
    return typeof typed === "string" ? true : typed;
  }

  async #askModel(): Promise<Answer> {
    const { draft } = this.#answers;
    const { listAgents } = await import("../../mindsdb/agents.ts");
    const agents = await listAgents(await this.#catalogue.client(), draft.project).catch(() => []);
    const ofAgents = agents.filter(({ model }) => model !== undefined);
    const { defaultModel } = this.#seen ?? { defaultModel: null };
    const item = await askChoice({
      ...this.#frame(2),
      placeholder: this.#texts.fields.model.description,
      items: [
        ...(defaultModel === ""
          ? []
          : [{ label: this.#texts.defaultModelUnknown, description: defaultModel ?? "", use: "" }]),
        ...ofAgents.map(({ name, model = "" }) => {
          return { label: vscode.l10n.t("The model of {0}", name), description: model, use: name };
        }),
        { label: vscode.l10n.t("Another Model…"), use: undefined },
      ],
    });
    if (item === undefined || item === back) return item;
    if (item.use === undefined) {
      const answer = await this.#askOwnModel();
      return answer === back ? this.#askModel() : answer;
    }
    delete this.#answers.modelOf;
    this.#answers.apiKey = "";
    if (item.use === "") draft.model.own = false;
    else {
      const { project } = draft;
      const stored = await this.#storedAgent(item.use);
      if (!stored) return this.#askModel();
      draft.model = draftOf(stored, project).model;
      this.#answers.modelOf = { project, name: item.use, hasKey: hasStoredKey(stored.model) };
    }
    return true;
  }

  /** Undefined, once that is told, if the agent has gone in the meantime. */
  async #storedAgent(name: string): Promise<StoredAgent | undefined> {
    const { project } = this.#answers.draft;
    try {
      return await this.#catalogue.agent(project, name);
    } catch (error) {
      if (!isAppError(error, "notFound")) throw error;
      const text = problemSentence(validationError("model", "agentGone", name));
      void showWarning(text);
      return undefined;
    }
  }

  /** The fields of a model, one question each. */
  async #askOwnModel(): Promise<Answer> {
    const { model } = this.#answers.draft;
    const { fields, providerNotes } = this.#texts;
    delete this.#answers.modelOf;
    model.own = true;
    const askField = async (
      field: "modelName" | "apiKey" | "baseUrl",
      value: string,
      save: (value: string) => void,
    ): Promise<Answer> => {
      const typed = await askText({
        ...this.#frame(2),
        prompt: `${fields[field].label}: ${fields[field].description}`,
        value,
        password: field === "apiKey",
        accept: (text) => {
          const draft = { ...this.#answers.draft, model: { ...model, [field]: text.trim() } };
          const problem = validateDraft(draft, this.#known).find(
            (one) => one.field === field && !one.isWarning,
          );
          return Promise.resolve(problem && problemSentence(problem));
        },
      });
      if (typeof typed !== "string") return typed;
      save(typed.trim());
      return true;
    };
    const questions: (() => Promise<Answer>)[] = [
      async () => {
        const item = await askChoice({
          ...this.#frame(2),
          placeholder: fields.provider.description,
          items: providers.map((label) => ({ label, description: providerNotes[label] ?? "" })),
        });
        if (item === undefined || item === back) return item;
        model.provider = item.label;
        return true;
      },
      () => askField("modelName", model.modelName, (value) => (model.modelName = value)),
      () => askField("apiKey", this.#answers.apiKey, (value) => (this.#answers.apiKey = value)),
      () => askField("baseUrl", model.baseUrl, (value) => (model.baseUrl = value)),
    ];
    for (let step = 0; ;) {
      const question = questions[step];
      if (!question) return step < 0 ? back : true;
      const answer = await question();
      if (answer === undefined) return undefined;
      step += answer === back ? -1 : 1;
    }
  }

  async #askData(): Promise<Answer> {
    const { draft } = this.#answers;
    const picked = await pickData({
      ...this.#frame(3),
      placeholder: vscode.l10n.t("What may the agent read? With all unchecked it can only chat."),
      shelves: {
        tables: this.#catalogue.tables(),
        knowledgeBases: this.#catalogue.knowledgeBases(),
      },
      chosen: { tables: draft.tables, knowledgeBases: draft.knowledgeBases },
    });
    if (picked === undefined || picked === back) return picked;
    draft.tables = picked.tables;
    draft.knowledgeBases = picked.knowledgeBases;
    return true;
  }

  async #askInstruction(): Promise<Answer> {
    const { draft } = this.#answers;
    const hasData = draft.tables.length + draft.knowledgeBases.length > 0;
    const written = hasData ? draftInstruction(await this.#catalogue.describe(draft)) : "";
    const { label, description } = this.#texts.fields.instruction;
    const item = await askChoice({
      ...this.#frame(4),
      placeholder: hasData
        ? description
        : vscode.l10n.t("No data chosen: the agent can only chat. {0}", description),
      items: [
        ...(hasData
          ? [{ label: vscode.l10n.t("Draft from the Chosen Data"), detail: written, use: written }]
          : []),
        { label: vscode.l10n.t("Without an Instruction"), use: "" },
        { label: vscode.l10n.t("Write One…"), use: undefined },
      ],
    });
    if (item === undefined || item === back) return item;
    if (item.use !== undefined) {
      draft.instruction = item.use;
      return true;
    }
    const typed = await askText({
      ...this.#frame(4),
      prompt: `${label}: ${description}`,
      value: draft.instruction,
    });
    if (typed === back) return this.#askInstruction();
    if (typed !== undefined) draft.instruction = typed;
    return typed === undefined ? undefined : true;
  }

  /** Makes the agent; the step to go back to when that failed and the user wants to change something. */
  async #create(): Promise<number | undefined> {
    const { draft } = this.#answers;
    const { seen } = await this.#catalogue.look(draft);
    this.#seen = seen;
    const problem = validateDraft(draft, this.#known).find(({ isWarning }) => !isWarning);
    if (problem) return this.#failed(problem.field, problemSentence(problem));
    const progress = {
      location: vscode.ProgressLocation.Notification,
      title: escapeLinks(
        vscode.l10n.t("Creating {0}. The server may try the model first.", draft.name),
      ),
      cancellable: true,
    };
    return vscode.window.withProgress(progress, async (_, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      try {
        await saveAgent(this.#catalogue, this.#answers, abort.signal);
      } catch (error) {
        return abort.signal.aborted ? this.#cancelled() : this.#refused(error);
      }
      void this.#made();
      return undefined;
    });
  }

  async #made(): Promise<void> {
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const { servers, tree, ask, connectionId } = this.#options;
    const { project, name } = this.#answers.draft;
    const agent = { connectionId, project, name };
    await tree.revealAgent(agent);
    const isTried = await testsModelFirst(servers, connectionId);
    const ready = vscode.l10n.t("{0} is ready in {1}.", name, project);
    const message = isTried ? ready : `${ready} ${formatTexts.triedLater()}`;
    const { ask: title } = this.#texts;
    if ((await showInformation(message, title)) === title) ask(agent);
  }

  #cancelled(): undefined {
    void showInformation(formatTexts.cancelled());
    return undefined;
  }

  async #refused(error: unknown): Promise<number | undefined> {
    const { servers, connectionId, log } = this.#options;
    log.error(`The agent ${this.#answers.draft.name} could not be made`, error);
    const address = servers.find(connectionId)?.address;
    const { field, text } = await failureOf(error, this.#catalogue, this.#answers, address);
    return this.#failed(field, text);
  }

  async #failed(field: Field, text: string): Promise<number | undefined> {
    const { forms, connectionId } = this.#options;
    const { draft } = this.#answers;
    const change = vscode.l10n.t("Change…");
    const open = vscode.l10n.t("Open the Form");
    const answer = await showErrorMessage(text, change, open);
    if (answer === open) {
      await forms.create({ connectionId, project: draft.project }, draft, { isTyped: true });
    }
    return answer === change ? stepOf(field) : undefined;
  }

  get #known(): ServerSnapshot {
    return snapshotOfServer(this.#seen);
  }
}

/** The step in which a field is asked for. */
function stepOf(field: Field): number {
  switch (field) {
    case "form":
    case "project":
    case "name":
      return 0;
    case "model":
    case "provider":
    case "modelName":
    case "apiKey":
    case "baseUrl":
      return 1;
    case "tables":
    case "knowledgeBases":
      return 2;
    case "instruction":
      return 3;
  }
}

async function pickProject({
  servers,
  connectionId,
}: QuickCreateOptions): Promise<string | undefined> {
  const { listProjects } = await import("../../mindsdb/projects.ts");
  const projects = await listProjects(await servers.client(connectionId));
  if (projects.length < 2) return projects[0]?.name;
  const item = await askChoice({
    title: vscode.l10n.t("Create an Agent"),
    placeholder: vscode.l10n.t("In which project?"),
    items: projects.map(({ name, isDefault }) => {
      return { label: name, description: isDefault ? vscode.l10n.t("default") : "" };
    }),
  });
  return item === back ? undefined : item?.label;
}
