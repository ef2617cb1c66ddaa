// All open forms that train models. Imported with the first one.
import * as v from "valibot";
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { panels } from "../../ids.ts";
import { findVersion } from "../../mindsdb/models.ts";
import { canFinetune } from "../../mindsdb/modelStatus.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { readTrainingOptions } from "../../mindsdb/training.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { FormPanels, type FormHooks } from "../../shared/host/formPanels.ts";
import { emptyTrainDraft, type TrainDraft, type TrainKind, type TrainForm } from "../trainDraft.ts";
import { formatOptions } from "../optionLines.ts";
import {
  toHost,
  trainState,
  type StartedTraining,
  type ToHost,
  type ToPage,
} from "../trainMessages.ts";
import { createTrainForm, TrainPanel, trainPanelKey, type TrainFormOptions } from "./trainPanel.ts";

interface TrainFormsOptions extends Omit<TrainFormOptions, keyof FormHooks<TrainPanel>> {
  extensionUri: vscode.Uri;
  /** The folder for unsaved changes of closed forms; it need not exist. */
  draftsFolder: string;
}

const savedState = v.pipe(
  trainState,
  v.transform(({ form, started }) => ({ form, known: started ?? undefined })),
);

export class TrainForms extends FormPanels<ToHost, ToPage, TrainForm, StartedTraining, TrainPanel> {
  readonly #servers: ServerAccess;

  constructor(options: TrainFormsOptions) {
    super({
      ...options,
      viewType: panels.modelTrain,
      page: "modelTrain",
      icon: "model",
      incoming: toHost,
      pageState: savedState,
      keyOf: trainPanelKey,
      create: (form, post, hooks, started) =>
        new TrainPanel(form, post, { ...options, ...hooks }, started),
    });
    this.#servers = options.servers;
  }

  /** Opens a form for a new model in this project; `chosen` fills in fields. */
  create(connectionId: string, project: string, chosen: Partial<TrainDraft> = {}): void {
    this.show(createTrainForm(connectionId, { ...emptyTrainDraft(project), ...chosen }));
  }

  /** Opens the form for a new version of a model. Throws AppError. */
  async train(kind: Exclude<TrainKind, "create">, model: ModelRef): Promise<void> {
    const { connectionId, project, name } = model;
    const client = await this.#servers.client(connectionId);
    const version = await findVersion(client, model);
    if (!version) throw new AppError("notFound", vscode.l10n.t("{0} was not found.", name));
    const { engine = "" } = version;
    // The server would add a version that has failed.
    if (kind === "finetune" && engine !== "" && !canFinetune(engine)) {
      const message = vscode.l10n.t(
        "The engine {0} cannot finetune. Retrain {1} instead.",
        engine,
        name,
      );
      throw new AppError("refused", message);
    }
    const { options, hasHidden } = await readTrainingOptions(client, { project, name });
    const draft: TrainDraft = {
      ...emptyTrainDraft(project),
      name,
      source: kind === "retrain" ? "same" : "table",
      target: version.target ?? "",
      engine,
      options: kind === "retrain" ? formatOptions(options) : "",
    };
    this.show({
      ...createTrainForm(connectionId, draft),
      kind,
      version: version.version,
      query: version.query,
      hasHidden,
    });
  }
}
