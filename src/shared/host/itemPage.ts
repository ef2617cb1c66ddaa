import type * as vscode from "vscode";
import { changeOfItem } from "../itemChange.ts";
import type { ServerAccess, ServerChange, ServerChanges } from "../connection.ts";
import type { ListKind } from "../../mindsdb/changes/serverChange.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import type { ErrorAction, ErrorExplanation } from "../errorExplanation.ts";
import { HostState } from "../hostState.ts";
import type { ItemState, itemCalls } from "../itemPage.ts";
import { PageReads } from "../pageReads.ts";
import type { Calls, Handlers } from "../pageProtocol.ts";
import { explainOnPage, runAction } from "./errorMessages.ts";
import type { Log } from "./log.ts";
import type { Page } from "./pages.ts";

/** Options of the pages of all kinds of items. */
export interface ItemPageOptions {
  extensionUri: vscode.Uri;
  servers: ServerAccess;
  changes: ServerChanges;
  log: Log;
}

interface ItemPlace {
  item: ItemRef;
  /** The server's list that the item is in. */
  list: ListKind;
  /** By default the item's name. */
  title?: string;
}

/**
 * The host of an item's page, which reads the item from the server: one request at a time, and again when the item has
 * changed, disappeared or come back. Subclasses start the first read.
 */
export abstract class ItemPage<
  Content extends object,
  More extends Calls,
  Detail = never,
> implements Page<typeof itemCalls & More> {
  readonly item: ItemRef;
  readonly state: HostState<ItemState & Content>;
  abstract readonly handlers: Handlers<typeof itemCalls & More>;
  protected readonly itemHandlers: Handlers<typeof itemCalls> = {
    refresh: () => this.load(),
    runNoticeAction: () => this.#runNoticeAction(),
  };
  /** Other reads of the page, cancelled when it is closed. */
  protected readonly reads = new PageReads();
  readonly #itemRead = this.reads.create();
  readonly #list: ListKind;
  readonly #options: ItemPageOptions;
  #noticeAction: ErrorAction | undefined;

  constructor(
    { item, list, title = item.name }: ItemPlace,
    content: Content,
    options: ItemPageOptions,
  ) {
    this.item = item;
    this.#list = list;
    this.#options = options;
    const connection = options.servers.find(item.connectionId)?.name ?? item.connectionId;
    const state = { item, title, connection, isLoading: false, isGone: false };
    this.state = new HostState({ ...state, ...content });
  }

  get title(): string {
    return this.state.current.title;
  }

  get connectionId(): string {
    return this.item.connectionId;
  }

  /** True after the server has said that it has no such item. */
  get isGone(): boolean {
    return this.state.current.isGone;
  }

  /** Reads the item; a read that is under way is aborted. */
  async load(): Promise<void> {
    this.#update({ isLoading: true });
    await this.#itemRead.run(
      async (signal) => {
        const client = await this.#options.servers.client(this.item.connectionId);
        signal.throwIfAborted();
        return this.read(client, signal);
      },
      {
        show: (content) => this.#show(content),
        fail: (error) => this.#update({ ...this.#explainFailure(error), isLoading: false }),
      },
    );
  }

  /** Follows a change on the server that may be about the item. */
  handleServerChange(change: ServerChange): void {
    const { isLoading } = this.state.current;
    const meaning = changeOfItem(change, this.#list, this.item);
    // A request under way will notice by itself that the item is gone or back.
    const isNews = meaning === (this.isGone ? "present" : "absent") && !isLoading;
    if (meaning === "changed" || isNews) void this.load();
  }

  /** Reads a deleted item again, because its name can be reused. */
  reopen(_detail: Detail | undefined): void {
    if (this.isGone) void this.load();
  }

  onClosed(): void {
    this.reads.close();
  }

  /** Shows what was read by other means, instead of what is being read. */
  protected show(content: Partial<Content>): void {
    this.#itemRead.abort();
    this.#show(content);
  }

  /** Reads the item. Throws AppError. */
  protected abstract read(client: Client, signal: AbortSignal): Promise<Partial<Content>>;

  /** Returns what to tell the user if the error means that the item was deleted. */
  protected abstract explainGone(error: unknown): string | undefined;

  /** Returns the action that creates a deleted item again, if there is one. */
  protected createAgain(): ErrorAction | undefined {
    return undefined;
  }

  #show(content: Partial<Content>): void {
    this.#update({ ...content, isLoading: false, isGone: false, notice: undefined });
  }

  #update(change: Partial<ItemState>): void {
    this.state.update(change as Partial<ItemState & Content>);
  }

  protected fail(error: unknown): void {
    this.#update(this.#explainFailure(error));
  }

  #explainFailure(error: unknown): Partial<ItemState> {
    const gone = this.explainGone(error);
    const explanation = this.explain("could not be read", error);
    const { message, action } =
      gone === undefined ? explanation : { message: gone, action: this.createAgain() };
    this.#noticeAction = action;
    return { isGone: gone !== undefined, notice: { text: message, action: action?.title } };
  }

  /** Runs the action of the notice's button, which may supply what was missing, and reads the item again. */
  async #runNoticeAction(): Promise<void> {
    if (!this.#noticeAction) return;
    await runAction(this.#noticeAction);
    await this.load();
  }

  /** Logs an error and returns what to tell the user; `problem` continues the item's name in the log. */
  protected explain(problem: string, error: unknown): ErrorExplanation {
    const { servers, log } = this.#options;
    const { connectionId, name } = this.item;
    log.error(`${name} (${this.#list}) ${problem}`, error);
    return explainOnPage(error, { connectionId, address: servers.find(connectionId)?.address });
  }
}

/** True for a 404 that names the item or its project; any other means a missing endpoint. */
export function isItemNotFound(error: unknown, { name, project }: ItemRef): boolean {
  if (!isAppError(error, "notFound")) return false;
  return error.message.includes(name) || error.message.includes(project);
}
