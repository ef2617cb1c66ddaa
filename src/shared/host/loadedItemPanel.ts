import type { ServerChange } from "../../connections/connection.ts";
import type { ListKind } from "../../mindsdb/changes/serverChange.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { ItemRef } from "../../mindsdb/references.ts";
import type { LoadMessage } from "../itemPage.ts";
import { ItemLoader } from "./itemLoader.ts";
import type { ItemPageOptions, ItemPanel } from "./itemPanels.ts";
import type { PanelContent, PostToPage } from "./panels.ts";

/** The host of an item's page that reads its item from the server. Subclasses start the first read. */
export abstract class LoadedItemPanel<ToHost, ToPage, Detail>
  implements ItemPanel<Detail>, PanelContent<ToHost, ToPage>
{
  readonly item: ItemRef;
  protected readonly post: PostToPage<ToPage | LoadMessage>;
  protected readonly loader: ItemLoader;

  constructor(
    item: ItemRef,
    list: ListKind,
    post: PostToPage<ToPage | LoadMessage>,
    { servers, log }: ItemPageOptions,
  ) {
    this.item = item;
    this.post = post;
    this.loader = new ItemLoader({
      item,
      list,
      servers,
      log,
      post,
      read: (client, signal) => this.read(client, signal),
      explainGone: (error) => this.explainGone(error),
    });
  }

  get title(): string {
    return this.item.name;
  }

  get connectionId(): string {
    return this.item.connectionId;
  }

  get isGone(): boolean {
    return this.loader.isGone;
  }

  learn(change: ServerChange): void {
    this.loader.learn(change);
  }

  reopen(_detail: Detail | undefined): void {
    void this.loader.loadIfGone();
  }

  onClosed(): void {
    this.loader.cancel();
  }

  abstract snapshot(): ToPage[];
  abstract receive(message: ToHost): void;

  /** Reads the item and posts it, after a call of the loader's `succeed`. Throws AppError. */
  protected abstract read(client: Client, signal: AbortSignal): Promise<void>;

  /** Returns what to tell the user if the error means that the item was deleted. */
  protected abstract explainGone(error: unknown): string | undefined;
}
