import * as v from "valibot";
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { checkIsVisible } from "../../mindsdb/hiddenKnowledgeBase.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { countContent, getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import { sqlWithValues } from "../../mindsdb/sql/sqlWithValues.ts";
import {
  searchKnowledgeBase,
  searchStatement,
  type Chunk,
} from "../../mindsdb/searchKnowledgeBase.ts";
import { ItemPanels, type ItemPageOptions } from "../../shared/host/itemPanels.ts";
import { LoadedItemPanel } from "../../shared/host/loadedItemPanel.ts";
import { Panels, type Create, type PostToPage } from "../../shared/host/panels.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { readDetails } from "../knowledgeBaseDetails.ts";
import { pageState, toHost, type SearchDraft, type ToHost, type ToPage } from "../messages.ts";
import { formatChunks, formatConditions, readSearchDraft } from "../searchDraft.ts";
import { explainKnowledgeBaseGone } from "./knowledgeBaseGone.ts";
import { MetadataSuggestions } from "./metadataSuggestions.ts";
import { createKnowledgeBaseTexts } from "../knowledgeBaseTexts.ts";
import { showStatus } from "../../shared/host/notifications.ts";

export interface KnowledgeBasePanelOptions extends ItemPageOptions {
  /** Lets the user pick an agent, those with access first, and opens its chat with the question as a draft. */
  askAgent: (question: string, knowledgeBase: KnowledgeBaseRef) => void;
}

const savedState = v.pipe(
  pageState,
  v.transform(({ knowledgeBase }) => ({ item: knowledgeBase })),
);

export function createKnowledgeBasePanels(
  options: KnowledgeBasePanelOptions,
): ItemPanels<never, KnowledgeBasePanel, Create<ToPage, KnowledgeBasePanel>> {
  return new ItemPanels({
    changes: options.changes,
    panels: (restore) =>
      new Panels<ToHost, ToPage, KnowledgeBasePanel>({
        ...options,
        viewType: panels.knowledgeBase,
        page: "knowledgeBase",
        icon: "knowledgeBase",
        incoming: toHost,
        restore,
      }),
    pageState: savedState,
    create: (knowledgeBase) => (post) => new KnowledgeBasePanel(knowledgeBase, post, options),
  });
}

class KnowledgeBasePanel extends LoadedItemPanel<ToHost, ToPage, never> {
  readonly #options: KnowledgeBasePanelOptions;
  /** The newest message of each kind, for snapshots. */
  readonly #shown = new Map<"details" | "count" | "result", ToPage>();
  readonly #suggestions: MetadataSuggestions;
  #chunks: Chunk[] = [];
  /** The result that others are compared with. */
  #kept: { message: ToPage; chunks: Chunk[] } | undefined;
  #searching: AbortController | undefined;
  /** Something else has its name in SQL, so a search would ask that. */
  #isHidden = false;

  constructor(
    knowledgeBase: KnowledgeBaseRef,
    post: PostToPage<ToPage>,
    options: KnowledgeBasePanelOptions,
  ) {
    super(knowledgeBase, "knowledgeBases", post, options);
    this.#options = options;
    this.#suggestions = new MetadataSuggestions(knowledgeBase, post, options);
    void this.loader.load();
  }

  snapshot(): ToPage[] {
    return [
      {
        type: "begin",
        knowledgeBase: this.item,
        connection: this.loader.connectionName,
        texts: createKnowledgeBaseTexts(),
        locale: vscode.env.language,
      },
      ...this.#listShown(),
      ...this.loader.messages,
      ...(this.#searching ? [{ type: "searching" } as const] : []),
    ];
  }

  receive(message: ToHost): void {
    if (
      (this.isGone || this.#isHidden) &&
      (message.type === "search" || message.type === "askAgent")
    ) {
      return;
    }
    switch (message.type) {
      case "refresh":
        this.#suggestions.clear();
        void this.loader.load();
        break;
      case "search":
        void this.#search(message.search);
        break;
      case "cancel":
        this.#searching?.abort();
        break;
      case "readValues":
        void this.#suggestions.read(message.column);
        break;
      case "cancelValues":
        this.#suggestions.cancel();
        break;
      case "askAgent":
        this.#options.askAgent(message.question, this.item);
        break;
      case "copyStatement":
        void this.#copyStatement(message.search, message.as);
        break;
      case "addContent":
        void vscode.commands.executeCommand(commands.knowledgeBaseAddContent, this.item);
        break;
      case "browseDocuments":
        void vscode.commands.executeCommand(commands.knowledgeBaseBrowse, this.item);
        break;
      case "copyChunk":
        void vscode.env.clipboard.writeText(
          (message.isKept ? this.#kept?.chunks : this.#chunks)?.[message.index]?.content ?? "",
        );
        break;
      case "keepResult":
        this.#keepResult(message.isKept);
        break;
      case "accept":
        void this.loader.pressButton();
        break;
    }
  }

  override onClosed(): void {
    super.onClosed();
    this.#searching?.abort();
    this.#suggestions.cancel();
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<void> {
    const { project, name } = this.item;
    const row = await getKnowledgeBase(client, project, name, { signal });
    this.loader.succeed();
    this.#show("details", { type: "read", details: readDetails(row) });
    this.#isHidden = false;
    const count = await this.#count(client, signal).catch((error: unknown): ToPage => {
      signal.throwIfAborted();
      if (isAppError(error, "conflict")) {
        this.#isHidden = true;
        return { type: "hidden", reason: error.message };
      }
      const { message } = this.loader.explain("could not be counted", error);
      return { type: "notCounted", reason: message };
    });
    this.#show("count", count);
  }

  async #count(client: Client, signal: AbortSignal): Promise<ToPage> {
    const { project, name } = this.item;
    await checkIsVisible(client, this.item, { signal });
    return { type: "counted", ...(await countContent(client, project, name, { signal })) };
  }

  protected override explainGone(error: unknown): string | undefined {
    return explainKnowledgeBaseGone(error, this.item);
  }

  async #search(draft: SearchDraft): Promise<void> {
    this.#searching?.abort();
    const searching = new AbortController();
    const { signal } = searching;
    this.#searching = searching;
    this.post({ type: "searching" });
    const { connectionId, project, name } = this.item;
    const search = readSearchDraft(draft);
    try {
      const client = await this.#options.servers.client(connectionId);
      // The server may call an embedding model and a reranking model.
      const options = { signal, timeoutMs: 120_000 };
      const found = await searchKnowledgeBase(client, { project, name }, search, options);
      signal.throwIfAborted();
      // Only known secrets: a metadata column of the user's may be called `token`.
      this.#chunks = client.secrets.redactKnownValue(found.chunks);
      this.#show("result", {
        type: "found",
        question: search.question,
        conditions: formatConditions(search),
        chunks: this.#chunks.map(formatChunks),
        isFilteredHere: found.isFilteredHere,
      });
    } catch (error) {
      // A newer search has replaced this one.
      if (this.#searching !== searching) return;
      if (signal.aborted) this.post(this.#shown.get("result") ?? { type: "notFound", reason: "" });
      else {
        const reason = this.loader.explain("could not be searched", error).message;
        this.#show("result", { type: "notFound", reason });
      }
    }
    if (this.#searching === searching) this.#searching = undefined;
  }

  /** The messages shown last, with the kept result before the result that is compared with it. */
  #listShown(): ToPage[] {
    const shown = [...this.#shown.values()];
    if (!this.#kept) return shown;
    const kept = { type: "kept", isKept: true } as const;
    return shown.includes(this.#kept.message)
      ? [...shown, kept]
      : [this.#kept.message, kept, ...shown];
  }

  #keepResult(isKept: boolean): void {
    const message = this.#shown.get("result");
    if (isKept && message?.type !== "found") return;
    this.#kept = isKept && message ? { message, chunks: this.#chunks } : undefined;
    this.post({ type: "kept", isKept });
  }

  #show(kind: "details" | "count" | "result", message: ToPage): void {
    this.#shown.set(kind, message);
    this.post(message);
  }

  /** Copies the search as SQL, or as the JSON body of `/api/sql/query`. */
  async #copyStatement(draft: SearchDraft, as: "sql" | "json"): Promise<void> {
    const { project, name } = this.item;
    try {
      const { query, params } = searchStatement(project, name, readSearchDraft(draft));
      const sql = as === "sql" ? sqlWithValues(query, params) : undefined;
      await vscode.env.clipboard.writeText(sql ?? JSON.stringify({ query, params }, null, 2));
      const copied =
        as === "sql" && sql === undefined
          ? vscode.l10n.t("Copied as JSON, because SQL cannot express a value of this search")
          : vscode.l10n.t("Copied the request");
      showStatus(copied, 5_000);
    } catch (error) {
      const reason = this.loader.explain("has no statement", error).message;
      this.#show("result", { type: "notFound", reason });
    }
  }
}
