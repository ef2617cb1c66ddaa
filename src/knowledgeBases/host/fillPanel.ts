// The page that adds the rows of a source to a knowledge base. The run belongs to it and goes on when the page is closed.
import * as vscode from "vscode";
import type { ServerAccess } from "../../connections/connection.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { hasNumericIds } from "../../mindsdb/knowledgeBaseContent.ts";
import { getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { commands } from "../../ids.ts";
import type { Row } from "../../predict/rows/row.ts";
import { explainError } from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import { NoticeButton } from "../../shared/host/noticeButton.ts";
import { showInformation } from "../../shared/host/notifications.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import {
  createTarget,
  findIdColumn,
  findMappingProblems,
  suggestMapping,
  type ColumnMapping,
  type FillTarget,
} from "../fill/columnMapping.ts";
import { DocumentReader, type FillDocument } from "../fill/documentReader.ts";
import {
  awaitLastBatch,
  createFillMemory,
  runFill,
  type FillMemory,
  type FillProgress,
  type FillResult,
} from "../fill/fillRun.ts";
import { createFillServer } from "../fill/fillServer.ts";
import type { SourceRef } from "../fill/sourceRef.ts";
import type { ToHost, ToPage } from "../fillMessages.ts";
import { createFillForm, listColumns } from "./fillForm.ts";
import { createFillSource, readHead, type FillSource } from "./fillSources.ts";
import { createFillTexts } from "../fillPageTexts.ts";
import { formatCount, formatOutcome, formatPhase } from "./fillTexts.ts";
import type { KnowledgeBaseWriters } from "./knowledgeBaseWriters.ts";
import { pickSource, type PickTable } from "./pickSource.ts";
import { withStatusBar } from "../../shared/host/withCancelButton.ts";

export interface FillPanelOptions {
  servers: ServerAccess;
  writers: KnowledgeBaseWriters;
  pickTable: PickTable;
  log: Log;
}

export interface FillStart {
  source: SourceRef;
  mapping?: ColumnMapping | undefined;
  existing?: "skip" | "replace";
}

export class FillPanel implements PanelContent<ToHost, ToPage> {
  readonly item: KnowledgeBaseRef;
  readonly #options: FillPanelOptions;
  #post: PostToPage<ToPage>;
  readonly #button = new NoticeButton();
  /** The newest message of each kind, for snapshots. */
  readonly #shown = new Map<ToPage["type"], ToPage>();
  #source: FillSource;
  #mapping: ColumnMapping | undefined;
  #existing: "skip" | "replace";
  #target: FillTarget = createTarget({});
  #head: Row[] = [];
  #reading: AbortController | undefined;
  #total = 0;
  #memory: FillMemory = createFillMemory();
  #result: FillResult | undefined;
  #running: AbortController | undefined;
  #isOpen = true;
  readonly #onIdle: () => void;

  /** `onIdle` is called when a run has ended and the page is closed. */
  constructor(
    item: KnowledgeBaseRef,
    start: FillStart,
    post: PostToPage<ToPage>,
    options: FillPanelOptions,
    onIdle: () => void,
  ) {
    this.item = item;
    this.#options = options;
    this.#post = post;
    this.#onIdle = onIdle;
    this.#source = createFillSource(start.source, options.servers, item.connectionId);
    this.#mapping = start.mapping;
    this.#existing = start.existing ?? "skip";
    void this.#read();
  }

  get title(): string {
    return vscode.l10n.t("Add to {0}", this.item.name);
  }

  get connectionId(): string {
    return this.item.connectionId;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Shows the panel on another page, after its page was closed. */
  attach(post: PostToPage<ToPage>): this {
    this.#post = post;
    this.#isOpen = true;
    return this;
  }

  /** Shows another source, unless a run is under way. */
  setSource(source: SourceRef): void {
    if (this.isRunning) return;
    this.#source = createFillSource(source, this.#options.servers, this.item.connectionId);
    this.#mapping = undefined;
    this.#memory = createFillMemory();
    this.#result = undefined;
    this.#shown.clear();
    this.#post(this.#createBegin());
    void this.#read();
  }

  snapshot(): ToPage[] {
    return [this.#createBegin(), ...this.#shown.values()];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "map":
        this.#map(message.mapping);
        break;
      case "setExisting":
        if (this.isRunning) break;
        this.#existing = message.existing;
        this.#showForm();
        break;
      case "chooseSource":
        void this.#chooseSource();
        break;
      case "start":
        void this.#start();
        break;
      case "cancel":
        this.#running?.abort();
        break;
      case "showMissing":
        void this.#showMissing();
        break;
      case "showKnowledgeBase":
        void vscode.commands.executeCommand(commands.knowledgeBaseShow, this.item);
        break;
      case "accept":
        void this.#accept();
        break;
    }
  }

  onClosed(): void {
    this.#isOpen = false;
    this.#reading?.abort();
    if (!this.isRunning) this.#onIdle();
  }

  #createBegin(): ToPage {
    const { connectionId } = this.item;
    return {
      type: "begin",
      knowledgeBase: this.item,
      connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
      texts: createFillTexts(),
      source: this.#source.ref,
    };
  }

  #show(message: ToPage): void {
    this.#shown.set(message.type, message);
    if (this.#isOpen) this.#post(message);
  }

  async #accept(): Promise<void> {
    if (await this.#button.press()) await this.#read();
  }

  /** Reads the knowledge base's columns and the first rows, then counts the documents. */
  async #read(): Promise<void> {
    this.#show({ type: "reading" });
    try {
      const { connectionId, project, name } = this.item;
      const client = await this.#options.servers.client(connectionId);
      this.#target = createTarget(await getKnowledgeBase(client, project, name));
      this.#head = await readHead(this.#source);
      this.#shown.delete("failed");
      this.#mapping ??= suggestMapping(listColumns(this.#head), this.#target);
      this.#showForm();
      await this.#count();
    } catch (error) {
      this.#fail(error);
    }
    this.#shown.delete("reading");
  }

  #fail(error: unknown): void {
    this.#options.log.error(`Adding content to ${this.item.name} failed`, error);
    this.#show({ type: "failed", notice: this.#button.createNotice(this.#explain(error)) });
  }

  #explain(error: unknown): ReturnType<typeof explainError> {
    const { connectionId } = this.item;
    const address = this.#options.servers.find(connectionId)?.address;
    return explainError(error, { connectionId, address });
  }

  #map(mapping: ColumnMapping): void {
    if (this.isRunning) return;
    this.#mapping = mapping;
    this.#memory = createFillMemory();
    this.#showForm();
    void this.#count().catch((error: unknown) => this.#fail(error));
  }

  #showForm(): void {
    const form = createFillForm({
      source: this.#source,
      head: this.#head,
      target: this.#target,
      mapping: this.#mapping ?? {},
      existing: this.#existing,
    });
    this.#show({ type: "form", form });
  }

  /** Counts the documents of the whole file; a count for an older mapping ends. */
  async #count(): Promise<void> {
    this.#reading?.abort();
    const mapping = this.#mapping ?? {};
    if (findMappingProblems(mapping).length > 0) {
      this.#show({ type: "counted", lines: [], documents: 0 });
      return;
    }
    const reading = new AbortController();
    this.#reading = reading;
    this.#show({ type: "counted", lines: undefined, documents: 0 });
    const source = this.#source;
    const { signal } = reading;
    const reader = new DocumentReader(mapping, this.#target, source.name);
    try {
      for await (const rows of source.read(findIdColumn(mapping), signal)) {
        if (signal.aborted) return;
        reader.read(rows);
      }
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    this.#total = reader.count.documents;
    const lines = [...formatCount(reader.count), ...source.notes()];
    this.#show({ type: "counted", lines, documents: this.#total });
  }

  async #chooseSource(): Promise<void> {
    if (this.isRunning) return;
    const { connectionId } = this.item;
    const source = await pickSource(this.title, connectionId, this.#options.pickTable);
    if (source) this.setSource(source);
  }

  async #start(): Promise<void> {
    if (this.isRunning || !this.#mapping || findMappingProblems(this.#mapping).length > 0) return;
    const { connectionId, project, name } = this.item;
    const cancel = new AbortController();
    this.#running = cancel;
    try {
      const isAllowed = await this.#options.servers.allowWrite(connectionId, {
        what: vscode.l10n.t(
          "Add {0} documents to the knowledge base {1} in {2}",
          this.#total,
          name,
          project,
        ),
        button: vscode.l10n.t("Add"),
        isAlwaysAsked: this.#existing === "replace",
        detail:
          this.#existing === "replace"
            ? vscode.l10n.t("Documents with the same ids are replaced.")
            : undefined,
      });
      if (!isAllowed) return;
      this.#shown.delete("finished");
      const mapping = this.#mapping;
      await this.#options.writers.run(this.item, ({ isTakenOver }) => {
        if (isTakenOver) awaitLastBatch(this.#memory);
        return this.#run(mapping, cancel.signal);
      });
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = undefined;
      this.#shown.delete("running");
      if (!this.#isOpen) this.#onIdle();
    }
  }

  async #run(mapping: ColumnMapping, cancel: AbortSignal): Promise<void> {
    const { connectionId, project, name } = this.item;
    const client = await this.#options.servers.client(connectionId);
    await this.#refuseNumericIds(client);
    const before = this.#result;
    // What the server refused as a whole is sent in smaller batches, which finds the documents at fault.
    const refused = before?.end === "complete" ? before.missing.length : 0;
    const retryRows = refused > 50 ? 20 : 1;
    const reader = new DocumentReader(mapping, this.#target, this.#source.name);
    const source = this.#source;
    async function* documents(): AsyncGenerator<FillDocument[]> {
      for await (const rows of source.read(findIdColumn(mapping), cancel)) yield reader.read(rows);
    }
    const result = await this.#withStatus((report) =>
      runFill({
        server: createFillServer(client, { project, name }),
        documents: documents(),
        existing: this.#existing,
        memory: this.#memory,
        cancel,
        onProgress: report,
        batchRows: refused > 0 ? retryRows : undefined,
      }),
    );
    this.#result = result;
    client.observe({ kind: "changed", list: "knowledgeBases", project, name });
    await this.#finish(result);
  }

  /** Servers of version 25 lose documents with text ids among those whose ids are numbers. */
  async #refuseNumericIds(client: Client): Promise<void> {
    const { connectionId, project, name } = this.item;
    const { version } = await this.#options.servers.status(connectionId);
    if (!version?.startsWith("25.") || !(await hasNumericIds(client, { project, name }))) return;
    throw new AppError(
      "refused",
      vscode.l10n.t(
        "The ids in {0} are numbers, and this version of MindsDB loses documents that are added with text ids. Create a knowledge base for them, or update the server.",
        name,
      ),
    );
  }

  /** Shows the progress on the page and, for a page that is hidden or closed, in the status bar. */
  #withStatus(
    work: (report: (progress: FillProgress) => void) => Promise<FillResult>,
  ): Promise<FillResult> {
    const { name } = this.item;
    return withStatusBar("", (report) =>
      work(({ phase, done }) => {
        const text = formatPhase(phase, done, this.#total);
        report({ message: vscode.l10n.t("Adding to {0}: {1}", name, text) });
        this.#show({ type: "running", text, done, total: this.#total });
      }),
    );
  }

  async #finish(result: FillResult): Promise<void> {
    const { error } = result;
    if (error !== undefined) {
      this.#options.log.error(`Adding content to ${this.item.name} was interrupted`, error);
    }
    const reason =
      result.end === "interrupted" && error !== undefined
        ? this.#explain(error).message
        : undefined;
    const outcome = formatOutcome(result, reason);
    this.#shown.delete("running");
    this.#show({ type: "finished", outcome });
    if (this.#isOpen) return;
    const show = vscode.l10n.t("Show");
    const pressed = await showInformation(`${this.item.name}: ${outcome.headline}`, show);
    if (pressed === show) {
      await vscode.commands.executeCommand(commands.knowledgeBaseShow, this.item);
    }
  }

  async #showMissing(): Promise<void> {
    const missing = this.#result?.missing ?? [];
    if (missing.length === 0) return;
    const content = `${missing.join("\n")}\n`;
    const document = await vscode.workspace.openTextDocument({ content, language: "plaintext" });
    await vscode.window.showTextDocument(document);
  }
}
