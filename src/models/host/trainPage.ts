import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import { bindCommand, executeCommand } from "../../shared/host/commands.ts";
import { askConsent } from "../../shared/host/consent.ts";
import {
  FormPage,
  ProblemError,
  type FormPageOptions,
  type OpenedForm,
} from "../../shared/host/formPage.ts";
import { presentStatement } from "../../shared/host/presentStatement.ts";
import type { Problem } from "../../shared/formPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import {
  emptyTrainDraft,
  omitTypedKeys,
  tableEntry,
  type TrainDraft,
  type TrainForm,
} from "../trainDraft.ts";
import { withPlaceholders } from "../optionLines.ts";
import { trainTitle, type TrainContent, type trainCalls } from "../trainPage.ts";
import { selectOfDraft } from "../trainSelect.ts";
import { findTrainingProblem, type TrainField } from "../trainValidation.ts";
import { loadChoices, readTrainingRows, startTraining, trainStatement } from "./trainServer.ts";

export interface TrainPageOptions extends FormPageOptions {
  pickTable: (connectionId: string) => Promise<TableRef | undefined>;
  /** Tells the user when a training is over. */
  watch: (model: ModelRef & { version: number }) => void;
}

/** How long a SELECT must not have changed before its rows are read, in ms. */
const debounceMs = 600;

/** The form that trains a model: rows, target, engine. The training itself is watched by TrainingWatch. */
export class TrainPage extends FormPage<TrainForm, TrainField, TrainContent, typeof trainCalls> {
  readonly handlers: Handlers<typeof trainCalls>;
  readonly #options: TrainPageOptions;
  /** The statement of the rows. */
  #rowsOf: string | undefined;
  /** The SELECT whose cost the user has agreed to. */
  #allowedRows: string | undefined;
  readonly #rows = this.reads.create();
  readonly #choices = this.reads.create();
  /** The project whose items were asked for last. */
  #project = "";

  constructor(opened: OpenedForm<TrainForm, TrainContent>, options: TrainPageOptions) {
    super(opened, options);
    this.#options = options;
    this.handlers = {
      ...this.formHandlers,
      pickTable: async () => {
        const picked = await options.pickTable(this.connectionId);
        return picked && tableEntry(picked);
      },
      loadRows: () => this.#loadRows(),
      copySql: (draft) => this.#copySql(draft),
      showModel: () => {
        const { started } = this.state.current;
        if (!started) return;
        const model: ModelRef = { connectionId: this.connectionId, ...started };
        void executeCommand(commands.modelShow, model);
      },
      another: () => {
        const { connectionId, draft } = this.form;
        const form = createTrainForm(connectionId, emptyTrainDraft(draft.project));
        this.replace(form, { started: undefined });
      },
    };
    if (!opened.isDone) this.onDraftChanged();
  }

  get title(): string {
    return trainTitle(this.form);
  }

  /** An engine that the page has selected for the user is no change. */
  override get isDirty(): boolean {
    const { draft, initial } = this.form;
    const [first] = this.state.current.choices?.engines ?? [];
    const isSelected = initial.engine === "" && draft.engine === first;
    const changed = isSelected ? { ...draft, engine: "" } : draft;
    return super.isDirty && !isDeepStrictEqual(changed, initial);
  }

  protected override omitKeys(draft: TrainDraft, unchanged?: object): TrainDraft {
    return omitTypedKeys(draft, unchanged);
  }

  protected override onDraftChanged(): void {
    if (this.form.draft.project !== this.#project) void this.#loadChoices();
    void this.#readRows();
  }

  /** An engine may have been created there. */
  override onActivated(): void {
    if (this.state.current.failure?.field === "engine") void this.#loadChoices();
  }

  protected override retry(): void {
    this.#rowsOf = undefined;
    this.#project = "";
    this.onDraftChanged();
  }

  protected override async send(
    draft: TrainDraft,
    _: unknown,
    signal: AbortSignal,
  ): Promise<undefined> {
    const started = await startTraining(this.#options.servers, this.form, draft, signal);
    const text = vscode.l10n.t("Nothing was sent.");
    if (!started) throw new ProblemError({ field: "form", text });
    this.finish({ started });
    this.#options.watch({ connectionId: this.connectionId, ...started });
  }

  protected override findProblem(
    error: unknown,
    draft: TrainDraft,
  ): Problem<TrainField> | undefined {
    const problem = findTrainingProblem(error, draft);
    if (problem?.field !== "engine") return problem;
    const { connectionId } = this;
    const wanted = { connectionId, name: draft.engine };
    const action = this.offer(
      bindCommand(commands.mlEngineCreate, vscode.l10n.t("Create ML Engine…"), wanted),
    );
    return { ...problem, action };
  }

  async #loadChoices(): Promise<void> {
    const { project } = this.form.draft;
    this.#project = project;
    await this.#choices.run((signal) => loadChoices(this.#options.servers, this.form, signal), {
      show: (choices) => {
        this.update({ choices });
        this.showLoadError(undefined);
      },
      fail: (error) => this.showLoadError(error),
    });
  }

  /** Reads the first rows, unless they are those that are shown. */
  async #readRows(): Promise<void> {
    const { draft } = this.form;
    const select = draft.source === "same" ? "" : (selectOfDraft(draft) ?? "");
    if (select === this.#rowsOf) return;
    const delay = draft.source === "select" && this.#rowsOf !== undefined ? debounceMs : 0;
    this.#rowsOf = select;
    this.#rows.abort();
    this.update({ rows: select === "" ? undefined : { isReading: true } });
    if (select === "") return;
    const { connectionId } = this;
    const isAllowed = this.#allowedRows === select;
    await this.#rows.run(
      async (signal) => {
        await sleep(delay, undefined, { signal });
        return readTrainingRows(this.#options.servers, connectionId, draft, { signal, isAllowed });
      },
      {
        show: (read) => this.update({ rows: { read } }),
        fail: (error) => this.update({ rows: this.#explainRows(error, draft) }),
      },
    );
  }

  #explainRows(error: unknown, { source }: TrainDraft): TrainContent["rows"] {
    if (isAppError(error, "mayCost")) return { mayCost: true };
    const field = source === "table" ? "table" : "select";
    return { problem: this.explain(error, field, "The first training rows could not be read") };
  }

  /** Reads the rows although that may cost money, if the user agrees. */
  async #loadRows(): Promise<void> {
    const select = selectOfDraft(this.form.draft);
    if (select === undefined) return;
    const button = vscode.l10n.t("Load Preview");
    const message = vscode.l10n.t("Load training rows that may cost money?");
    const detail = await presentStatement(select);
    if (detail === undefined) return;
    if ((await askConsent(message, detail, button)) !== button) return;
    // The user saw this statement, and no later one.
    if (selectOfDraft(this.form.draft) !== select) return;
    this.#allowedRows = select;
    this.#rowsOf = undefined;
    await this.#readRows();
  }

  async #copySql(draft: TrainDraft): Promise<string> {
    try {
      const options = withPlaceholders(draft.options);
      await vscode.env.clipboard.writeText(trainStatement(this.form, { ...draft, options }));
      return options === draft.options
        ? vscode.l10n.t("Copied")
        : vscode.l10n.t("Copied without API keys.");
    } catch {
      // Only a complete draft has a statement.
      return vscode.l10n.t("Fill in the form first.");
    }
  }
}

export function createTrainForm(connectionId: string, draft: TrainDraft): TrainForm {
  return { id: crypto.randomUUID(), connectionId, kind: "create", draft, initial: draft };
}
