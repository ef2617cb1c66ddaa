import * as v from "valibot";
import type { ItemRef } from "../../mindsdb/references.ts";
import { itemRef, type itemCalls } from "../itemPage.ts";
import type { Calls } from "../pageProtocol.ts";
import type { ItemPage } from "./itemPage.ts";
import { ItemPanels, type ItemPageOptions } from "./itemPanels.ts";
import { Pages } from "./pages.ts";

interface ItemPagesOptions<
  Content extends object,
  More extends Calls,
  Detail,
> extends ItemPageOptions {
  viewType: string;
  page: string;
  icon: string;
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
  v.object({ item: itemRef, saved: v.record(v.string(), v.unknown()) }),
);

/** The open pages of one kind of item. */
export function createItemPages<Content extends object, More extends Calls, Detail = never>(
  options: ItemPagesOptions<Content, More, Detail>,
) {
  type Shown = ItemPage<Content, More, Detail>;
  return new ItemPanels<Detail, Shown, () => Shown>({
    changes: options.changes,
    pageState: v.pipe(
      savedState,
      v.transform(({ item, saved }) => ({ item, detail: options.readDetail?.(saved) })),
    ),
    panels: (restore) => new Pages<typeof itemCalls & More, Shown>({ ...options, restore }),
    create: (item, detail) => () => options.create(item, detail),
  });
}
