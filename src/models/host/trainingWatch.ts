// Waits for the trainings that this window has started, and says once when each is over. They are remembered, so that a
// reload of the window loses none.
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import * as vscode from "vscode";
import type { ServerAccess } from "../../shared/connection.ts";
import { commands, watchedTrainingsKey } from "../../ids.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { withoutTraceback } from "../../mindsdb/http/httpResponse.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { Model, ModelVersion } from "../../mindsdb/listItems.ts";
import { isTraining } from "../../mindsdb/modelStatus.ts";
import { listModels } from "../../mindsdb/models.ts";
import { isSameItem, type ItemRef } from "../../mindsdb/references.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import type { Log } from "../../shared/host/log.ts";
import { showErrorMessage, showInformation } from "../../shared/host/notifications.ts";
import { truncate } from "../../shared/oneLine.ts";
import type { DescriptionCache } from "../descriptionCache.ts";
import { describeVersion } from "../describeVersion.ts";
import type { Figure } from "../modelPage.ts";

const training = v.object({
  connectionId: v.string(),
  project: v.string(),
  name: v.string(),
  version: v.number(),
});
type Training = v.InferOutput<typeof training>;

export interface TrainingWatchOptions {
  servers: ServerAccess;
  descriptions: DescriptionCache;
  /** Remembers the trainings that the user waits for. */
  state: vscode.Memento;
  log: Log;
}

interface TrainedVersion {
  model: Model;
  version: ModelVersion;
  client: Client;
}

/** Poll intervals, in ms; they grow from the first to the last. */
const firstWaitMs = 1_000;
const maxWaitMs = 15_000;
const waitGrowth = 1.3;
/** After so long without an answer, the training is no longer waited for, in ms. */
const maxSilenceMs = 10 * 60_000;

export class TrainingWatch implements vscode.Disposable {
  readonly #options: TrainingWatchOptions;
  readonly #disposed = new AbortController();
  #trainings: readonly Training[] = [];

  constructor(options: TrainingWatchOptions) {
    this.#options = options;
    const stored = v.safeParse(v.array(training), options.state.get(watchedTrainingsKey));
    for (const one of stored.success ? stored.output : []) this.add(one);
  }

  /** Waits for a training; one that is waited for already is not added. */
  add(added: Training): void {
    if (this.#trainings.some((other) => isSame(other, added))) return;
    this.#remember([...this.#trainings, added]);
    void this.#follow(added);
  }

  dispose(): void {
    this.#disposed.abort();
  }

  #remember(trainings: readonly Training[]): void {
    this.#trainings = trainings;
    void this.#options.state.update(
      watchedTrainingsKey,
      trainings.length > 0 ? trainings : undefined,
    );
  }

  async #follow(followed: Training): Promise<void> {
    try {
      const end = await this.#untilOver(followed);
      // Another window's user may have deleted it.
      if (end) await this.#report(followed, end);
    } catch (error) {
      if (this.#disposed.signal.aborted) return;
      this.#options.log.error(`The training of ${followed.name} could not be followed`, error);
    }
    this.#remember(this.#trainings.filter((other) => !isSame(other, followed)));
  }

  /** Resolves with the model once the version is trained or has failed; undefined if it is gone. */
  async #untilOver({
    connectionId,
    project,
    name,
    version,
  }: Training): Promise<TrainedVersion | undefined> {
    const { signal } = this.#disposed;
    let wait = firstWaitMs;
    let answeredAt = Date.now();
    for (;;) {
      await sleep(wait, undefined, { signal });
      wait = Math.min(maxWaitMs, wait * waitGrowth);
      try {
        const client = await this.#options.servers.client(connectionId);
        const models = await listModels(client, project, { signal });
        answeredAt = Date.now();
        const model = models.find((one) => one.name === name);
        const found = model?.versions.find((one) => one.version === version);
        if (!model || !found) return undefined;
        if (!isTraining(found)) return { model, version: found, client };
      } catch (error) {
        const isOver = isAppError(error, "notFound") || Date.now() - answeredAt > maxSilenceMs;
        if (isOver) throw error;
      }
    }
  }

  async #report(
    { connectionId, project, name }: Training,
    { model, version, client }: TrainedVersion,
  ): Promise<void> {
    const ref = { connectionId, project, name };
    const show = vscode.l10n.t("Show Model");
    if (version.status === "error") {
      const reason = truncate(withoutTraceback(version.error ?? ""), 300);
      const message = vscode.l10n.t("Training {0} failed: {1}", name, reason);
      if ((await showErrorMessage(message, show)) === show) {
        await this.#show({ ...ref, version: version.version });
      }
      return;
    }
    const before = model.versions.find(
      (one) => one.version < version.version && one.status === "complete",
    );
    const figure = await this.#readAccuracy(client, ref, model, version);
    const earlier = before && (await this.#readAccuracy(client, ref, model, before, figure?.name));
    const use = vscode.l10n.t("Use This Version");
    const message = formatTrained({ name, version, figure, before, earlier });
    const pressed = await showInformation(message, show, ...(version.active ? [] : [use]));
    if (pressed === show) await this.#show({ ...ref, version: version.version });
    if (pressed === use) {
      const chosen = { ...ref, version: version.version };
      await executeCommand(commands.modelUseVersion, chosen);
    }
  }

  async #show(model: Training): Promise<void> {
    await executeCommand(commands.modelShow, model);
  }

  /** The first accuracy that the engine tells, or the one of this name. */
  async #readAccuracy(
    client: Client,
    ref: ItemRef,
    model: Model,
    version: ModelVersion,
    metric?: string,
  ): Promise<Figure | undefined> {
    const { descriptions } = this.#options;
    const { accuracies } = await describeVersion(client, descriptions, { ref, model, version });
    return metric === undefined ? accuracies[0] : accuracies.find(({ name }) => name === metric);
  }
}

function formatTrained({
  name,
  version: { version },
  figure,
  before,
  earlier,
}: {
  name: string;
  version: ModelVersion;
  figure: Figure | undefined;
  before: ModelVersion | undefined;
  earlier: Figure | undefined;
}): string {
  const trained =
    version === 1
      ? vscode.l10n.t("{0} is trained.", name)
      : vscode.l10n.t("{0} version {1} is trained.", name, version);
  if (!figure) return trained;
  const metric = figure.name === "" ? vscode.l10n.t("Accuracy") : figure.name;
  const value = formatNumber(figure.value);
  const now =
    before && earlier
      ? vscode.l10n.t(
          "{0}: {1} (version {2}: {3}).",
          metric,
          value,
          before.version,
          formatNumber(earlier.value),
        )
      : `${metric}: ${value}.`;
  return `${trained} ${now}`;
}

function formatNumber(value: number): string {
  return value.toLocaleString(vscode.env.language, { maximumSignificantDigits: 4 });
}

function isSame(a: Training, b: Training): boolean {
  return isSameItem(a, b) && a.version === b.version;
}
