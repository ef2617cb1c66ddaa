// The page with the documents of a knowledge base: all ids are known here, contents are read as the grid needs them.
import * as v from "valibot";
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { checkIsVisible } from "../../mindsdb/hiddenKnowledgeBase.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import {
  deleteDocument,
  listDocuments,
  readDocuments,
  type DocumentSummary,
} from "../../mindsdb/knowledgeBaseDocuments.ts";
import { getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { Chunk } from "../../mindsdb/searchKnowledgeBase.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import { truncate } from "../../shared/oneLine.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { arrangeDocuments, splitIntoBatches } from "../documents/documentList.ts";
import {
  columnOf,
  formatMetadata,
  formatStart,
  joinChunks,
  listMetadata,
} from "../documents/documentText.ts";
import {
  documentsCalls,
  documentSort,
  type DocumentRow,
  type DocumentsContent,
  type OpenedDocument,
} from "../documentsPage.ts";
import { explainKnowledgeBaseGone } from "./knowledgeBaseGone.ts";
import type { KnowledgeBaseWriters } from "./knowledgeBaseWriters.ts";

interface DocumentsPageOptions extends ItemPageOptions {
  writers: KnowledgeBaseWriters;
}

/** Lists of a hundred thousand ids take some seconds. */
const timeoutMs = 120_000;
/** Chunks of an opened document that are read, and those of them that the page shows. */
const maxReadChunks = 5_000;
const maxShownChunks = 100;
/** In characters. */
const maxShownChunk = 10_000;

/** The saved state of the page, without its item. */
const savedView = v.object({
  filter: v.optional(v.string(), ""),
  sort: v.optional(documentSort, { column: "id", descending: false }),
  /** The id of the open document. */
  opened: v.optional(v.string()),
});
type SavedView = v.InferOutput<typeof savedView>;

export const createDocumentsPages = (options: DocumentsPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.knowledgeBaseDocuments,
    page: "knowledgeBaseDocuments",
    icon: "knowledgeBase",
    calls: documentsCalls,
    create: (knowledgeBase, view?: SavedView) => new DocumentsPage(knowledgeBase, view, options),
    readDetail: (saved) => {
      const view = v.safeParse(savedView, saved);
      return view.success ? view.output : undefined;
    },
  });

/** Rows that the page waits for. */
interface WantedRows {
  documents: DocumentSummary[];
  view: number;
  answer: (rows: DocumentRow[] | undefined) => void;
}

export class DocumentsPage extends ItemPage<DocumentsContent, typeof documentsCalls, SavedView> {
  readonly handlers: Handlers<typeof documentsCalls>;
  readonly #options: DocumentsPageOptions;
  #documents: DocumentSummary[] = [];
  #shown: DocumentSummary[] = [];
  #view = 0;
  /** The newest last. */
  #wanted: WantedRows[] = [];
  #isReadingRows = false;
  readonly #opening = this.reads.create();
  /** The open document; its chunks are not known while the page is restored. */
  #opened: { id: string; chunks: Chunk[] } | undefined;
  readonly #closed = new AbortController();

  constructor(item: KnowledgeBaseRef, saved: SavedView | undefined, options: DocumentsPageOptions) {
    const { filter, sort, opened } = saved ?? v.getDefaults(savedView);
    const title = vscode.l10n.t("Documents of {0}", item.name);
    super({ item, list: "knowledgeBases", title }, { filter, sort, opening: opened }, options);
    this.#options = options;
    if (opened !== undefined) this.#opened = { id: opened, chunks: [] };
    this.handlers = {
      ...this.itemHandlers,
      setView: (filter, sort) => {
        this.state.update({ filter, sort });
        if (this.state.current.list) this.state.update(this.#arrange());
      },
      readRows: (view, from, count) => this.#readRows(view, from, count),
      open: (id) => this.#open(id),
      openAsText: () => this.#openAsText(),
      delete: (id) => this.#delete(id),
      copyText: (text) => vscode.env.clipboard.writeText(text),
      addContent: () => executeCommand(commands.knowledgeBaseAddContent, item),
      showKnowledgeBase: () => executeCommand(commands.knowledgeBaseShow, item),
    };
    void this.load();
  }

  override onClosed(): void {
    super.onClosed();
    this.#closed.abort();
  }

  protected override async read(
    client: Client,
    signal: AbortSignal,
  ): Promise<Partial<DocumentsContent>> {
    const { project, name } = this.item;
    // Its 404 tells a knowledge base that is gone from a failing statement.
    await getKnowledgeBase(client, project, name, { signal });
    await checkIsVisible(client, this.item, { signal });
    const documents = await listDocuments(client, this.item, { signal, timeoutMs });
    signal.throwIfAborted();
    this.#documents = documents;
    const content = { ...this.#arrange(), problem: undefined };
    const open = this.#opened?.id;
    if (open === undefined) return content;
    if (!documents.some(({ id }) => id === open)) return { ...content, ...this.#close() };
    void this.#open(open);
    return content;
  }

  protected override explainGone(error: unknown): string | undefined {
    return explainKnowledgeBaseGone(error, this.item);
  }

  /** Arranges the list as it is wanted now; rows that the page asked for before are outdated. */
  #arrange(): Pick<DocumentsContent, "list"> {
    const { filter, sort } = this.state.current;
    const documents = this.#documents;
    this.#shown = arrangeDocuments(documents, filter, sort);
    this.#view++;
    return {
      list: {
        view: this.#view,
        documents: documents.length,
        chunks: documents.reduce((sum, { chunks }) => sum + chunks, 0),
        shown: this.#shown.length,
      },
    };
  }

  #readRows(view: number, from: number, count: number): Promise<DocumentRow[] | undefined> {
    return new Promise((answer) => {
      const documents = view === this.#view ? this.#shown.slice(from, from + count) : [];
      this.#wanted.push({ documents, view, answer });
      void this.#readWanted();
    });
  }

  /** Reads the wanted rows, those that were asked for last first: a user who scrolls looks at them. */
  async #readWanted(): Promise<void> {
    if (this.#isReadingRows) return;
    this.#isReadingRows = true;
    for (let next = this.#wanted.pop(); next; next = this.#wanted.pop()) {
      const { documents, view, answer } = next;
      const isCurrent = (): boolean => view === this.#view && !this.#closed.signal.aborted;
      const rows = isCurrent() ? await this.#readStarts(documents) : [];
      answer(isCurrent() ? rows : undefined);
    }
    this.#isReadingRows = false;
  }

  /** Reads the starts of documents. */
  async #readStarts(documents: readonly DocumentSummary[]): Promise<DocumentRow[]> {
    const found = new Map<string, Chunk[]>();
    const { signal } = this.#closed;
    try {
      const client = await this.#options.servers.client(this.item.connectionId);
      for (const { ids, limit } of splitIntoBatches(documents)) {
        const options = { signal, timeoutMs };
        const read = await readDocuments(client, this.item, ids, limit, options);
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
    if (this.state.current.opened?.id !== id) this.state.update({ opening: id });
    const { connectionId, name } = this.item;
    await this.#opening.run(
      async (signal) => {
        const client = await this.#options.servers.client(connectionId);
        const options = { signal, timeoutMs };
        const read = await readDocuments(client, this.item, [id], maxReadChunks, options);
        return client.secrets.redactKnownValue(read.get(id) ?? []);
      },
      {
        show: (chunks) => {
          if (chunks.length === 0) {
            this.state.update(this.#close(vscode.l10n.t("{0} is no longer in {1}.", id, name)));
            return;
          }
          this.#opened = { id, chunks };
          const opened = this.#createDocument(id, chunks);
          this.state.update({ opened, opening: undefined, openFailure: undefined });
        },
        fail: (error) => {
          const { message } = this.explain("has a document that could not be read", error);
          this.state.update(this.#close(message));
        },
      },
    );
  }

  #createDocument(id: string, chunks: readonly Chunk[]): OpenedDocument {
    const known = this.#documents.find((document) => document.id === id)?.chunks ?? 0;
    const hasColumns = new Set(chunks.map(columnOf)).size > 1;
    const shown = chunks.slice(0, maxShownChunks);
    return {
      id,
      metadata: listMetadata(chunks).map(([name, value]) => [name, truncate(value, maxShownChunk)]),
      chunks: shown.map((chunk) => ({
        column: hasColumns ? columnOf(chunk) : undefined,
        content: truncate(chunk.content, maxShownChunk),
      })),
      total: Math.max(known, chunks.length),
      isCut: shown.some(({ content }) => content.length > maxShownChunk),
    };
  }

  #close(openFailure?: string): Partial<DocumentsContent> {
    this.#opened = undefined;
    return { opened: undefined, opening: undefined, openFailure };
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
        detail: vscode.l10n.t("All its chunks are deleted."),
        deletes: id,
      });
      if (!isAllowed) return;
      const client = await servers.client(connectionId);
      await writers.run(this.item, () => deleteDocument(client, this.item, id, { timeoutMs }));
      // This page reads the list again too.
      client.observe({ kind: "changed", list: "knowledgeBases", project, name });
      showStatus(vscode.l10n.t("Deleted {0}", truncate(id, 80)));
    } catch (error) {
      this.#reportProblem("has a document that could not be deleted", error);
    }
  }

  #reportProblem(problem: string, error: unknown): void {
    this.state.update({ problem: this.explain(problem, error).message });
  }
}
