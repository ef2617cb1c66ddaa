import * as vscode from "vscode";
import type { ItemRef } from "../../mindsdb/references.ts";
import { restorePanels, type PanelRestorer } from "./restorePanels.ts";

interface LoadedPages<Detail> extends PanelRestorer, vscode.Disposable {
  open(item: ItemRef, detail?: Detail): void;
}

interface ItemPagesOptions<Given extends ItemRef, Detail, Pages> {
  viewType: string;
  /** The command that shows the page of its argument, or of an item that the user picks, if it can be without one. */
  showCommand: string;
  pick?: () => Promise<Given | undefined>;
  /** Further data about the item from the command's argument. */
  detailOf?: (given: Given) => Detail | undefined;
  load: () => Promise<Pages>;
}

/** The pages of one kind of item, with their command, restored after a reload. Loaded with the first page. */
export class ItemPages<Given extends ItemRef, Detail, Pages extends LoadedPages<Detail>>
  implements vscode.Disposable
{
  readonly #load: () => Promise<Pages>;
  readonly #subscriptions: vscode.Disposable[];
  #pages: Promise<Pages> | undefined;

  constructor({
    viewType,
    showCommand,
    pick,
    detailOf,
    load,
  }: ItemPagesOptions<Given, Detail, Pages>) {
    this.#load = load;
    this.#subscriptions = [
      restorePanels(viewType, () => this.load()),
      vscode.commands.registerCommand(showCommand, async (given?: Given) => {
        const item = given ?? (await pick?.());
        if (item) (await this.load()).open(item, detailOf?.(item));
      }),
    ];
  }

  /** All pages; the same object each time. */
  load(): Promise<Pages> {
    this.#pages ??= this.#load();
    return this.#pages;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    void this.#pages?.then((pages) => {
      pages.dispose();
    });
  }
}
