// The form that trains a model: rows, target, engine. The training itself is watched by TrainingWatch.
import * as vscode from "vscode";
import { encodePart } from "../../mindsdb/encodePart.ts";
import type { ServerAccess } from "../../connections/connection.ts";
import { commands } from "../../ids.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import type { FormHooks } from "../../shared/host/formPanels.ts";
import { FormState, type FormFailure } from "../../shared/host/formState.ts";
import { presentStatement } from "../../shared/host/presentStatement.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import {
  emptyTrainDraft,
  tableEntry,
  type TrainDraft,
  type TrainForm,
  trainForm,
} from "../trainDraft.ts";
import type { StartedTraining, ToHost, ToPage, TrainChoices } from "../trainMessages.ts";
import { selectOfDraft } from "../trainSelect.ts";
import { findTrainingProblem, type TrainField } from "../trainValidation.ts";
import { loadChoices, readTrainingRows, startTraining, trainStatement } from "./trainServer.ts";
import { createTrainTexts, createTrainTitle, formatTrainProblem } from "../trainTexts.ts";
import { askConsent } from "../../shared/host/consent.ts";

export interface TrainFormOptions extends FormHooks<TrainPanel> {
  servers: ServerAccess;
  log: Log;
  pickTable: (connectionId: string) => Promise<TableRef | undefined>;
  /** Tells the user when a training is over. */
  watch: (model: ModelRef & { version: number }) => void;
}

/** How long a SELECT must be left alone before its rows are read, in ms. */
const restMs = 600;

type RowsMessage = Extract<ToPage, { type: "rows" }>;

export class TrainPanel implements PanelContent<ToHost, ToPage> {
  readonly #options: TrainFormOptions;
  readonly #post: PostToPage<ToPage>;
  readonly #state: FormState<TrainForm, "draft", TrainField | "form">;
  /** The draft as the page has it. */
  #draft: TrainDraft;
  #choices: TrainChoices | undefined;
  #rows: RowsMessage | undefined;
  /** The statement or table of the rows. */
  #rowsOf: string | undefined;
  /** The SELECT whose cost the user has agreed to. */
  #allowedRows: string | undefined;
  #reading: AbortController | undefined;
  #started: StartedTraining | undefined;

  constructor(
    form: TrainForm,
    post: PostToPage<ToPage>,
    options: TrainFormOptions,
    started?: StartedTraining,
  ) {
    this.#draft = form.draft;
    this.#post = post;
    this.#options = options;
    this.#started = started;
    this.#state = new FormState(form, {
      servers: options.servers,
      store: options.drafts,
      schema: trainForm,
      target: formTarget,
      changed: ["draft"],
      post,
      title: () => this.title,
      onDirtyChanged: () => options.onDirtyChanged(this),
      onRestored: () => this.#showForm(),
      onNoticeAccepted: () => {
        this.#rows = undefined;
        void this.#load();
      },
    });
    if (started) {
      this.#state.draft.saved();
    } else {
      this.#state.draft.find();
      void this.#load();
    }
  }

  get title(): string {
    return createTrainTitle(this.form);
  }

  get isDirty(): boolean {
    return this.#state.draft.isDirty;
  }

  get connectionId(): string {
    return this.form.connectionId;
  }

  get form(): TrainForm {
    return this.#state.draft.form;
  }

  snapshot(): ToPage[] {
    return [
      this.#createBegin(),
      ...(this.#choices ? [{ type: "loaded", choices: this.#choices } as const] : []),
      ...(this.#rows ? [this.#rows] : []),
      ...this.#state.messages,
      ...(this.#started ? [{ type: "started", training: this.#started } as const] : []),
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "changed":
        if (!this.#started) this.#change(message.draft);
        break;
      case "pickTable":
        void this.#pickTable();
        break;
      case "loadRows":
        void this.#loadRows();
        break;
      case "send":
        void this.#send(message.draft);
        break;
      case "copySql":
        void this.#copySql(message.draft);
        break;
      case "showModel":
        if (this.#started) {
          const { project, name, version } = this.#started;
          const model: ModelRef = { connectionId: this.connectionId, project, name, version };
          void vscode.commands.executeCommand(commands.modelShow, model);
        }
        break;
      case "another":
        this.#state.draft.replace(
          createTrainForm(this.connectionId, emptyTrainDraft(this.#draft.project)),
        );
        this.#showForm();
        break;
      case "restoreDraft":
      case "discardDraft":
      case "cancel":
      case "accept":
        this.#state.receive(message);
        break;
    }
  }

  /** Stores unsaved changes as a draft. A request under way goes on: the server would not notice its end. */
  onClosed(): void {
    this.#reading?.abort();
    if (!this.#state.isSending) this.#state.close();
  }

  #createBegin(): ToPage {
    return {
      type: "begin",
      form: this.form,
      connection: this.#state.connectionName,
      texts: createTrainTexts(this.form),
      locale: vscode.env.language,
    };
  }

  #updateDraft(draft: TrainDraft): void {
    this.#draft = draft;
    this.#state.draft.change({ draft });
  }

  #change(draft: TrainDraft): void {
    const isOtherProject = draft.project !== this.#choices?.project;
    this.#updateDraft(draft);
    if (isOtherProject && this.#choices) void this.#load();
    this.#readRows(draft.source === "select" ? restMs : 0);
  }

  #showForm(): void {
    this.#draft = this.form.draft;
    this.#started = undefined;
    this.#state.clearRefusal();
    this.#rows = undefined;
    this.#rowsOf = undefined;
    this.#options.onFormReplaced(this);
    this.#post(this.#createBegin());
    if (this.#choices) this.#post({ type: "loaded", choices: this.#choices });
    void this.#load();
  }

  async #load(): Promise<void> {
    this.#readRows(0);
    const draft = this.#draft;
    try {
      const choices = await loadChoices(this.#options.servers, { ...this.form, draft });
      if (draft.project !== this.#draft.project) return;
      this.#choices = choices;
      this.#state.showLoadError(undefined);
      this.#post({ type: "loaded", choices });
    } catch (error) {
      this.#options.log.error("What a server can train could not be read", error);
      this.#state.showLoadError(this.#state.explain(error, "form"));
    }
  }

  /** Reads the first rows, unless they are those that are shown. */
  #readRows(delay: number): void {
    const { source, table } = this.#draft;
    const key = source === "same" ? undefined : (selectOfDraft(this.#draft) ?? "");
    if (key === this.#rowsOf && this.#rows) return;
    this.#rowsOf = key;
    this.#reading?.abort();
    if (key === undefined || key === "") {
      this.#showRows({ type: "rows", isReading: false });
      return;
    }
    const reading = new AbortController();
    this.#reading = reading;
    this.#showRows({ type: "rows", isReading: true });
    const timer = setTimeout(
      () =>
        void this.#fetchRows(source, table, {
          signal: reading.signal,
          isAllowed: this.#allowedRows === key,
        }),
      delay,
    );
    reading.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  /** Reads the rows although that may cost money, if the user agrees. */
  async #loadRows(): Promise<void> {
    const select = selectOfDraft(this.#draft);
    if (select === undefined) return;
    const button = vscode.l10n.t("Load Preview");
    const message = vscode.l10n.t("Load training rows that may cost money?");
    const detail = await presentStatement(select);
    if (detail === undefined) return;
    if ((await askConsent(message, detail, button)) !== button) return;
    // The user saw this statement, and no later one.
    if (selectOfDraft(this.#draft) !== select) return;
    this.#allowedRows = select;
    this.#rowsOf = undefined;
    this.#readRows(0);
  }

  async #fetchRows(
    source: TrainDraft["source"],
    table: string,
    { signal, isAllowed }: { signal: AbortSignal; isAllowed: boolean },
  ): Promise<void> {
    try {
      const { servers } = this.#options;
      const draft = { ...this.#draft, source, table };
      const rows = await readTrainingRows(servers, this.connectionId, draft, {
        signal,
        isAllowed,
      });
      if (signal.aborted) return;
      this.#showRows({ type: "rows", isReading: false, rows });
    } catch (error) {
      if (signal.aborted) return;
      if (isAppError(error, "mayCost")) {
        this.#showRows({ type: "rows", isReading: false, mayCost: true });
        return;
      }
      this.#options.log.error("The first training rows could not be read", error);
      const failure = this.#state.explain<TrainField>(
        error,
        source === "table" ? "table" : "select",
      );
      const notice = this.#state.createNotice(failure);
      this.#showRows({ type: "rows", isReading: false, notice });
    }
  }

  #showRows(rows: RowsMessage): void {
    this.#rows = rows;
    this.#post(rows);
  }

  async #pickTable(): Promise<void> {
    const picked = await this.#options.pickTable(this.connectionId);
    if (picked) this.#post({ type: "picked", table: tableEntry(picked) });
  }

  async #send(draft: TrainDraft): Promise<void> {
    if (this.#state.isSending || this.#started) return;
    this.#updateDraft(draft);
    await this.#state.send({
      request: (signal) => startTraining(this.#options.servers, this.form, draft, signal),
      show: (started) => {
        if (!started) return { field: "form", text: vscode.l10n.t("Nothing was sent.") };
        this.#showStarted(started);
        return undefined;
      },
      explain: (error, isCancelled) => this.#explain(error, draft, isCancelled),
    });
  }

  #explain(
    error: unknown,
    draft: TrainDraft,
    isCancelled: boolean,
  ): FormFailure<TrainField | "form"> {
    if (isCancelled) {
      const text = vscode.l10n.t(
        "The request was canceled. The server may train the model nevertheless.",
      );
      return { field: "form", text };
    }
    this.#options.log.error(`Training ${draft.name} could not be started`, error);
    const problem = findTrainingProblem(error, draft);
    if (problem) return { field: problem.field, text: formatTrainProblem(problem) };
    return this.#state.explain(error, "form");
  }

  #showStarted(training: StartedTraining): void {
    this.#state.draft.saved();
    this.#started = training;
    this.#post({ type: "started", training });
    this.#options.watch({ connectionId: this.connectionId, ...training });
  }

  async #copySql(draft: TrainDraft): Promise<void> {
    let text = vscode.l10n.t("Fill in the form first.");
    try {
      await vscode.env.clipboard.writeText(trainStatement(this.form, draft));
      text = vscode.l10n.t("Copied");
    } catch {
      // Only a complete draft has a statement.
    }
    this.#post({ type: "status", text });
  }
}

export function createTrainForm(connectionId: string, draft: TrainDraft): TrainForm {
  return { id: crypto.randomUUID(), connectionId, kind: "create", draft, initial: draft };
}

/** What the form is for: its unsaved changes are offered to the next form with the same target. */
function formTarget({ kind, connectionId, draft }: TrainForm): string {
  const parts = kind === "create" ? [] : [draft.project, draft.name];
  return ["train", kind, connectionId, ...parts].map(encodePart).join("/");
}

/** One key per retrained model, so that its form opens once; forms for new models have unique keys. */
export function trainPanelKey(form: TrainForm): string {
  return form.kind === "create" ? `train/${form.id}` : formTarget(form);
}
