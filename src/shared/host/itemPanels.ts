import * as v from "valibot";
import type * as vscode from "vscode";
import type { ServerAccess, ServerChange, ServerChanges } from "../../connections/connection.ts";
import { createItemKey, isSameItem, type ItemRef } from "../../mindsdb/references.ts";
import type { KeyedPanels, PanelOptions, RestoredContent, TabContent } from "./keyedPanels.ts";
import type { Log } from "./log.ts";

/** Options of the pages of all kinds of items. */
export interface ItemPageOptions {
  extensionUri: vscode.Uri;
  servers: ServerAccess;
  changes: ServerChanges;
  log: Log;
}

/**
 * The host of an item's page. `Detail` is further data about the item from a command's argument, for example a model's
 * version.
 */
export interface ItemPanel<Detail> extends TabContent {
  readonly item: ItemRef;
  /** Follows a change on a server, which may be about the item. */
  handleServerChange(change: ServerChange): void;
  /** The user has opened the item although its page is open. */
  reopen(detail: Detail | undefined): void;
}

interface ItemPanelsOptions<Detail, Panel extends ItemPanel<Detail>, Create> {
  changes: ServerChanges;
  pageState: v.GenericSchema<unknown, { item: ItemRef; detail?: Detail | undefined }>;
  panels: (restore: PanelOptions<Create>["restore"]) => KeyedPanels<Panel, Create>;
  create: (item: ItemRef, detail: Detail | undefined) => Create;
}

/** The open pages of one kind of item, one for each item. `Create` is how their panels make one. */
export class ItemPanels<Detail, Panel extends ItemPanel<Detail>, Create>
  implements vscode.Disposable
{
  readonly #options: ItemPanelsOptions<Detail, Panel, Create>;
  readonly #panels: KeyedPanels<Panel, Create>;
  readonly #subscription: { dispose(): void };

  constructor(options: ItemPanelsOptions<Detail, Panel, Create>) {
    this.#options = options;
    this.#panels = options.panels((state) => this.#restoreContent(state));
    this.#subscription = options.changes.onDidChangeServer((change) => {
      for (const panel of this.contents) panel.handleServerChange(change);
    });
  }

  /** The hosts of the open pages, the oldest first. */
  get contents(): Panel[] {
    return this.#panels.contents;
  }

  open({ connectionId, project, name }: ItemRef, detail?: Detail): void {
    const item = { connectionId, project, name };
    this.contents.find((panel) => isSameItem(panel.item, item))?.reopen(detail);
    this.#panels.show(createItemKey(item), this.#options.create(item, detail));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #restoreContent(state: unknown): RestoredContent<Create> | undefined {
    const saved = v.safeParse(this.#options.pageState, state);
    if (!saved.success) return undefined;
    const { item, detail } = saved.output;
    return { key: createItemKey(item), create: this.#options.create(item, detail) };
  }
}
