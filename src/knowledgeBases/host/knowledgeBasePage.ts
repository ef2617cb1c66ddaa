import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { getDefaultModels } from "../../mindsdb/dataSources.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { checkIsVisible } from "../../mindsdb/hiddenKnowledgeBase.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { countContent, getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import { readMetadataValues } from "../../mindsdb/metadataValues.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import {
  RejectedFilters,
  runnableStatement,
  searchKnowledgeBase,
  type Chunk,
} from "../../mindsdb/searchKnowledgeBase.ts";
import { sqlWithValues } from "../../mindsdb/sql/sqlWithValues.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import { showStatus } from "../../shared/host/notifications.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { hasOwnReranking, readDetails } from "../knowledgeBaseDetails.ts";
import {
  knowledgeBaseCalls,
  type ColumnValues,
  type KnowledgeBaseContent,
  type SearchDraft,
  type SearchSwitches,
} from "../knowledgeBasePage.ts";
import { writeFilterValue } from "../parseFilterValue.ts";
import { formatChunks, formatConditions, readSearchDraft } from "../searchDraft.ts";
import { explainSwitches } from "../switchErrors.ts";
import { explainKnowledgeBaseGone } from "./knowledgeBaseGone.ts";

export interface KnowledgeBasePageOptions extends ItemPageOptions {
  /** Lets the user pick an agent, those with access first, and opens its chat with the question as a draft. */
  askAgent: (question: string, knowledgeBase: KnowledgeBaseRef) => void;
}

export const createKnowledgeBasePages = (options: KnowledgeBasePageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.knowledgeBase,
    page: "knowledgeBase",
    icon: "knowledgeBase",
    calls: knowledgeBaseCalls,
    create: (knowledgeBase) => new KnowledgeBasePage(knowledgeBase, options),
  });

export class KnowledgeBasePage extends ItemPage<KnowledgeBaseContent, typeof knowledgeBaseCalls> {
  readonly handlers: Handlers<typeof knowledgeBaseCalls>;
  readonly #options: KnowledgeBasePageOptions;
  /** The whole chunks of the result, and of the kept one. */
  #chunks: Chunk[] = [];
  #keptChunks: Chunk[] = [];
  /** Filters refused by the server so far. A copied statement omits them. */
  readonly #rejected = new RejectedFilters();
  readonly #searching = this.reads.create();
  readonly #readingValues = this.reads.create();
  /** The column whose values are being read. */
  #valuesOf: string | undefined;

  constructor(item: KnowledgeBaseRef, options: KnowledgeBasePageOptions) {
    super({ item, list: "knowledgeBases" }, { values: [], isSearching: false }, options);
    this.#options = options;
    this.handlers = {
      ...this.itemHandlers,
      refresh: () => {
        this.#cancelValues();
        this.state.update({ values: [] });
        return this.load();
      },
      search: (draft) => this.#search(draft),
      cancelSearch: () => {
        this.#searching.abort();
        this.state.update({ isSearching: false });
      },
      readValues: (column) => this.#readValues(column),
      cancelValues: () => this.#cancelValues(),
      askAgent: (question) => {
        if (this.#canSearch) options.askAgent(question, item);
      },
      copyStatement: (draft, format) => this.#copyStatement(draft, format),
      copyChunk: (index, isKept) => {
        const chunk = (isKept ? this.#keptChunks : this.#chunks)[index];
        return vscode.env.clipboard.writeText(chunk?.content ?? "");
      },
      keepResult: (isKept) => (isKept ? this.#keepResult() : this.#endComparison()),
      addContent: () => executeCommand(commands.knowledgeBaseAddContent, item),
      browseDocuments: () => executeCommand(commands.knowledgeBaseBrowse, item),
    };
    void this.load();
  }

  get #canSearch(): boolean {
    return !this.isGone && this.state.current.hiddenReason === undefined;
  }

  protected override async read(
    client: Client,
    signal: AbortSignal,
  ): Promise<Partial<KnowledgeBaseContent>> {
    const { project, name } = this.item;
    const row = await getKnowledgeBase(client, project, name, { signal });
    const details = readDetails(row, project);
    signal.throwIfAborted();
    // Counting may take long.
    this.state.update({ details, isGone: false, notice: undefined });
    const switches = await this.#readSwitches(client, row, signal);
    signal.throwIfAborted();
    this.state.update({ switches });
    try {
      await checkIsVisible(client, this.item, { signal });
      const count = await countContent(client, project, name, { signal });
      return { count, hiddenReason: undefined };
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error, "conflict")) return { hiddenReason: error.message };
      const { message: failure } = this.explain("could not be counted", error);
      return { count: { failure }, hiddenReason: undefined };
    }
  }

  /** Reads which kinds of search the server has beside the plain one, as far as it says so. */
  async #readSwitches(
    client: Client,
    row: JsonObject,
    signal: AbortSignal,
  ): Promise<SearchSwitches> {
    const [status, models] = await Promise.all([
      this.#options.servers.status(this.item.connectionId, signal).catch(() => undefined),
      // Reading the configuration may be forbidden. A knowledge base without a model has the server's default.
      hasOwnReranking(row)
        ? undefined
        : getDefaultModels(client, { signal }).catch(() => undefined),
    ]);
    return {
      // 25.14.1 parses it, but its store of vectors cannot do it.
      hasHybrid: Number.parseInt(status?.version ?? "", 10) >= 26,
      hasReranking: hasOwnReranking(row) || models?.reranking !== undefined,
    };
  }

  protected override explainGone(error: unknown): string | undefined {
    return explainKnowledgeBaseGone(error, this.item);
  }

  /** Starts a search, which replaces one that is still running. */
  async #search(draft: SearchDraft): Promise<void> {
    if (!this.#canSearch) return;
    this.state.update({ isSearching: true });
    const show = (change: Partial<KnowledgeBaseContent>): void =>
      this.state.update({ ...change, isSearching: false });
    await this.#searching.run((signal) => this.#find(draft, signal), {
      show,
      fail: (error) => show(this.#explainSearchFailure("could not be searched", error)),
    });
  }

  async #find(draft: SearchDraft, signal: AbortSignal): Promise<Partial<KnowledgeBaseContent>> {
    const search = readSearchDraft(draft, this.state.current.switches);
    const client = await this.#options.servers.client(this.item.connectionId);
    // The server may call an embedding model and a reranking model.
    const options = { signal, timeoutMs: 120_000, rejected: this.#rejected };
    const { chunks, isFilteredHere } = await searchKnowledgeBase(
      client,
      this.item,
      search,
      options,
    );
    signal.throwIfAborted();
    // Only known secrets: a metadata column of the user's may be called `token`.
    this.#chunks = client.secrets.redactKnownValue(chunks);
    const result = {
      question: search.question,
      conditions: formatConditions(search),
      chunks: this.#chunks.map(formatChunks),
      isFilteredHere,
    };
    return { result, searchFailure: undefined };
  }

  #explainSearchFailure(problem: string, error: unknown): Partial<KnowledgeBaseContent> {
    const { message } = this.explain(problem, error);
    const cause = isAppError(error, "sql") ? explainSwitches(error.message) : undefined;
    // A model that fails can be left out where that was not known.
    const { switches } = this.state.current;
    const isReranking = cause?.part === "reranking";
    return {
      result: undefined,
      searchFailure: cause?.text ?? message,
      ...(switches && isReranking ? { switches: { ...switches, hasReranking: true } } : {}),
    };
  }

  #keepResult(): void {
    const { result } = this.state.current;
    if (!result) return;
    this.#keptChunks = this.#chunks;
    this.state.update({ kept: result, result: undefined });
  }

  #endComparison(): void {
    const { result, kept } = this.state.current;
    if (!result) this.#chunks = this.#keptChunks;
    this.#keptChunks = [];
    this.state.update({ result: result ?? kept, kept: undefined, searchFailure: undefined });
  }

  async #readValues(column: string): Promise<void> {
    const { values } = this.state.current;
    const isKnown = values.some((known) => known.column === column && known.values);
    if (isKnown || this.#valuesOf === column) return;
    this.#valuesOf = column;
    // A failed read is tried again.
    const others = values.filter((known) => known.column !== column);
    this.state.update({ values: others });
    const show = (read: ColumnValues): void => {
      this.#valuesOf = undefined;
      this.state.update({ values: [...others, read] });
    };
    await this.#readingValues.run((signal) => this.#findValues(column, signal), {
      show,
      fail: (error) => {
        this.explain(`has no values of ${column}`, error);
        show({ column });
      },
    });
  }

  async #findValues(column: string, signal: AbortSignal): Promise<ColumnValues> {
    const client = await this.#options.servers.client(this.item.connectionId);
    const options = { signal, timeoutMs: 20_000 };
    const { values, type } = await readMetadataValues(client, this.item, column, options);
    const known = client.secrets.redactKnownValue(values);
    return { column, values: known.map((value) => writeFilterValue(value, type)), type };
  }

  #cancelValues(): void {
    this.#readingValues.abort();
    this.#valuesOf = undefined;
  }

  /** Copies the search as SQL, or as the JSON body of `/api/sql/query`. */
  async #copyStatement(draft: SearchDraft, format: "sql" | "json"): Promise<void> {
    const { project, name } = this.item;
    try {
      const search = readSearchDraft(draft, this.state.current.switches);
      const { query, params, left } = runnableStatement({ project, name }, search, this.#rejected);
      const sql = format === "sql" ? sqlWithValues(query, params) : undefined;
      await vscode.env.clipboard.writeText(sql ?? JSON.stringify({ query, params }, null, 2));
      const copied =
        format === "sql" && sql === undefined
          ? vscode.l10n.t("Copied as JSON, because SQL can't express a value of this search")
          : vscode.l10n.t("Copied the request");
      const lacking = formatConditions({ ...search, question: "", filters: left });
      const note = vscode.l10n.t(
        "Filters not included, because only this page applies them: {0}",
        lacking,
      );
      showStatus(left.length > 0 ? `${copied}. ${note}` : copied, 5_000);
    } catch (error) {
      this.state.update(this.#explainSearchFailure("has no statement", error));
    }
  }
}
