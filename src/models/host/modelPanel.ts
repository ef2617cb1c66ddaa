import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { ServerChange } from "../../connections/connection.ts";
import { changeOfItem } from "../../connections/itemChange.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { describeFirst, describeModel, type AskModel } from "../../mindsdb/describeModel.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import { isListAbsent } from "../../mindsdb/isListAbsent.ts";
import { isTraining } from "../../mindsdb/modelStatus.ts";
import { findVersion, isListed, listModels, unlistedModel } from "../../mindsdb/models.ts";
import type { Model, ModelVersion } from "../../mindsdb/listItems.ts";
import { ItemPanels, type ItemPageOptions } from "../../shared/host/itemPanels.ts";
import { LoadedItemPanel } from "../../shared/host/loadedItemPanel.ts";
import { Panels, type Create, type PostToPage } from "../../shared/host/panels.ts";
import { showText } from "../../shared/host/showText.ts";
import type { ItemRef, ModelRef } from "../../mindsdb/references.ts";
import { attributeTable, buildDescription, type ServerAnswers } from "../modelDescription.ts";
import type { DescriptionCache } from "../descriptionCache.ts";
import { pageState, toHost, type ModelDescription, type ToHost, type ToPage } from "../messages.ts";
import { readTrainingProgress } from "../../mindsdb/training.ts";
import { createModelTexts, formatTrainingProgress } from "../modelTexts.ts";

export interface ModelPanelOptions extends ItemPageOptions {
  descriptions: DescriptionCache;
}

/** The server lists no such model. */
class ModelGoneError extends AppError {}

const savedState = v.pipe(
  pageState,
  v.transform(({ model, version }) => ({ item: model, detail: version })),
);

/** All open model pages. A page is opened for one version, or for the active one. */
export function createModelPanels(
  options: ModelPanelOptions,
): ItemPanels<number, ModelPanel, Create<ToPage, ModelPanel>> {
  return new ItemPanels({
    changes: options.changes,
    panels: (restore) =>
      new Panels<ToHost, ToPage, ModelPanel>({
        ...options,
        viewType: panels.model,
        page: "model",
        icon: "model",
        incoming: toHost,
        restore,
      }),
    pageState: savedState,
    create: (model, version) => (post) => new ModelPanel(model, version, post, options),
  });
}

export class ModelPanel extends LoadedItemPanel<ToHost, ToPage, number> {
  readonly #options: ModelPanelOptions;
  /** The version that the user chose; undefined is the active one. */
  #chosen: number | undefined;
  #description: ModelDescription | undefined;
  /** The rows that the description was made from. */
  #rows: Model | undefined;
  #isPolling = false;
  /** Something has changed during a poll. */
  #pollsAgain = false;

  constructor(
    model: ItemRef,
    version: number | undefined,
    post: PostToPage<ToPage>,
    options: ModelPanelOptions,
  ) {
    super(model, "models", post, options);
    this.#chosen = version;
    this.#options = options;
    void this.loader.load();
  }

  override learn(change: ServerChange): void {
    const isAsking = this.loader.isLoading || this.#isPolling;
    switch (changeOfItem(change, "models", this.item)) {
      case "changed":
        // A request under way may have been answered before the change.
        if (this.loader.isLoading) void this.loader.load();
        else void this.#poll();
        break;
      case "absent":
        // A request under way will notice this itself.
        if (!isAsking && !this.isGone) void this.#poll();
        break;
      case "present": {
        if (isAsking || change.kind !== "listed" || change.list !== "models") break;
        const rows = change.items.find(({ name }) => name === this.item.name);
        if (this.isGone || !isDeepStrictEqual(rows, this.#rows)) void this.loader.load();
        break;
      }
      case undefined:
    }
  }

  /** Shows the version, if one is given; otherwise the one that is shown stays. */
  override reopen(version: number | undefined): void {
    if (version === undefined) super.reopen(version);
    else this.choose(version);
  }

  get description(): ModelDescription | undefined {
    return this.#description;
  }

  snapshot(): ToPage[] {
    return [
      {
        type: "begin",
        model: this.item,
        connection: this.loader.connectionName,
        texts: createModelTexts(),
        locale: vscode.env.language,
      },
      ...(this.#description ? [this.#described(this.#description)] : []),
      ...this.loader.messages,
    ];
  }

  receive(message: ToHost): void {
    if (this.isGone && ["choose", "attribute", "predict", "whatIf"].includes(message.type)) return;
    switch (message.type) {
      case "choose":
        this.choose(message.version);
        break;
      case "refresh":
        this.#options.descriptions.forget(this.item);
        void this.loader.load();
        break;
      case "poll":
        void this.#poll();
        break;
      case "attribute":
        void this.#attribute(message.name);
        break;
      case "copy":
        void vscode.env.clipboard.writeText(this.#text(message.text));
        break;
      case "open":
        void showText(`${this.item.name.slice(0, 40)} query.sql`, this.#text(message.text), "sql");
        break;
      case "predict":
        void vscode.commands.executeCommand(commands.modelPredict, this.#shownModel());
        break;
      case "whatIf":
        void vscode.commands.executeCommand(commands.predictWhatIf, this.#shownModel());
        break;
      case "accept":
        void this.loader.pressButton();
        break;
    }
  }

  /** Shows another version; undefined is the active one. */
  choose(version: number | undefined): void {
    this.#chosen = version;
    void this.loader.load();
  }

  #shownModel(): ModelRef {
    return { ...this.item, version: this.#chosen };
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<void> {
    const rows = await this.#list(client, signal);
    const version = this.#versionOf(rows);
    // The list is quick; describing may have to wait for the engine to start.
    if (isListed(rows)) this.#show(client, rows, version, {}, signal);
    const answers = await this.#describe(client, rows, version, signal);
    this.#show(client, rows, version, answers, signal);
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
    const { project, name } = this.item;
    return new ModelGoneError(
      "notFound",
      vscode.l10n.t("{0} is no longer in {1}. It was deleted.", name, project),
    );
  }

  #versionOf({ current, versions }: Model): ModelVersion {
    return versions.find(({ version }) => version === this.#chosen) ?? current;
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
      answers.failure = this.loader.explain("could not be described", error).message;
    }
    return answers;
  }

  #show(
    client: Client,
    rows: Model,
    version: ModelVersion,
    answers: ServerAnswers,
    signal: AbortSignal,
  ): void {
    signal.throwIfAborted();
    this.#rows = rows;
    this.loader.succeed();
    this.#description = buildDescription(rows, version, answers);
    this.post(this.#described(this.#description));
    if (this.#description.isTraining) void this.#postProgress(client);
  }

  /** Shows stage and time of the trainings under way, where the server tells them. */
  async #postProgress(client: Client): Promise<void> {
    try {
      const trainings = await readTrainingProgress(client, this.item);
      this.post({ type: "progress", text: trainings.map(formatTrainingProgress).join(" ") });
    } catch (error) {
      this.loader.explain("could not be asked for its progress", error);
    }
  }

  #described(description: ModelDescription): ToPage {
    return { type: "described", description, chosen: this.#chosen };
  }

  /** Reads the list, and everything else only if the model's rows have changed. */
  async #poll(): Promise<void> {
    if (this.loader.isLoading) return;
    this.#pollsAgain = this.#isPolling;
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const client = await this.#options.servers.client(this.item.connectionId);
      const rows = await this.#list(client, new AbortController().signal);
      const isChanged = this.loader.hasFailed || !isDeepStrictEqual(rows, this.#rows);
      if (isChanged) await this.loader.load();
      else if (rows.versions.some(isTraining)) await this.#postProgress(client);
    } catch (error) {
      // Other failures may pass: the next poll asks again.
      if (isAppError(error, "notFound", "signInNeeded")) this.loader.fail(error);
      else this.loader.explain("could not be polled", error);
    } finally {
      this.#isPolling = false;
    }
    if (this.#pollsAgain) await this.#poll();
  }

  async #attribute(name: string): Promise<void> {
    if (!this.#description) return;
    const { version } = this.#description;
    try {
      const client = await this.#options.servers.client(this.item.connectionId);
      const rows = await describeModel(client, { ...this.item, version }, name);
      this.post({ type: "attribute", name, version, table: attributeTable(rows) });
    } catch (error) {
      const { message } = this.loader.explain(`could not be asked for ${name}`, error);
      this.post({ type: "attribute", name, version, failure: message });
    }
  }

  #text(of: Extract<ToHost, { type: "copy" }>["text"]): string {
    const { query = "", options = "", error } = this.#description ?? {};
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
