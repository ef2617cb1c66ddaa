// Quick create: an agent in four steps of the quick input, with Back.
import * as vscode from "vscode";
import { contextKeys } from "../../ids.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { askChoice, askText, back, type QuestionFrame } from "../../shared/host/quickInput.ts";
import { createDraft, emptyDraft, hasStoredKey } from "../agentDraft.ts";
import { draftInstruction } from "../draftInstruction.ts";
import type { LoadedData } from "../validation.ts";
import { createSnapshot, validateDraft, type ServerSnapshot } from "../validation.ts";
import { agentProblems, type Problem } from "../agentProblems.ts";
import { providers } from "../modelProviders.ts";
import { ServerCatalog } from "./serverCatalog.ts";
import type { AgentForms } from "./agentForms.ts";
import { pickData } from "./dataPicker.ts";
import { findSaveProblem, saveAgent, testsModelOnCreate, type SaveRequest } from "./saveAgent.ts";
import type { AgentFormOptions } from "./agentFormPage.ts";
import { createFieldTexts, describeUntestedModel } from "../agentFieldTexts.ts";
import { createProviderNotes } from "../../shared/providerNotes.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import { showErrorMessage, showInformation, showWarning } from "../../shared/host/notifications.ts";
import { withCancelButton } from "../../shared/host/withCancelButton.ts";

interface QuickCreateOptions extends Pick<AgentFormOptions, "servers" | "tree" | "ask" | "log"> {
  forms: AgentForms;
  connectionId: string;
  /** If absent, the user picks one. */
  project: string | undefined;
}

/** The answers so far. The key is in memory only. */
type Answers = Omit<SaveRequest, "before">;

type Answer = typeof back | undefined | true;

/** Creates an agent with the quick input. Throws AppError if the server cannot be asked. */
export async function quickCreateAgent(options: QuickCreateOptions): Promise<void> {
  const { servers, connectionId } = options;
  if (servers.find(connectionId)?.protection === "readOnly") {
    // Says so before the questions, not after them.
    await servers.allowWrite(connectionId, { what: vscode.l10n.t("Create an Agent") });
    return;
  }
  const project = options.project ?? (await pickProject(options));
  if (project === undefined) return;
  const quick = new QuickCreate(options, project);
  await quick.run();
}

const stepCount = 4;

class QuickCreate {
  readonly #options: QuickCreateOptions;
  readonly #catalog: ServerCatalog;
  readonly #answers: Answers;
  readonly #texts = createFieldTexts();
  #loaded: LoadedData | undefined;

  constructor(options: QuickCreateOptions, project: string) {
    this.#options = options;
    this.#catalog = new ServerCatalog(options.servers, options.connectionId);
    this.#answers = { draft: emptyDraft(project), apiKey: "" };
  }

  async run(): Promise<void> {
    const { seen, failure } = await this.#catalog.load(this.#answers.draft);
    if (failure !== undefined) throw failure;
    this.#loaded = seen;
    let next: number | undefined = 0;
    while (next !== undefined) {
      const isAnswered: boolean = await this.#ask(next);
      next = isAnswered ? await this.#create() : undefined;
    }
  }

  /** Asks from this step on; false if the user closed a question. */
  async #ask(from: number): Promise<boolean> {
    const questions = [
      () => this.#askName(),
      () => this.#askModel(),
      () => this.#askData(),
      () => this.#askInstruction(),
    ];
    return (await askInOrder(questions, from)) === true;
  }

  #frame(now: number): QuestionFrame {
    const title = vscode.l10n.t("Create an Agent in {0}", this.#answers.draft.project);
    return { title, step: { now, of: stepCount }, canGoBack: now > 1 };
  }

  async #askName(): Promise<Answer> {
    const { draft } = this.#answers;
    const { label, description } = this.#texts.name;
    const typed = await askText({
      ...this.#frame(1),
      prompt: `${label}: ${description}`,
      value: draft.name,
      accept: (value) => {
        const problems = validateDraft({ ...draft, name: value.trim() }, this.#snapshot);
        const problem = problems.find(({ field }) => field === "name");
        return Promise.resolve(problem?.text);
      },
    });
    if (typeof typed === "string") draft.name = typed.trim();
    return typeof typed === "string" ? true : typed;
  }

  async #askModel(): Promise<Answer> {
    const { draft } = this.#answers;
    const { listAgents } = await import("../../mindsdb/agents.ts");
    const agents = await listAgents(await this.#catalog.client(), draft.project).catch(() => []);
    const ofAgents = agents.filter(({ model }) => model !== undefined);
    const { defaultModel } = this.#loaded ?? { defaultModel: null };
    const item = await askChoice({
      ...this.#frame(2),
      placeholder: this.#texts.model.description,
      items: [
        ...(defaultModel === ""
          ? []
          : [
              {
                label: vscode.l10n.t("The server's default"),
                description: defaultModel ?? "",
                use: "",
              },
            ]),
        ...ofAgents.map(({ name, model = "" }) => {
          const label = vscode.l10n.t("The model of {0}", name);
          return { label, description: model, use: name };
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
      draft.model = createDraft(stored, project).model;
      this.#answers.modelOf = { project, name: item.use, hasKey: hasStoredKey(stored.model) };
    }
    return true;
  }

  /** Returns the agent; shows a warning and returns undefined if it was deleted in the meantime. */
  async #storedAgent(name: string): Promise<StoredAgent | undefined> {
    const { project } = this.#answers.draft;
    try {
      return await this.#catalog.readAgent(project, name);
    } catch (error) {
      if (!isAppError(error, "notFound")) throw error;
      const text = agentProblems.agentGone(name);
      void showWarning(text);
      return undefined;
    }
  }

  /** The fields of a model, one question each. */
  async #askOwnModel(): Promise<Answer> {
    const { model } = this.#answers.draft;
    const fields = this.#texts;
    const providerNotes = createProviderNotes();
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
          const problem = validateDraft(draft, this.#snapshot).find(
            (one) => one.field === field && !one.isWarning,
          );
          return Promise.resolve(problem?.text);
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
          items: providers.map((label) => {
            return { label, description: providerNotes[label] ?? "", provider: label };
          }),
        });
        if (item === undefined || item === back) return item;
        model.provider = item.provider;
        return true;
      },
      () => askField("modelName", model.modelName, (value) => (model.modelName = value)),
      () => askField("apiKey", this.#answers.apiKey, (value) => (this.#answers.apiKey = value)),
      () => askField("baseUrl", model.baseUrl, (value) => (model.baseUrl = value)),
    ];
    return askInOrder(questions);
  }

  async #askData(): Promise<Answer> {
    const { draft } = this.#answers;
    const picked = await pickData({
      ...this.#frame(3),
      placeholder: vscode.l10n.t(
        "Select what the agent can read. If you select nothing, it can only chat.",
      ),
      sources: {
        tables: this.#catalog.listTables(),
        knowledgeBases: this.#catalog.listKnowledgeBases(),
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
    const written = hasData ? draftInstruction(await this.#catalog.describe(draft)) : "";
    const { label, description } = this.#texts.instruction;
    const item = await askChoice({
      ...this.#frame(4),
      placeholder: hasData
        ? description
        : vscode.l10n.t("No data selected: the agent can only chat. {0}", description),
      items: [
        ...(hasData
          ? [{ label: vscode.l10n.t("Generate from Selected Data"), detail: written, use: written }]
          : []),
        { label: vscode.l10n.t("Without an Instruction"), use: "" },
        { label: vscode.l10n.t("Enter One…"), use: undefined },
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

  /** Creates the agent. Returns the step to go back to if that failed and the user wants to change something. */
  async #create(): Promise<number | undefined> {
    const { draft } = this.#answers;
    const { seen } = await this.#catalog.load(draft);
    this.#loaded = seen;
    const problem = validateDraft(draft, this.#snapshot).find(({ isWarning }) => !isWarning);
    if (problem) return this.#offerRetry(problem.field, problem.text);
    const title = vscode.l10n.t("Creating {0}. The server may test the model first.", draft.name);
    return withCancelButton(title, async (signal) => {
      try {
        const saved = await saveAgent(this.#catalog, this.#answers, signal);
        if (saved.kind === "declined") return undefined;
        if (saved.kind === "problem") {
          return await this.#offerRetry(saved.problem.field, saved.problem.text);
        }
      } catch (error) {
        return signal.aborted ? this.#showCancelled() : this.#handleError(error);
      }
      void this.#showCreated();
      return undefined;
    });
  }

  async #showCreated(): Promise<void> {
    void vscode.commands.executeCommand("setContext", contextKeys.agentMade, true);
    const { servers, tree, ask, connectionId } = this.#options;
    const { project, name } = this.#answers.draft;
    const agent = { connectionId, project, name };
    await tree.revealAgent(agent);
    const isTried = await testsModelOnCreate(servers, connectionId);
    const ready = vscode.l10n.t("{0} is ready in {1}.", name, project);
    const message = isTried ? ready : `${ready} ${describeUntestedModel()}`;
    const title = vscode.l10n.t("Open Chat");
    if ((await showInformation(message, title)) === title) ask(agent);
  }

  #showCancelled(): undefined {
    void showInformation(
      vscode.l10n.t("Canceled. The server may still be processing this. Refresh the tree to see."),
    );
    return undefined;
  }

  async #handleError(error: unknown): Promise<number | undefined> {
    const { servers, connectionId, log } = this.#options;
    log.error(`The agent ${this.#answers.draft.name} could not be made`, error);
    const problem = await findSaveProblem(error, this.#catalog, this.#answers);
    if (problem) return this.#offerRetry(problem.field, problem.text);
    const address = servers.find(connectionId)?.address;
    return this.#offerRetry("form", explainError(error, { connectionId, address }).message);
  }

  async #offerRetry(field: Problem["field"], text: string): Promise<number | undefined> {
    const { forms, connectionId } = this.#options;
    const { draft } = this.#answers;
    const change = vscode.l10n.t("Change…");
    const open = vscode.l10n.t("Open the Form");
    const answer = await showErrorMessage(text, change, open);
    if (answer === open) {
      await forms.create({ connectionId, project: draft.project }, draft, { isTyped: true });
    }
    return answer === change ? steps[field] : undefined;
  }

  get #snapshot(): ServerSnapshot {
    return createSnapshot(this.#loaded);
  }
}

/** Asks one question after the other, from this one on. The result is `back` before the first one. */
async function askInOrder(questions: (() => Promise<Answer>)[], from = 0): Promise<Answer> {
  let step = from;
  for (let question = questions[step]; question; question = questions[step]) {
    const answer = await question();
    if (answer === undefined) return undefined;
    step += answer === back ? -1 : 1;
  }
  return step < 0 ? back : true;
}

const steps: Record<Problem["field"], number> = {
  form: 0,
  project: 0,
  name: 0,
  model: 1,
  provider: 1,
  modelName: 1,
  apiKey: 1,
  baseUrl: 1,
  tables: 2,
  knowledgeBases: 2,
  instruction: 3,
};

async function pickProject({
  servers,
  connectionId,
}: QuickCreateOptions): Promise<string | undefined> {
  const { listProjects } = await import("../../mindsdb/projects.ts");
  const projects = await listProjects(await servers.client(connectionId));
  if (projects.length < 2) return projects[0]?.name;
  const item = await askChoice({
    title: vscode.l10n.t("Create an Agent"),
    placeholder: vscode.l10n.t("Select a project"),
    items: projects.map(({ name, isDefault }) => {
      return { label: name, description: isDefault ? vscode.l10n.t("default") : "", name };
    }),
  });
  return item === back ? undefined : item?.name;
}
