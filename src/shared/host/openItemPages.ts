import * as v from "valibot";
import type * as vscode from "vscode";
import { createItemKey, isSameItem, type ItemRef } from "../../mindsdb/references.ts";
import { itemRef, type itemCalls } from "../itemPage.ts";
import type { Calls } from "../pageProtocol.ts";
import type { ItemPage, ItemPageOptions } from "./itemPage.ts";
import { Pages, type RestoredPage } from "./pages.ts";
import type { TabIcon } from "./tabIcons.ts";
import { recordOf } from "../../mindsdb/recordOf.ts";

interface ItemPagesOptions<
  Content extends object,
  More extends Calls,
  Detail,
> extends ItemPageOptions {
  viewType: string;
  page: string;
  icon: TabIcon;
  calls: typeof itemCalls & More;
  create: (item: ItemRef, detail?: Detail) => ItemPage<Content, More, Detail>;
  /** Returns the detail that the page has saved besides its item. */
  readDetail?: (saved: Record<string, unknown>) => Detail | undefined;
}

/** The keys under which a page has its item. Version 0.1.0 saved each kind under a name of its own. */
const itemKeys = ["item", "agent", "model", "table", "knowledgeBase"];

const savedState = v.pipe(
  v.looseObject({}),
  v.transform((saved: Record<string, unknown>) => ({
    item: itemKeys.map((key) => saved[key]).find((item) => item !== undefined),
    saved,
  })),
  v.object({ item: itemRef, saved: recordOf(v.unknown()) }),
);

/** The open pages of one kind of item, one for each item. */
export class OpenItemPages<Content extends object, More extends Calls, Detail = never>
  implements vscode.Disposable
{
  readonly #options: ItemPagesOptions<Content, More, Detail>;
  readonly #pages: Pages<typeof itemCalls & More, ItemPage<Content, More, Detail>>;
  readonly #subscription: { dispose(): void };

  constructor(options: ItemPagesOptions<Content, More, Detail>) {
    this.#options = options;
    this.#pages = new Pages({ ...options, restore: (state) => this.#restorePage(state) });
    this.#subscription = options.changes.onDidChangeServer((change) => {
      for (const page of this.contents) page.handleServerChange(change);
    });
  }

  /** The hosts of the open pages, the oldest first. */
  get contents(): ItemPage<Content, More, Detail>[] {
    return this.#pages.contents;
  }

  /** Shows an item's page. `detail` is further data from a command's argument, for example a model's version. */
  open({ connectionId, project, name }: ItemRef, detail?: Detail): void {
    const item = { connectionId, project, name };
    this.contents.find((page) => isSameItem(page.item, item))?.reopen(detail);
    this.#pages.show(createItemKey(item), () => this.#options.create(item, detail));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#pages.restore(panel, state);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #restorePage(state: unknown): RestoredPage<ItemPage<Content, More, Detail>> | undefined {
    const { success, output } = v.safeParse(savedState, state);
    if (!success) return undefined;
    const { item, saved } = output;
    const detail = this.#options.readDetail?.(saved);
    return { key: createItemKey(item), create: () => this.#options.create(item, detail) };
  }
}
