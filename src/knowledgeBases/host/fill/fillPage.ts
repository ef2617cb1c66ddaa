// The page that adds the rows of a source to a knowledge base. The run belongs to it and goes on when the page is closed.
import * as vscode from "vscode";
import type { ServerAccess } from "../../../shared/connection.ts";
import { AppError } from "../../../mindsdb/errors.ts";
import type { Client } from "../../../mindsdb/http/client.ts";
import { hasNumericIds } from "../../../mindsdb/knowledgeBaseContent.ts";
import { getKnowledgeBase } from "../../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../../mindsdb/references.ts";
import { commands } from "../../../ids.ts";
import type { Row } from "../../../predict/rows/row.ts";
import { executeCommand } from "../../../shared/host/commands.ts";
import { explainError } from "../../../shared/host/errorMessages.ts";
import type { Log } from "../../../shared/host/log.ts";
import { NoticeButton } from "../../../shared/host/noticeButton.ts";
import type { Page } from "../../../shared/host/pages.ts";
import { HostState } from "../../../shared/hostState.ts";
import { PageReads } from "../../../shared/pageReads.ts";
import type { Handlers } from "../../../shared/pageProtocol.ts";
import { showInformation } from "../../../shared/host/notifications.ts";
import {
  createTarget,
  findIdColumn,
  findMappingProblems,
  suggestMapping,
  type ColumnMapping,
  type FillTarget,
} from "../../fill/columnMapping.ts";
import { DocumentReader, type FillDocument } from "../../fill/documentReader.ts";
import {
  awaitLastBatch,
  createFillMemory,
  runFill,
  type FillMemory,
  type FillProgress,
  type FillResult,
} from "../../fill/fillRun.ts";
import { createFillServer } from "../../fill/fillServer.ts";
import type { SourceRef } from "../../fill/sourceRef.ts";
import { storedSource } from "../../fill/storedSource.ts";
import type { fillCalls, FillState } from "../../fillPage.ts";
import { createFillForm, findSeen, listColumns } from "./fillForm.ts";
import { createFillSource, readHead, type FillSource } from "./fillSources.ts";
import { formatCount, formatOutcome, formatPhase } from "./fillTexts.ts";
import type { KnowledgeBaseWriters } from "../knowledgeBaseWriters.ts";
import { pickSource, type PickTable } from "./pickSource.ts";
import { withStatusBar } from "../../../shared/host/withCancelButton.ts";

export interface FillPageOptions {
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

export class FillPage implements Page<typeof fillCalls> {
  readonly item: KnowledgeBaseRef;
  readonly state: HostState<FillState>;
  readonly handlers: Handlers<typeof fillCalls>;
  readonly #options: FillPageOptions;
  readonly #button = new NoticeButton();
  #source: FillSource;
  #mapping: ColumnMapping | undefined;
  #existing: "skip" | "replace";
  #target: FillTarget = createTarget({});
  #head: Row[] = [];
  readonly #reads = new PageReads();
  readonly #reading = this.#reads.create();
  readonly #counting = this.#reads.create();
  #memory: FillMemory = createFillMemory();
  #result: FillResult | undefined;
  #running: AbortController | undefined;
  #isOpen = true;
  readonly #onIdle: () => void;

  /** `onIdle` is called when a run has ended and the page is closed. */
  constructor(
    item: KnowledgeBaseRef,
    start: FillStart,
    options: FillPageOptions,
    onIdle: () => void,
  ) {
    this.item = item;
    this.#options = options;
    this.#onIdle = onIdle;
    const { source } = start;
    this.#source = createFillSource(source, options.servers, item.connectionId);
    this.#mapping = start.mapping;
    this.#existing = start.existing ?? "skip";
    const connection = options.servers.find(item.connectionId)?.name ?? item.connectionId;
    this.state = new HostState<FillState>({
      item,
      connection,
      source: this.#toStore(source),
      documents: 0,
      isCanceling: false,
    });
    this.handlers = {
      map: (column, role) => this.#map(column, role),
      setExisting: (existing) => {
        if (this.isRunning) return;
        this.#existing = existing;
        this.#showForm();
      },
      chooseSource: () => this.#chooseSource(),
      start: () => this.#start(),
      cancel: () => {
        this.state.update({ isCanceling: this.isRunning });
        this.#running?.abort();
      },
      showMissing: () => this.#showMissing(),
      showKnowledgeBase: () => executeCommand(commands.knowledgeBaseShow, item),
      runNoticeAction: async () => {
        if (await this.#button.press()) await this.#read();
      },
    };
    void this.#read();
  }

  #toStore(source: SourceRef): SourceRef | undefined {
    const secrets = this.#options.servers.secrets(this.connectionId);
    return storedSource(source, (text) => secrets.redact(text));
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

  /** The page was closed during a run, and is shown again. */
  reopen(): this {
    this.#isOpen = true;
    this.#reads.reopen();
    return this;
  }

  /** Shows another source, unless a run is under way. */
  setSource(source: SourceRef): void {
    if (this.isRunning) return;
    this.#source = createFillSource(source, this.#options.servers, this.item.connectionId);
    this.#mapping = undefined;
    this.#memory = createFillMemory();
    this.#result = undefined;
    const cleared = { notice: undefined, form: undefined, counts: undefined, outcome: undefined };
    this.state.update({ source: this.#toStore(source), documents: 0, ...cleared });
    void this.#read();
  }

  onClosed(): void {
    this.#isOpen = false;
    this.#reads.close();
    if (!this.isRunning) this.#onIdle();
  }

  /** Reads the knowledge base's columns and the first rows, then counts the documents. */
  async #read(): Promise<void> {
    if (this.isRunning) return;
    this.#counting.abort();
    const { connectionId, project, name } = this.item;
    const source = this.#source;
    const isRead = await this.#reading.run(
      async (signal) => {
        const client = await this.#options.servers.client(connectionId);
        const target = createTarget(await getKnowledgeBase(client, project, name, { signal }));
        return { target, head: await readHead(source, signal) };
      },
      {
        show: ({ target, head }) => {
          this.#target = target;
          this.#head = head;
          this.#mapping ??= suggestMapping(listColumns(head), target, findSeen(head));
          this.#showForm();
        },
        fail: (error) => this.#fail(error),
      },
    );
    if (isRead) await this.#count();
  }

  #fail(error: unknown): void {
    this.#options.log.error(`Adding content to ${this.item.name} failed`, error);
    this.state.update({ notice: this.#button.createNotice(this.#explain(error)) });
  }

  #explain(error: unknown): ReturnType<typeof explainError> {
    const { connectionId } = this.item;
    const address = this.#options.servers.find(connectionId)?.address;
    return explainError(error, { connectionId, address });
  }

  #map(column: string, role: string): void {
    if (this.isRunning) return;
    this.#mapping = { ...this.#mapping, [column]: role };
    this.#memory = createFillMemory();
    this.#showForm();
    void this.#count();
  }

  #showForm(): void {
    const form = createFillForm({
      source: this.#source,
      head: this.#head,
      target: this.#target,
      mapping: this.#mapping ?? {},
      existing: this.#existing,
    });
    this.state.update({ form, notice: undefined });
  }

  /** Counts the documents of the whole file; a count for an older mapping ends. */
  async #count(): Promise<void> {
    this.#counting.abort();
    const mapping = this.#mapping ?? {};
    if (findMappingProblems(mapping).length > 0) {
      this.state.update({ counts: [], documents: 0 });
      return;
    }
    this.state.update({ counts: undefined, documents: 0 });
    const source = this.#source;
    const reader = new DocumentReader(mapping, this.#target, source.name);
    await this.#counting.run(
      async (signal) => {
        for await (const rows of source.read(findIdColumn(mapping), signal)) {
          signal.throwIfAborted();
          reader.read(rows);
        }
        return reader.count;
      },
      {
        show: (count) =>
          this.state.update({
            counts: [...formatCount(count), ...source.notes()],
            documents: count.documents,
          }),
        fail: (error) => this.#fail(error),
      },
    );
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
    // A read that ends during the run could replace the columns that are being sent.
    this.#reading.abort();
    const cancel = new AbortController();
    this.#running = cancel;
    try {
      const isAllowed = await this.#options.servers.allowWrite(connectionId, {
        what:
          this.state.current.documents === 1
            ? vscode.l10n.t("Add 1 document to the knowledge base {0} in {1}", name, project)
            : vscode.l10n.t(
                "Add {0} documents to the knowledge base {1} in {2}",
                this.state.current.documents,
                name,
                project,
              ),
        button: vscode.l10n.t("Add"),
        isAlwaysAsked: this.#existing === "replace",
        detail:
          this.#existing === "replace"
            ? vscode.l10n.t("Documents with the same IDs are replaced.")
            : undefined,
      });
      if (!isAllowed) return;
      this.state.update({ outcome: undefined });
      const mapping = this.#mapping;
      await this.#options.writers.run(this.item, ({ isTakenOver }) => {
        if (isTakenOver) awaitLastBatch(this.#memory);
        return this.#run(mapping, cancel.signal);
      });
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#running = undefined;
      this.state.update({ progress: undefined, isCanceling: false });
      if (!this.#isOpen) this.#onIdle();
    }
  }

  async #run(mapping: ColumnMapping, cancel: AbortSignal): Promise<void> {
    const { connectionId, project, name } = this.item;
    const client = await this.#options.servers.client(connectionId);
    await this.#refuseNumericIds(client);
    const before = this.#result;
    // Refused batches are sent again in smaller ones, which finds the documents at fault.
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
        "The IDs in {0} are numbers, and this version of MindsDB loses documents that are added with text IDs. Create a knowledge base for them, or update the server.",
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
        const { documents: total } = this.state.current;
        const text = formatPhase(phase, done, total);
        report({ message: vscode.l10n.t("Adding to {0}: {1}", name, text) });
        this.state.update({ progress: { text, done, total } });
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
    this.state.update({ progress: undefined, outcome });
    if (this.#isOpen) return;
    const show = vscode.l10n.t("Show");
    const pressed = await showInformation(`${this.item.name}: ${outcome.headline}`, show);
    if (pressed === show) {
      await executeCommand(commands.knowledgeBaseShow, this.item);
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
