import { changeOfItem } from "../../connections/itemChange.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import type { ServerAccess, ServerChange } from "../../connections/connection.ts";
import type { ListKind } from "../../mindsdb/changes/serverChange.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { LoadMessage } from "../itemPage.ts";
import { explainError } from "./errorMessages.ts";
import type { ErrorExplanation } from "../errorExplanation.ts";
import type { Log } from "./log.ts";
import { NoticeButton } from "./noticeButton.ts";

interface ItemLoaderOptions {
  item: ItemRef;
  /** The server's list that the item is in. */
  list: ListKind;
  servers: ServerAccess;
  log: Log;
  post: (message: LoadMessage) => void;
  /** Reads the item and posts it, after a call of `succeed`. Throws AppError. */
  read: (client: Client, signal: AbortSignal) => Promise<void>;
  /** Returns what to tell the user if the error means that the item was deleted. */
  explainGone: (error: unknown) => string | undefined;
}

/** Loads the item of a page: one request at a time, and again when the item has changed, disappeared or come back. */
export class ItemLoader {
  readonly #options: ItemLoaderOptions;
  readonly #button = new NoticeButton();
  #failure: Extract<LoadMessage, { type: "failed" }> | undefined;
  #loading: AbortController | undefined;

  constructor(options: ItemLoaderOptions) {
    this.#options = options;
  }

  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** True after the server has said that it has no such item. */
  get isGone(): boolean {
    return this.#failure?.isGone ?? false;
  }

  get connectionName(): string {
    const { item, servers } = this.#options;
    return servers.find(item.connectionId)?.name ?? item.connectionId;
  }

  /** What a page needs to show the failure and the progress again, after the item itself. */
  get messages(): LoadMessage[] {
    return [
      ...(this.#failure ? [this.#failure] : []),
      ...(this.#loading ? [{ type: "asking" } as const] : []),
    ];
  }

  /** Reads the item; a read that is under way is aborted. */
  async load(): Promise<void> {
    const { item, servers, post, read } = this.#options;
    this.cancel();
    const loading = new AbortController();
    const { signal } = loading;
    this.#loading = loading;
    post({ type: "asking" });
    try {
      await read(await servers.client(item.connectionId), signal);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
    if (this.#loading === loading) this.#loading = undefined;
  }

  /** Reads a deleted item again, because its name can be reused. */
  async loadIfGone(): Promise<void> {
    if (this.isGone) await this.load();
  }

  cancel(): void {
    this.#loading?.abort();
    this.#loading = undefined;
  }

  /** The item was read, so the last failure is obsolete. */
  succeed(): void {
    this.#failure = undefined;
  }

  fail(error: unknown): void {
    const explanation = this.explain("could not be read", error);
    const gone = this.#options.explainGone(error);
    const notice = this.#button.createNotice(gone === undefined ? explanation : { message: gone });
    this.#failure = { type: "failed", notice, isGone: gone !== undefined };
    this.#options.post(this.#failure);
  }

  /** Follows a change on the server that may be about the item. */
  learn(change: ServerChange): void {
    const { item, list } = this.#options;
    switch (changeOfItem(change, list, item)) {
      case "changed":
        void this.load();
        break;
      case "absent":
        // A request under way will notice this itself.
        if (!this.isLoading && !this.isGone) void this.load();
        break;
      case "present":
        if (!this.isLoading && this.isGone) void this.load();
        break;
      case undefined:
    }
  }

  /** Runs the action of the notice's button, which may supply what was missing, and reads the item again. */
  async pressButton(): Promise<void> {
    if (await this.#button.press()) await this.load();
  }

  /** Logs an error and returns what to tell the user; `problem` continues the item's name in the log. */
  explain(problem: string, error: unknown): ErrorExplanation {
    const { item, list, servers, log } = this.#options;
    const { connectionId, name } = item;
    log.error(`${name} (${list}) ${problem}`, error);
    return explainError(error, { connectionId, address: servers.find(connectionId)?.address });
  }
}
