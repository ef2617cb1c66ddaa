// The host behind one knowledge base page: reads it, counts its rows, and searches it for the page.
import * as vscode from "vscode";
import type { ServerAccess, ServerChange } from "../../connections/connection.ts";
import { changeOfItem } from "../../connections/itemChange.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { countContent, getKnowledgeBase } from "../../mindsdb/knowledgeBases.ts";
import { sqlWithValues } from "../../mindsdb/sql/sqlWithValues.ts";
import {
  searchKnowledgeBase,
  searchStatement,
  type Chunk,
} from "../../mindsdb/searchKnowledgeBase.ts";
import {
  explainError,
  runAction,
  type ErrorAction,
  type ErrorExplanation,
} from "../../shared/host/errorMessages.ts";
import type { Log } from "../../shared/host/log.ts";
import type { PanelContent, PostToPage } from "../../shared/host/panels.ts";
import { readDetails } from "../knowledgeBaseDetails.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { SearchDraft, ToHost, ToPage } from "../messages.ts";
import { formatChunks, readSearchDraft } from "../searchDraft.ts";
import { MetadataSuggestions } from "./metadataSuggestions.ts";
import { knowledgeBaseTexts } from "./knowledgeBaseTexts.ts";

export interface KnowledgeBasePanelOptions {
  servers: ServerAccess;
  log: Log;
  /** Lets the user pick an agent, readers of the knowledge base first, and opens its chat with the question written, not sent. */
  askAgent: (question: string, knowledgeBase: KnowledgeBaseRef) => void;
}

export class KnowledgeBasePanel implements PanelContent<ToHost, ToPage> {
  readonly knowledgeBase: KnowledgeBaseRef;
  readonly #post: PostToPage<ToPage>;
  readonly #options: KnowledgeBasePanelOptions;
  /** The newest message of each kind: what a page needs to show it all again. */
  readonly #shown = new Map<"details" | "count" | "result" | "failure", ToPage>();
  readonly #suggestions: MetadataSuggestions;
  #chunks: Chunk[] = [];
  /** What the button of the notice does that the page could not be read. */
  #action: ErrorAction | undefined;
  #reading: AbortController | undefined;
  #searching: AbortController | undefined;
  #isGone = false;

  constructor(
    knowledgeBase: KnowledgeBaseRef,
    post: PostToPage<ToPage>,
    options: KnowledgeBasePanelOptions,
  ) {
    this.knowledgeBase = knowledgeBase;
    this.#post = post;
    this.#options = options;
    this.#suggestions = new MetadataSuggestions(knowledgeBase, post, options);
    void this.#read();
  }

  get title(): string {
    return this.knowledgeBase.name;
  }

  /** Whether the server has said that it has no such knowledge base. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** What some part of the product has learned about the server may be about this knowledge base. */
  learn(change: ServerChange): void {
    switch (changeOfItem(change, "knowledgeBases", this.knowledgeBase)) {
      case "changed":
        void this.#read();
        break;
      case "absent":
        // What this page is asking at the moment says so itself.
        if (!this.#reading && !this.#isGone) void this.#read();
        break;
      case "present":
        if (!this.#reading && this.#isGone) void this.#read();
        break;
      case undefined:
    }
  }

  snapshot(): ToPage[] {
    const { connectionId } = this.knowledgeBase;
    return [
      {
        type: "begin",
        knowledgeBase: this.knowledgeBase,
        connection: this.#options.servers.find(connectionId)?.name ?? connectionId,
        texts: knowledgeBaseTexts(),
        locale: vscode.env.language,
      },
      ...this.#shown.values(),
      ...(this.#reading ? [{ type: "asking" } as const] : []),
      ...(this.#searching ? [{ type: "searching" } as const] : []),
    ];
  }

  /** Reads it again if it is gone: a name can be used again. */
  shownAgain(): void {
    if (this.#isGone) void this.#read();
  }

  receive(message: ToHost): void {
    if (this.#isGone && (message.type === "search" || message.type === "askAgent")) return;
    switch (message.type) {
      case "refresh":
        this.#suggestions.clear();
        void this.#read();
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
        this.#options.askAgent(message.question, this.knowledgeBase);
        break;
      case "copyStatement":
        void this.#copyStatement(message.search, message.as);
        break;
      case "copyChunk":
        void vscode.env.clipboard.writeText(this.#chunks[message.index]?.content ?? "");
        break;
      case "accept":
        void this.#accept();
        break;
    }
  }

  closed(): void {
    this.#reading?.abort();
    this.#searching?.abort();
    this.#suggestions.cancel();
  }

  async #read(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    const { signal } = reading;
    this.#reading = reading;
    this.#post({ type: "asking" });
    const { connectionId, project, name } = this.knowledgeBase;
    try {
      const client = await this.#options.servers.client(connectionId);
      const row = await getKnowledgeBase(client, project, name, { signal });
      this.#shown.delete("failure");
      this.#isGone = false;
      this.#show("details", { type: "read", details: readDetails(row) });
      const count = await countContent(client, project, name, { signal }).then(
        (count): ToPage => ({ type: "counted", ...count }),
        (error: unknown): ToPage => {
          signal.throwIfAborted();
          return { type: "notCounted", reason: this.#tell("could not be counted", error).message };
        },
      );
      this.#show("count", count);
    } catch (error) {
      if (signal.aborted) return;
      const { message, action } = this.#tell("could not be read", error);
      this.#isGone = isGone(error, this.knowledgeBase);
      this.#action = this.#isGone ? undefined : action;
      const text = this.#isGone
        ? vscode.l10n.t("{0} is no longer in {1}. It was deleted.", name, project)
        : message;
      const notice = { text, ...(this.#action ? { action: this.#action.title } : {}) };
      this.#show("failure", { type: "failed", notice, isGone: this.#isGone });
    }
    if (this.#reading === reading) this.#reading = undefined;
  }

  async #search(draft: SearchDraft): Promise<void> {
    this.#searching?.abort();
    const searching = new AbortController();
    const { signal } = searching;
    this.#searching = searching;
    this.#post({ type: "searching" });
    const { connectionId, project, name } = this.knowledgeBase;
    const search = readSearchDraft(draft);
    try {
      const client = await this.#options.servers.client(connectionId);
      // The server may have to ask an embedding model, and a reranking one, somewhere else.
      const options = { signal, timeoutMs: 120_000 };
      const found = await searchKnowledgeBase(client, { project, name }, search, options);
      signal.throwIfAborted();
      // Chunks are the user's own: a metadata column may be called `token`.
      this.#chunks = found.chunks.map((chunk) => client.secrets.redactKnownValue(chunk) as Chunk);
      this.#show("result", {
        type: "found",
        question: search.question,
        chunks: this.#chunks.map(formatChunks),
        note: found.isFilteredHere ? "filteredHere" : undefined,
      });
    } catch (error) {
      // Another search has taken this one's place.
      if (this.#searching !== searching) return;
      if (signal.aborted) this.#post(this.#shown.get("result") ?? { type: "notFound", reason: "" });
      else {
        const reason = this.#tell("could not be searched", error).message;
        this.#show("result", { type: "notFound", reason });
      }
    }
    if (this.#searching === searching) this.#searching = undefined;
  }

  #show(kind: "details" | "count" | "result" | "failure", message: ToPage): void {
    this.#shown.set(kind, message);
    this.#post(message);
  }

  /** The sentence for a failure; its whole story goes to the log. */
  #tell(what: string, error: unknown): ErrorExplanation {
    const { connectionId, name } = this.knowledgeBase;
    this.#options.log.error(`The knowledge base ${name} ${what}`, error);
    const address = this.#options.servers.find(connectionId)?.address;
    return explainError(error, { connectionId, address });
  }

  /** What the notice's button does may be what was missing. */
  async #accept(): Promise<void> {
    if (!this.#action) return;
    await runAction(this.#action);
    await this.#read();
  }

  /** The statement to paste; or, as JSON, with its params as the body that `/api/sql/query` takes. */
  async #copyStatement(draft: SearchDraft, as: "sql" | "json"): Promise<void> {
    const { project, name } = this.knowledgeBase;
    try {
      const { query, params } = searchStatement(project, name, readSearchDraft(draft));
      const sql = as === "sql" ? sqlWithValues(query, params) : undefined;
      await vscode.env.clipboard.writeText(sql ?? JSON.stringify({ query, params }, null, 2));
      const copied =
        as === "sql" && sql === undefined
          ? vscode.l10n.t("Copied as JSON, because SQL cannot express a value of this search")
          : vscode.l10n.t("Copied the request");
      vscode.window.setStatusBarMessage(copied, 5_000);
    } catch (error) {
      const reason = this.#tell("has no statement", error).message;
      this.#show("result", { type: "notFound", reason });
    }
  }
}

/** True for a 404 that is about this knowledge base or its project; another one only says that there is no such address. */
function isGone(error: unknown, { name, project }: KnowledgeBaseRef): boolean {
  if (!isAppError(error, "notFound")) return false;
  const { message } = error;
  return /knowledge.?base/i.test(message) || message.includes(name) || message.includes(project);
}
