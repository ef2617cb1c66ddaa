// The page with the documents of a knowledge base: all ids are known here, contents are read as the grid needs them.
import * as v from "valibot";
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import {
  deleteDocument,
  listDocuments,
  readDocuments,
  type DocumentSummary,
} from "../../mindsdb/knowledgeBaseDocuments.ts";
import { checkIsVisible } from "../../mindsdb/hiddenKnowledgeBase.ts";
import { getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { Chunk } from "../../mindsdb/searchKnowledgeBase.ts";
import { ItemPanels, type ItemPageOptions } from "../../shared/host/itemPanels.ts";
import { LoadedItemPanel } from "../../shared/host/loadedItemPanel.ts";
import { Panels, type Create, type PostToPage } from "../../shared/host/panels.ts";
import { truncate } from "../../shared/oneLine.ts";
import { arrangeDocuments, splitIntoBatches } from "../documents/documentList.ts";
import {
  columnOf,
  formatMetadata,
  formatStart,
  joinChunks,
  listMetadata,
} from "../documents/documentText.ts";
import {
  pageState,
  toHost,
  type DocumentRow,
  type DocumentSort,
  type OpenedDocument,
  type ToHost,
  type ToPage,
} from "../documentsMessages.ts";
import { createDocumentsTexts, formatChunkLabel, formatCutNote } from "../documentsTexts.ts";
import { explainKnowledgeBaseGone } from "./knowledgeBaseGone.ts";
import type { KnowledgeBaseWriters } from "./knowledgeBaseWriters.ts";
import { showStatus } from "../../shared/host/notifications.ts";

interface DocumentsPanelOptions extends ItemPageOptions {
  writers: KnowledgeBaseWriters;
}

/** Lists of a hundred thousand ids take some seconds. */
const timeoutMs = 120_000;
/** Chunks of an opened document that are read, and those of them that the page shows. */
const maxReadChunks = 5_000;
const maxShownChunks = 100;
/** In characters. */
const maxShownChunk = 10_000;

const savedState = v.pipe(
  pageState,
  v.transform(({ knowledgeBase }) => ({ item: knowledgeBase })),
);

export function createDocumentsPanels(
  options: DocumentsPanelOptions,
): ItemPanels<never, DocumentsPanel, Create<ToPage, DocumentsPanel>> {
  return new ItemPanels({
    changes: options.changes,
    panels: (restore) =>
      new Panels<ToHost, ToPage, DocumentsPanel>({
        ...options,
        viewType: panels.knowledgeBaseDocuments,
        page: "knowledgeBaseDocuments",
        icon: "knowledgeBase",
        incoming: toHost,
        restore,
      }),
    pageState: savedState,
    create: (knowledgeBase) => (post) => new DocumentsPanel(knowledgeBase, post, options),
  });
}

class DocumentsPanel extends LoadedItemPanel<ToHost, ToPage, never> {
  readonly #options: DocumentsPanelOptions;
  /** Undefined until they have been read. */
  #documents: DocumentSummary[] | undefined;
  #shown: DocumentSummary[] = [];
  #view = 0;
  #filter = "";
  #sort: DocumentSort = { column: "id", descending: false };
  /** Windows of rows to read, the newest last. */
  #wanted: { from: number; count: number }[] = [];
  #isReadingRows = false;
  #opening: AbortController | undefined;
  #opened: { message: ToPage; id: string; chunks: Chunk[] } | undefined;
  readonly #closed = new AbortController();

  constructor(
    knowledgeBase: KnowledgeBaseRef,
    post: PostToPage<ToPage>,
    options: DocumentsPanelOptions,
  ) {
    super(knowledgeBase, "knowledgeBases", post, options);
    this.#options = options;
    void this.loader.load();
  }

  override get title(): string {
    return vscode.l10n.t("Documents of {0}", this.item.name);
  }

  snapshot(): ToPage[] {
    return [
      {
        type: "begin",
        knowledgeBase: this.item,
        connection: this.loader.connectionName,
        texts: createDocumentsTexts(),
        locale: vscode.env.language,
      },
      ...(this.#documents ? [this.#createListed()] : []),
      ...(this.#opened ? [this.#opened.message] : []),
      ...this.loader.messages,
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "refresh":
        void this.loader.load();
        break;
      case "setView":
        this.#filter = message.filter;
        this.#sort = message.sort;
        if (this.#documents) this.#list();
        break;
      case "readRows":
        if (message.view !== this.#view) break;
        this.#wanted.push({ from: message.from, count: message.count });
        void this.#readWanted();
        break;
      case "open":
        void this.#open(message.id);
        break;
      case "openAsText":
        void this.#openAsText();
        break;
      case "delete":
        void this.#delete(message.id);
        break;
      case "copyText":
        void vscode.env.clipboard.writeText(message.text);
        break;
      case "addContent":
        void vscode.commands.executeCommand(commands.knowledgeBaseAddContent, this.item);
        break;
      case "showKnowledgeBase":
        void vscode.commands.executeCommand(commands.knowledgeBaseShow, this.item);
        break;
      case "accept":
        void this.loader.pressButton();
        break;
    }
  }

  override onClosed(): void {
    super.onClosed();
    this.#closed.abort();
    this.#opening?.abort();
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<void> {
    const { project, name } = this.item;
    // Its 404 tells a knowledge base that is gone from a failing statement.
    await getKnowledgeBase(client, project, name, { signal });
    await checkIsVisible(client, { project, name }, { signal });
    const documents = await listDocuments(client, { project, name }, { signal, timeoutMs });
    signal.throwIfAborted();
    this.loader.succeed();
    this.#documents = documents;
    this.#list();
    const open = this.#opened?.id;
    if (open === undefined) return;
    if (documents.some(({ id }) => id === open)) await this.#open(open);
    else this.#close();
  }

  protected override explainGone(error: unknown): string | undefined {
    return explainKnowledgeBaseGone(error, this.item);
  }

  /** Shows the list in its present order; rows that the page asked for before are outdated. */
  #list(): void {
    this.#shown = arrangeDocuments(this.#documents ?? [], this.#filter, this.#sort);
    this.#view++;
    this.#wanted = [];
    this.post(this.#createListed());
  }

  #createListed(): ToPage {
    const documents = this.#documents ?? [];
    return {
      type: "listed",
      view: this.#view,
      documents: documents.length,
      chunks: documents.reduce((sum, { chunks }) => sum + chunks, 0),
      shown: this.#shown.length,
      filter: this.#filter,
      sort: this.#sort,
    };
  }

  /** Reads the wanted rows, those that were asked for last first: a user who scrolls looks at them. */
  async #readWanted(): Promise<void> {
    if (this.#isReadingRows) return;
    this.#isReadingRows = true;
    for (let next = this.#wanted.pop(); next; next = this.#wanted.pop()) {
      const { from, count } = next;
      const view = this.#view;
      const rows = await this.#readRows(this.#shown.slice(from, from + count));
      if (this.#closed.signal.aborted) break;
      if (view === this.#view) this.post({ type: "rows", view, from, rows });
    }
    this.#isReadingRows = false;
  }

  async #readRows(documents: readonly DocumentSummary[]): Promise<DocumentRow[]> {
    const { connectionId, project, name } = this.item;
    const found = new Map<string, Chunk[]>();
    const { signal } = this.#closed;
    try {
      const client = await this.#options.servers.client(connectionId);
      for (const { ids, limit } of splitIntoBatches(documents)) {
        const options = { signal, timeoutMs };
        const read = await readDocuments(client, { project, name }, ids, limit, options);
        // Only known secrets: a metadata column of the user's may be called `token`.
        for (const [id, chunks] of read) found.set(id, client.secrets.redactKnownValue(chunks));
      }
    } catch (error) {
      if (!signal.aborted) this.#reportProblem("could not be read in part", error);
    }
    return documents.map(({ id, chunks: count }) => {
      const chunks = found.get(id);
      if (!chunks) return { id, metadata: "", chunks: count };
      const metadata = formatMetadata(chunks);
      return { id, content: formatStart(chunks), metadata, chunks: count };
    });
  }

  async #open(id: string): Promise<void> {
    this.#opening?.abort();
    const opening = new AbortController();
    const { signal } = opening;
    this.#opening = opening;
    if (this.#opened?.id !== id) this.post({ type: "opening", id });
    const { connectionId, project, name } = this.item;
    try {
      const client = await this.#options.servers.client(connectionId);
      const options = { signal, timeoutMs };
      const place = { project, name };
      const read = await readDocuments(client, place, [id], maxReadChunks, options);
      signal.throwIfAborted();
      const chunks = client.secrets.redactKnownValue(read.get(id) ?? []);
      if (chunks.length === 0) {
        this.#close(vscode.l10n.t("{0} is no longer in {1}.", id, name));
        return;
      }
      const document = this.#createDocument(id, chunks);
      this.#opened = { id, chunks, message: { type: "opened", document } };
      this.post(this.#opened.message);
    } catch (error) {
      if (signal.aborted) return;
      this.#close(this.loader.explain("has a document that could not be read", error).message);
    }
  }

  #createDocument(id: string, chunks: readonly Chunk[]): OpenedDocument {
    const total = this.#documents?.find((document) => document.id === id)?.chunks ?? 0;
    const count = Math.max(total, chunks.length);
    const hasColumns = new Set(chunks.map(columnOf)).size > 1;
    const shown = chunks.slice(0, maxShownChunks);
    const isCut = shown.some(({ content }) => content.length > maxShownChunk);
    const note = formatCutNote(shown.length, count, isCut);
    return {
      id,
      metadata: listMetadata(chunks).map(([name, value]) => [name, truncate(value, maxShownChunk)]),
      chunks: shown.map((chunk, at) => ({
        label: formatChunkLabel(at, count, hasColumns ? columnOf(chunk) : undefined),
        content: truncate(chunk.content, maxShownChunk),
      })),
      note,
    };
  }

  #close(reason?: string): void {
    this.#opened = undefined;
    this.post({ type: "closed", reason });
  }

  async #openAsText(): Promise<void> {
    if (!this.#opened) return;
    const { id, chunks } = this.#opened;
    const language = /\.(md|markdown)$/i.test(id) ? "markdown" : "plaintext";
    const content = joinChunks(chunks);
    const document = await vscode.workspace.openTextDocument({ content, language });
    await vscode.window.showTextDocument(document);
  }

  async #delete(id: string): Promise<void> {
    const { connectionId, project, name } = this.item;
    const { servers, writers } = this.#options;
    try {
      const isAllowed = await servers.allowWrite(connectionId, {
        what: vscode.l10n.t(
          "Delete the document {0} from the knowledge base {1} in {2}",
          id,
          name,
          project,
        ),
        button: vscode.l10n.t("Delete"),
        detail: vscode.l10n.t("All of its chunks are deleted."),
        deletes: id,
      });
      if (!isAllowed) return;
      const client = await servers.client(connectionId);
      await writers.run(this.item, () =>
        deleteDocument(client, { project, name }, id, { timeoutMs }),
      );
      // This page reads the list again too.
      client.observe({ kind: "changed", list: "knowledgeBases", project, name });
      showStatus(vscode.l10n.t("Deleted {0}", truncate(id, 80)));
    } catch (error) {
      this.#reportProblem("has a document that could not be deleted", error);
    }
  }

  #reportProblem(problem: string, error: unknown): void {
    this.post({ type: "problem", reason: this.loader.explain(problem, error).message });
  }
}
