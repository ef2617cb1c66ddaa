// The host behind one model page: asks the server for what there is, and for more while a training goes on.
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import type { ServerAccess, ServerChange } from "../../connections/connection.ts";
import { changeOfItem } from "../../connections/itemChange.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { describeFirst, describeModel, type AskModel } from "../../mindsdb/describeModel.ts";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import { isListAbsent } from "../../mindsdb/missingLists.ts";
import { isTraining } from "../../mindsdb/modelStatus.ts";
import {
  findVersion,
  isListed,
  listModels,
  unlistedModel,
  type Model,
  type ModelVersion,
} from "../../mindsdb/models.ts";
import { explainError, runAction, type ErrorAction } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { attributeTable, buildDescription, type ServerAnswers } from "../modelDescription.ts";
import type { DescriptionCache } from "../descriptionCache.ts";
import type { ItemRef, ModelRef } from "../../mindsdb/references.ts";
import type { ModelDescription, Notice, ToHost, ToPage } from "../messages.ts";
import { modelTexts } from "./modelTexts.ts";

export interface ModelPanelOptions {
  servers: ServerAccess;
  /** What is known of models already. */
  descriptions: DescriptionCache;
  log: Log;
}

/** The server lists no such model. */
class ModelGoneError extends AppError {}

export class ModelPanel implements PanelContent<ToHost, ToPage> {
  readonly model: ItemRef;
  readonly #post: PostToPage<ToPage>;
  readonly #options: ModelPanelOptions;
  /** The version that the user chose; undefined is the active one. */
  #chosen: number | undefined;
  #description: ModelDescription | undefined;
  /** What the description was made of. */
  #rows: Model | undefined;
  #failure: Notice | undefined;
  #isGone = false;
  #action: ErrorAction | undefined;
  /** The round of questions under way. */
  #asking: AbortController | undefined;
  #isPolling = false;
  /** Something has changed while a poll was on its way. */
  #pollsAgain = false;

  constructor(
    model: ItemRef,
    version: number | undefined,
    post: PostToPage<ToPage>,
    options: ModelPanelOptions,
  ) {
    this.model = model;
    this.#chosen = version;
    this.#post = post;
    this.#options = options;
    void this.#ask();
  }

  get title(): string {
    return this.model.name;
  }

  /** Whether the server has said that it has no such model. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** What some part of the product has learned about the server may be about this model. */
  learn(change: ServerChange): void {
    const isAsking = this.#asking !== undefined || this.#isPolling;
    switch (changeOfItem(change, "models", this.model)) {
      case "changed":
        // What is on its way may have been read before.
        if (this.#asking) void this.#ask();
        else void this.#poll();
        break;
      case "absent":
        // What this page is asking at the moment says so itself.
        if (!isAsking && !this.#isGone) void this.#poll();
        break;
      case "present": {
        if (isAsking || change.kind !== "listed" || change.list !== "models") break;
        const rows = change.items.find(({ name }) => name === this.model.name);
        if (this.#isGone || !isDeepStrictEqual(rows, this.#rows)) void this.#ask();
        break;
      }
      case undefined:
    }
  }

  /** Asks again if the model is gone: a name can be used again. */
  shownAgain(): void {
    if (this.#isGone) void this.#ask();
  }

  /** What is shown now, if anything. */
  get description(): ModelDescription | undefined {
    return this.#description;
  }

  snapshot(): ToPage[] {
    const { connectionId } = this.model;
    return [
      {
        type: "begin",
        model: this.model,
        connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
        texts: modelTexts(),
        locale: vscode.env.language,
      },
      ...(this.#description ? [this.#described(this.#description)] : []),
      ...(this.#failure ? [this.#failed(this.#failure)] : []),
      ...(this.#asking ? [{ type: "asking" } as const] : []),
    ];
  }

  receive(message: ToHost): void {
    if (this.#isGone && ["choose", "attribute", "predict"].includes(message.type)) return;
    switch (message.type) {
      case "choose":
        this.choose(message.version);
        break;
      case "refresh":
        this.#options.descriptions.forget(this.model);
        void this.#ask();
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
        void this.#open(this.#text(message.text));
        break;
      case "predict":
        void vscode.commands.executeCommand(commands.modelPredict, this.#shownModel());
        break;
      case "accept":
        void this.#accept();
        break;
    }
  }

  /** Shows another version; undefined is the active one. */
  choose(version: number | undefined): void {
    this.#chosen = version;
    void this.#ask();
  }

  #shownModel(): ModelRef {
    return { ...this.model, version: this.#chosen };
  }

  closed(): void {
    this.#asking?.abort();
  }

  /** Asks for everything; what is asked for at the moment is of no interest any more. */
  async #ask(): Promise<void> {
    this.#asking?.abort();
    const asking = new AbortController();
    const { signal } = asking;
    this.#asking = asking;
    this.#post({ type: "asking" });
    try {
      const client = await this.#options.servers.client(this.model.connectionId);
      const rows = await this.#list(client, signal);
      const version = this.#versionOf(rows);
      // The list is quick; describing may have to wait for the engine to start.
      if (isListed(rows)) this.#show(rows, version, {}, signal);
      const answers = await this.#describe(client, rows, version, signal);
      signal.throwIfAborted();
      this.#asking = undefined;
      this.#show(rows, version, answers, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#asking = undefined;
      this.#fail(error);
    }
  }

  async #list(client: Client, signal: AbortSignal): Promise<Model> {
    const { project, name } = this.model;
    let models: Model[];
    try {
      models = await listModels(client, project, { signal });
    } catch (error) {
      // Of a server that has the list it is the project that is gone.
      if (!isListAbsent(error)) throw isAppError(error, "notFound") ? this.#gone() : error;
      const version = await findVersion(client, this.model, { signal });
      return version ? { name, current: version, versions: [version] } : unlistedModel(name);
    }
    const found = models.find((model) => model.name === name);
    if (found) return found;
    throw this.#gone();
  }

  #gone(): ModelGoneError {
    const { project, name } = this.model;
    return new ModelGoneError(
      "notFound",
      vscode.l10n.t("{0} is no longer in {1}. It was deleted.", name, project),
    );
  }

  #versionOf({ current, versions }: Model): ModelVersion {
    return versions.find(({ version }) => version === this.#chosen) ?? current;
  }

  /** Engine details: its summary, and those of our attributes that the summary lists. */
  async #describe(
    client: Client,
    model: Model,
    version: ModelVersion,
    signal: AbortSignal,
  ): Promise<ServerAnswers> {
    // Until a version is trained its engine knows nothing of it.
    if (isTraining(version)) return {};
    const answers: ServerAnswers = {};
    const { descriptions } = this.#options;
    const described = isListed(model) ? { ...this.model, version: version.version } : this.model;
    const remembered = descriptions.remembering(this.model, version, (attribute) =>
      describeModel(client, described, attribute, { signal }),
    );
    const ask: AskModel = async (attribute) => {
      const rows = await remembered(attribute);
      // What is known stays known when a later question fails.
      if (attribute === undefined) answers.summary = rows;
      return rows;
    };
    try {
      const { attributes, ...first } = await describeFirst(ask, version.status !== "error");
      Object.assign(answers, first);
      if (version.status === "error") return answers;
      // One after the other: an engine that starts does so for each request that waits.
      if (attributes.includes("features")) answers.features = await ask("features");
    } catch (error) {
      signal.throwIfAborted();
      if (!isListed(model)) throw isAppError(error, "notFound") ? this.#gone() : error;
      this.#options.log.error(`${this.model.name} could not be described`, error);
      answers.failure = this.#explain(error).message;
    }
    return answers;
  }

  #show(rows: Model, version: ModelVersion, answers: ServerAnswers, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#rows = rows;
    this.#failure = undefined;
    this.#isGone = false;
    this.#description = buildDescription(rows, version, answers);
    this.#post(this.#described(this.#description));
  }

  #described(description: ModelDescription): ToPage {
    const chosen = this.#chosen === undefined ? {} : { chosen: this.#chosen };
    return { type: "described", description, ...chosen };
  }

  #fail(error: unknown): void {
    this.#options.log.error(`The model ${this.model.name} could not be read`, error);
    const { message, action } = this.#explain(error);
    this.#action = action;
    this.#isGone = error instanceof ModelGoneError;
    this.#failure = { text: message, ...(action ? { action: action.title } : {}) };
    this.#post(this.#failed(this.#failure));
  }

  #failed(notice: Notice): ToPage {
    return { type: "failed", notice, isGone: this.#isGone };
  }

  /** What the notice's button does may be what was missing. */
  async #accept(): Promise<void> {
    if (!this.#action) return;
    await runAction(this.#action);
    await this.#ask();
  }

  #explain(error: unknown): ReturnType<typeof explainError> {
    const { connectionId } = this.model;
    return explainError(error, {
      connectionId,
      address: this.#options.servers.find(connectionId)?.address,
    });
  }

  /** Looks whether anything has changed, and only then asks for everything. */
  async #poll(): Promise<void> {
    if (this.#asking) return;
    this.#pollsAgain = this.#isPolling;
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      const client = await this.#options.servers.client(this.model.connectionId);
      const rows = await this.#list(client, new AbortController().signal);
      if (this.#failure || !isDeepStrictEqual(rows, this.#rows)) await this.#ask();
    } catch (error) {
      // Then there is nothing to wait for.
      if (isAppError(error, "notFound", "signInNeeded")) this.#fail(error);
      else this.#options.log.error(`${this.model.name} was asked for its training in vain`, error);
    } finally {
      this.#isPolling = false;
    }
    if (this.#pollsAgain) await this.#poll();
  }

  async #attribute(name: string): Promise<void> {
    if (!this.#description) return;
    const { version } = this.#description;
    const about = { name, ...(version === undefined ? {} : { version }) };
    try {
      const client = await this.#options.servers.client(this.model.connectionId);
      const rows = await describeModel(
        client,
        { ...this.model, ...(version === undefined ? {} : { version }) },
        name,
      );
      this.#post({ type: "attribute", ...about, table: attributeTable(rows) });
    } catch (error) {
      this.#options.log.error(`${name} of ${this.model.name} could not be read`, error);
      const failure = this.#explain(error).message;
      this.#post({ type: "attribute", ...about, failure });
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

  async #open(content: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: "sql", content });
    await vscode.window.showTextDocument(document);
  }
}
