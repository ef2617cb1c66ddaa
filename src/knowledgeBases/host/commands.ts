// `MindsDB: Show Knowledge Base`, and the pages' return after a reload. Their host is imported with the first one.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { KnowledgeBasePanels, KnowledgeBasePanelsOptions } from "./knowledgeBasePanels.ts";

export class KnowledgeBaseCommands implements vscode.Disposable {
  readonly #options: KnowledgeBasePanelsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #panels: Promise<KnowledgeBasePanels> | undefined;

  /** `pick` asks the user which one, for the command from the palette. */
  constructor(
    options: KnowledgeBasePanelsOptions,
    pick: () => Promise<KnowledgeBaseRef | undefined>,
  ) {
    this.#options = options;
    this.#subscriptions = [
      restorePanels(panels.knowledgeBase, () => this.load()),
      vscode.commands.registerCommand(
        commands.knowledgeBaseShow,
        async (given?: KnowledgeBaseRef) => {
          const knowledgeBase = given ?? (await pick());
          if (knowledgeBase) (await this.load()).open(knowledgeBase);
        },
      ),
    ];
  }

  /** All knowledge base pages; the same ones every time. */
  load(): Promise<KnowledgeBasePanels> {
    this.#panels ??= import("./knowledgeBasePanels.ts").then(
      ({ KnowledgeBasePanels }) => new KnowledgeBasePanels(this.#options),
    );
    return this.#panels;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
