import type * as vscode from "vscode";
import type { ItemRef } from "../../mindsdb/references.ts";
import { lazy, type Lazy } from "../lazy.ts";
import { restorePanels, type PanelRestorer } from "./restorePanels.ts";

interface LoadedPages<Detail> extends PanelRestorer, vscode.Disposable {
  open(item: ItemRef, detail?: Detail): void;
}

interface ItemPagesOptions<Given extends ItemRef, Detail, Pages> {
  viewType: string;
  /** Asks the user for an item, for a command that can be without one. */
  pick?: () => Promise<Given | undefined>;
  /** Further data about the item from the command's argument. */
  detailOf?: (given: Given) => Detail | undefined;
  load: () => Promise<Pages>;
}

/** The pages of one kind of item, restored after a reload. Loaded with the first page. */
export class ItemPages<Given extends ItemRef, Detail, Pages extends LoadedPages<Detail>>
  implements vscode.Disposable
{
  /** All pages; the same object each time. */
  readonly load: Lazy<Pages>;
  /** The command that shows the page of an item, or of one that the user picks. */
  readonly show: (given?: Given) => Promise<void>;
  readonly #restorer: vscode.Disposable;

  constructor({ viewType, pick, detailOf, load }: ItemPagesOptions<Given, Detail, Pages>) {
    this.load = lazy(load);
    this.#restorer = restorePanels(viewType, this.load);
    this.show = async (given) => {
      const item = given ?? (await pick?.());
      if (item) (await this.load()).open(item, detailOf?.(item));
    };
  }

  dispose(): void {
    this.#restorer.dispose();
    void this.load.loaded?.then((pages) => {
      pages.dispose();
    });
  }
}
