// All open forms that train models. Imported with the first one.
import * as v from "valibot";
import type * as vscode from "vscode";
import { panels } from "../../ids.ts";
import { findVersion } from "../../mindsdb/models.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { readTrainingOptions } from "../../mindsdb/training.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { DraftStore } from "../../shared/host/draftStore.ts";
import {
  Panels,
  type PanelRestorer,
  type PostToPage,
  type RestoredPanel,
} from "../../shared/host/panels.ts";
import { emptyTrainDraft, formatOptions, type TrainDraft, type TrainKind } from "../trainDraft.ts";
import {
  toHost,
  trainState,
  type StartedTraining,
  type ToHost,
  type ToPage,
  type TrainForm,
} from "../trainMessages.ts";
import { createTrainForm, TrainPanel, trainPanelKey, type TrainFormOptions } from "./trainPanel.ts";

export interface TrainFormsOptions extends Omit<
  TrainFormOptions,
  "onFormReplaced" | "onDirtyChanged" | "drafts"
> {
  extensionUri: vscode.Uri;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
}

export class TrainForms implements PanelRestorer {
  readonly #options: TrainFormsOptions;
  readonly #panels: Panels<ToHost, ToPage, TrainPanel>;
  readonly #drafts: DraftStore;

  constructor(options: TrainFormsOptions) {
    this.#options = options;
    this.#drafts = new DraftStore(options.draftsFolder, (error) =>
      options.log.error("A draft could not be kept", error),
    );
    this.#panels = new Panels({
      viewType: panels.modelTrain,
      extensionUri: options.extensionUri,
      page: "modelTrain",
      icon: "model",
      incoming: toHost,
      restore: (state) => this.#restoreForm(state),
      log: options.log,
    });
  }

  /** Opens a form for a new model in this project; `chosen` fills in fields. */
  create(connectionId: string, project: string, chosen: Partial<TrainDraft> = {}): void {
    this.#show(createTrainForm(connectionId, { ...emptyTrainDraft(project), ...chosen }));
  }

  /** Opens the form for a new version of a model. Throws AppError. */
  async train(kind: Exclude<TrainKind, "create">, model: ModelRef): Promise<void> {
    const { connectionId, project, name } = model;
    const client = await this.#options.servers.client(connectionId);
    const version = await findVersion(client, model);
    if (!version) throw new AppError("notFound", `${name} was not found.`);
    const { options, hasHidden } = await readTrainingOptions(client, { project, name });
    const draft: TrainDraft = {
      ...emptyTrainDraft(project),
      name,
      source: kind === "retrain" ? "same" : "table",
      target: version.target ?? "",
      engine: version.engine ?? "",
      options: kind === "retrain" ? formatOptions(options) : "",
    };
    this.#show({
      ...createTrainForm(connectionId, draft),
      kind,
      version: version.version,
      query: version.query,
      hasHidden,
    });
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #show(form: TrainForm): void {
    this.#panels.show(trainPanelKey(form), (post) => this.#createPanel(form, post));
  }

  #restoreForm(state: unknown): RestoredPanel<ToPage, TrainPanel> | undefined {
    const saved = v.safeParse(trainState, state);
    if (!saved.success) return undefined;
    const { form, started } = saved.output;
    return { key: trainPanelKey(form), create: (post) => this.#createPanel(form, post, started) };
  }

  #createPanel(
    form: TrainForm,
    post: PostToPage<ToPage>,
    started?: StartedTraining | null,
  ): TrainPanel {
    const options: TrainFormOptions = {
      ...this.#options,
      drafts: this.#drafts,
      onFormReplaced: (panel) => this.#panels.rename(panel, trainPanelKey(panel.form)),
      onDirtyChanged: (panel) => this.#panels.updateTitle(panel),
    };
    return new TrainPanel(form, post, options, started);
  }
}
