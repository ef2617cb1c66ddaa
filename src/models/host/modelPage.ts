import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { commands, panels, sqlLanguage } from "../../ids.ts";
import type { ServerChange } from "../../shared/connection.ts";
import { changeOfItem } from "../../shared/itemChange.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { describeFirst, describeModel, type AskModel } from "../../mindsdb/describeModel.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import { isListAbsent } from "../../mindsdb/isListAbsent.ts";
import { isTraining } from "../../mindsdb/modelStatus.ts";
import { findVersion, isListed, listModels, unlistedModel } from "../../mindsdb/models.ts";
import type { Model, ModelVersion } from "../../mindsdb/listItems.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import { showText } from "../../shared/host/showText.ts";
import type { ItemRef, ModelRef } from "../../mindsdb/references.ts";
import { attributeTable, buildDescription, type ServerAnswers } from "../modelDescription.ts";
import type { DescriptionCache } from "../descriptionCache.ts";
import {
  modelCalls,
  type AttributeAnswer,
  type ModelContent,
  type WholeText,
} from "../modelPage.ts";
import { readTrainingProgress, type TrainingProgress } from "../../mindsdb/training.ts";
import type { ItemState } from "../../shared/itemPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { describeGone } from "../../shared/itemGone.ts";

export interface ModelPageOptions extends ItemPageOptions {
  descriptions: DescriptionCache;
}

/** The server lists no such model. */
class ModelGoneError extends AppError {}

/** All open model pages. A page is opened for one version, or for the active one. */
export const createModelPages = (options: ModelPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.model,
    page: "model",
    icon: "model",
    calls: modelCalls,
    create: (model, version?: number) => new ModelPage(model, version, options),
    readDetail: ({ version }) => (typeof version === "number" ? version : undefined),
  });

export class ModelPage extends ItemPage<ModelContent, typeof modelCalls, number> {
  readonly handlers: Handlers<typeof modelCalls>;
  readonly #options: ModelPageOptions;
  /** The rows that the description was made from. */
  #rows: Model | undefined;
  /** The rows in the last list that was read, by whatever part of the extension. */
  #listed: Model | undefined;
  readonly #polling = this.reads.create();
  readonly #readingProgress = this.reads.create();
  #isPolling = false;
  /** Something has changed during a poll. */
  #pollsAgain = false;

  constructor(item: ItemRef, chosen: number | undefined, options: ModelPageOptions) {
    super({ item, list: "models" }, { chosen, progress: "" }, options);
    this.#options = options;
    const shownModel = (): ModelRef => ({ ...item, version: this.state.current.chosen });
    /** A deleted model can only be refreshed. */
    const ifThere =
      <Given extends unknown[]>(handle: (...given: Given) => unknown) =>
      (...given: Given): unknown =>
        this.isGone ? undefined : handle(...given);
    this.handlers = {
      ...this.itemHandlers,
      refresh: () => {
        options.descriptions.forget(item);
        return this.load();
      },
      choose: ifThere((version: number) => this.#choose(version)),
      poll: () => this.#poll(),
      describe: ifThere((name: string) => this.#describeAttribute(name)),
      copy: (text) => vscode.env.clipboard.writeText(this.#text(text)),
      open: (text) =>
        showText(`${item.name.slice(0, 40)} query.sql`, this.#text(text), sqlLanguage),
      createEngine: ifThere(() => {
        const name = this.state.current.description?.missingEngine;
        const { connectionId } = item;
        return executeCommand(commands.mlEngineCreate, { connectionId, name });
      }),
      showEngine: () => {
        const { engine } = this.state.current.description ?? {};
        if (engine === undefined) return undefined;
        return executeCommand(commands.mlEngineShow, {
          connectionId: item.connectionId,
          handler: engine,
        });
      },
      predict: ifThere(() => executeCommand(commands.modelPredict, shownModel())),
      whatIf: ifThere(() => executeCommand(commands.predictWhatIf, shownModel())),
    };
    void this.load();
  }

  override handleServerChange(change: ServerChange): void {
    const { isLoading } = this.state.current;
    const isAsking = isLoading || this.#isPolling;
    switch (changeOfItem(change, "models", this.item)) {
      case "changed":
        // A request under way may have been answered before the change.
        if (isLoading) void this.load();
        else void this.#poll();
        break;
      case "absent":
        // A request under way will notice this itself.
        if (!isAsking && !this.isGone) void this.#poll();
        break;
      case "present": {
        if (change.kind !== "listed" || change.list !== "models") break;
        this.#listed = change.items.find(({ name }) => name === this.item.name);
        if (isAsking) break;
        if (this.isGone || !isDeepStrictEqual(this.#listed, this.#rows)) void this.load();
        break;
      }
      case undefined:
    }
  }

  /** Shows the version, if one is given; otherwise the one that is shown stays. */
  override reopen(version: number | undefined): void {
    if (version === undefined) super.reopen(version);
    else void this.#choose(version);
  }

  /** Shows another version. */
  async #choose(version: number): Promise<void> {
    this.state.update({ chosen: version });
    await this.load();
  }

  protected override async read(
    client: Client,
    signal: AbortSignal,
  ): Promise<Partial<ModelContent>> {
    const rows = await this.#list(client, signal);
    const version = this.#versionOf(rows);
    // The list is quick; describing may have to wait for the engine to start.
    if (isListed(rows)) this.state.update(this.#content(client, rows, version, {}, signal));
    const answers = await this.#describe(client, rows, version, signal);
    // An engine that has to start takes long enough for another training.
    if (this.#listed && !isDeepStrictEqual(this.#listed, rows)) return this.read(client, signal);
    return this.#content(client, rows, version, answers, signal);
  }

  protected override explainGone(error: unknown): string | undefined {
    return error instanceof ModelGoneError ? error.message : undefined;
  }

  async #list(client: Client, signal: AbortSignal): Promise<Model> {
    const { project, name } = this.item;
    let models: Model[];
    try {
      models = await listModels(client, project, { signal });
    } catch (error) {
      // If the server has this list, the project is gone.
      if (!isListAbsent(error)) throw isAppError(error, "notFound") ? this.#gone() : error;
      const version = await findVersion(client, this.item, { signal });
      return version ? { name, current: version, versions: [version] } : unlistedModel(name);
    }
    const found = models.find((model) => model.name === name);
    if (found) return found;
    throw this.#gone();
  }

  #gone(): ModelGoneError {
    return new ModelGoneError("notFound", describeGone(this.item));
  }

  #versionOf({ current, versions }: Model): ModelVersion {
    return versions.find(({ version }) => version === this.state.current.chosen) ?? current;
  }

  /** Reads the engine's summary, and those of the page's attributes that it lists. */
  async #describe(
    client: Client,
    model: Model,
    version: ModelVersion,
    signal: AbortSignal,
  ): Promise<ServerAnswers> {
    // An engine cannot describe a version before it is trained.
    if (isTraining(version)) return {};
    const answers: ServerAnswers = {};
    const { descriptions } = this.#options;
    const described = isListed(model) ? { ...this.item, version: version.version } : this.item;
    const remembered = descriptions.cached(this.item, version, (attribute) =>
      describeModel(client, described, attribute, { signal }),
    );
    const ask: AskModel = async (attribute) => {
      const rows = await remembered(attribute);
      // Kept if a later request fails.
      if (attribute === undefined) answers.summary = rows;
      return rows;
    };
    try {
      const { attributes, ...first } = await describeFirst(ask, version.status !== "error");
      Object.assign(answers, first);
      if (version.status === "error") return answers;
      // One after the other: an engine would start once for each parallel request.
      if (attributes.includes("features")) answers.features = await ask("features");
    } catch (error) {
      signal.throwIfAborted();
      if (!isListed(model)) throw isAppError(error, "notFound") ? this.#gone() : error;
      answers.failure = this.explain("could not be described", error).message;
    }
    return answers;
  }

  #content(
    client: Client,
    rows: Model,
    version: ModelVersion,
    answers: ServerAnswers,
    signal: AbortSignal,
  ): Partial<ItemState & ModelContent> {
    signal.throwIfAborted();
    this.#rows = rows;
    const description = buildDescription(rows, version, answers);
    if (description.isTraining) void this.#showProgress(client);
    else this.#readingProgress.abort();
    const progress = description.isTraining ? this.state.current.progress : "";
    return { description, progress, isGone: false, notice: undefined };
  }

  /** Shows stage and time of the trainings under way, where the server tells them. */
  async #showProgress(client: Client): Promise<void> {
    await this.#readingProgress.run((signal) => readTrainingProgress(client, this.item, signal), {
      show: (trainings) =>
        this.state.update({ progress: trainings.map(formatTrainingProgress).join(" ") }),
      fail: (error) => void this.explain("could not be asked for its progress", error),
    });
  }

  /** Reads the list, and everything else only if the model's rows have changed. */
  async #poll(): Promise<void> {
    if (this.state.current.isLoading) return;
    this.#pollsAgain = this.#isPolling;
    if (this.#isPolling) return;
    this.#isPolling = true;
    await this.#polling.run(
      async (signal) => {
        const client = await this.#options.servers.client(this.item.connectionId);
        return { client, rows: await this.#list(client, signal) };
      },
      {
        show: async ({ client, rows }) => {
          const isChanged =
            this.state.current.notice !== undefined || !isDeepStrictEqual(rows, this.#rows);
          if (isChanged) await this.load();
          else if (rows.versions.some(isTraining)) await this.#showProgress(client);
        },
        fail: (error) => {
          // Other failures may pass: the next poll asks again.
          if (isAppError(error, "notFound", "signInNeeded")) this.fail(error);
          else this.explain("could not be polled", error);
        },
      },
    );
    this.#isPolling = false;
    if (this.#pollsAgain) await this.#poll();
  }

  async #describeAttribute(name: string): Promise<AttributeAnswer> {
    try {
      const client = await this.#options.servers.client(this.item.connectionId);
      const model = { ...this.item, version: this.state.current.description?.version };
      return { table: attributeTable(await describeModel(client, model, name)) };
    } catch (error) {
      return { failure: this.explain(`could not be asked for ${name}`, error).message };
    }
  }

  #text(of: WholeText): string {
    const { query = "", options = "", error } = this.state.current.description ?? {};
    switch (of) {
      case "query":
        return query;
      case "options":
        return options;
      case "error":
        return error?.whole ?? error?.sentence ?? "";
    }
  }
}

function formatTrainingProgress({ version, seconds, stage }: TrainingProgress): string {
  if (!stage) return vscode.l10n.t("Version {0}: {1} s.", version, seconds);
  const { number, of, name } = stage;
  return vscode.l10n.t(
    "Version {0}: stage {1} of {2} ({3}), {4} s.",
    version,
    number,
    of,
    name,
    seconds,
  );
}
