import * as v from "valibot";
import type * as vscode from "vscode";
import type { ServerChange, ServerChanges } from "../../connections/connection.ts";
import { createItemKey, isSameItem, type ItemRef } from "../../mindsdb/references.ts";
import {
  Panels,
  type PanelContent,
  type PanelKind,
  type PostToPage,
  type RestoredPanel,
} from "./panels.ts";

/**
 * The host of an item's page. `Detail` is further data about the item from a command's argument, for example a model's
 * version.
 */
export interface ItemPanel<ToHost, ToPage, Detail> extends PanelContent<ToHost, ToPage> {
  readonly item: ItemRef;
  /** Follows a change on a server, which may be about the item. */
  learn(change: ServerChange): void;
  /** The user has opened the item although its page is open. */
  reopen(detail: Detail | undefined): void;
}

interface ItemPanelsOptions<
  ToHost,
  ToPage,
  Detail,
  Panel extends ItemPanel<ToHost, ToPage, Detail>,
> extends Omit<PanelKind<ToHost, ToPage, Panel>, "restore"> {
  changes: ServerChanges;
  pageState: v.GenericSchema<unknown, { item: ItemRef; detail?: Detail | undefined }>;
  create: (item: ItemRef, detail: Detail | undefined, post: PostToPage<ToPage>) => Panel;
}

/** The open pages of one kind of item, one for each item. */
export class ItemPanels<ToHost, ToPage, Detail, Panel extends ItemPanel<ToHost, ToPage, Detail>>
  implements vscode.Disposable
{
  readonly #options: ItemPanelsOptions<ToHost, ToPage, Detail, Panel>;
  readonly #panels: Panels<ToHost, ToPage, Panel>;
  readonly #subscription: { dispose(): void };

  constructor(options: ItemPanelsOptions<ToHost, ToPage, Detail, Panel>) {
    this.#options = options;
    this.#panels = new Panels({ ...options, restore: (state) => this.#restoreContent(state) });
    this.#subscription = options.changes.onDidLearn((change) => {
      for (const panel of this.contents) panel.learn(change);
    });
  }

  /** The hosts of the open pages, the oldest first. */
  get contents(): Panel[] {
    return this.#panels.contents;
  }

  open({ connectionId, project, name }: ItemRef, detail?: Detail): void {
    const item = { connectionId, project, name };
    this.contents.find((panel) => isSameItem(panel.item, item))?.reopen(detail);
    this.#panels.show(createItemKey(item), (post) => this.#options.create(item, detail, post));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #restoreContent(state: unknown): RestoredPanel<ToPage, Panel> | undefined {
    const saved = v.safeParse(this.#options.pageState, state);
    if (!saved.success) return undefined;
    const { item, detail } = saved.output;
    return { key: createItemKey(item), create: (post) => this.#options.create(item, detail, post) };
  }
}
