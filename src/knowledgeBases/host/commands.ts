import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { FillPanels } from "./fillPanels.ts";
import type { createKnowledgeBasePanels, KnowledgeBasePanelOptions } from "./knowledgeBasePanel.ts";

type Pages = ItemPages<KnowledgeBaseRef, never, ReturnType<typeof createKnowledgeBasePanels>>;

/** The commands and pages of knowledge bases, loaded when they are first used. */
export class KnowledgeBaseCommands implements vscode.Disposable {
  readonly pages: Pages;
  readonly #options: KnowledgeBasePanelOptions;
  readonly #subscriptions: vscode.Disposable[];
  #fill: Promise<FillPanels> | undefined;

  /** `pick` asks the user for a knowledge base if a command is given none. */
  constructor(
    options: KnowledgeBasePanelOptions,
    pick: (title: string) => Promise<KnowledgeBaseRef | undefined>,
  ) {
    this.#options = options;
    this.pages = new ItemPages({
      viewType: panels.knowledgeBase,
      showCommand: commands.knowledgeBaseShow,
      pick: () => pick(vscode.l10n.t("Show a Knowledge Base")),
      load: async () =>
        (await import("./knowledgeBasePanel.ts")).createKnowledgeBasePanels(options),
    });
    this.#subscriptions = [
      this.pages,
      restorePanels(panels.knowledgeBaseFill, () => this.loadFill()),
      vscode.commands.registerCommand(
        commands.knowledgeBaseAddContent,
        async (given?: KnowledgeBaseRef, file?: vscode.Uri) => {
          const item = given ?? (await pick(vscode.l10n.t("Add Content to a Knowledge Base")));
          if (item) await (await this.loadFill()).open(item, file);
        },
      ),
    ];
  }

  /** The pages that add content; the same object each time. */
  loadFill(): Promise<FillPanels> {
    this.#fill ??= import("./fillPanels.ts").then(
      ({ FillPanels }) => new FillPanels(this.#options),
    );
    return this.#fill;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
