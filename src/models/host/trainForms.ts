// All open forms that train models. Imported with the first one.
import * as v from "valibot";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { panels } from "../../ids.ts";
import { encodePart } from "../../mindsdb/encodePart.ts";
import { findVersion } from "../../mindsdb/models.ts";
import { canFinetune } from "../../mindsdb/modelStatus.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { readTrainingOptions } from "../../mindsdb/training.ts";
import { AppError } from "../../mindsdb/errors.ts";
import { FormPages, type FormPagesOptions } from "../../shared/host/formPages.ts";
import { formatOptions } from "../optionLines.ts";
import {
  emptyTrainDraft,
  trainForm,
  type TrainDraft,
  type TrainForm,
  type TrainKind,
} from "../trainDraft.ts";
import { startedTraining, trainCalls, type TrainContent } from "../trainPage.ts";
import type { TrainField } from "../trainValidation.ts";
import { createTrainForm, TrainPage, type TrainPageOptions } from "./trainPage.ts";

type TrainFormsOptions = FormPagesOptions & TrainPageOptions;

const savedState = v.pipe(
  v.object({ form: trainForm, started: v.nullish(startedTraining) }),
  v.transform(({ form, started }) => ({
    form,
    content: { started: started ?? undefined },
    isDone: Boolean(started),
  })),
);

/** Identifies the form's subject: the next form with the same target begins with its unsaved changes. */
function targetOf({ kind, connectionId, draft }: TrainForm): string {
  const parts = kind === "create" ? [] : [draft.project, draft.name];
  return ["train", kind, connectionId, ...parts].map(encodePart).join("/");
}

export class TrainForms extends FormPages<
  TrainForm,
  TrainField,
  TrainContent,
  typeof trainCalls,
  TrainPage
> {
  readonly #servers: ServerAccess;

  constructor(options: TrainFormsOptions) {
    super(
      {
        viewType: panels.modelTrain,
        page: "modelTrain",
        icon: "model",
        calls: trainCalls,
        form: trainForm,
        pageState: savedState,
        // A form for a new model has a key of its own, so that one with other rows can be open beside it.
        keyOf: (form) => (form.kind === "create" ? `train/${form.id}` : targetOf(form)),
        targetOf,
        create: (opened) => new TrainPage(opened, options),
      },
      options,
    );
    this.#servers = options.servers;
  }

  /** Opens a form for a new model in this project; `chosen` fills in fields. */
  create(connectionId: string, project: string, chosen: Partial<TrainDraft> = {}): void {
    const form = createTrainForm(connectionId, { ...emptyTrainDraft(project), ...chosen });
    this.show(form, {}, { isChosen: Object.keys(chosen).length > 0 });
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
        "The engine {0} can't fine-tune. Retrain {1} instead.",
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
    const form: TrainForm = {
      ...createTrainForm(connectionId, draft),
      kind,
      version: version.version,
      query: version.query,
      hasHidden,
    };
    this.show(form, {});
  }
}
