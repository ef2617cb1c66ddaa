// All open knowledge base pages, one for each, and their return after a reload. Imported with the first one.
import * as v from "valibot";
import type * as vscode from "vscode";
import type { ServerChanges } from "../../connections/connection.ts";
import { panels } from "../../ids.ts";
import { Panels, type PanelRestorer, type PostToPage } from "../../shared/host/panels.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { pageState, toHost, type ToHost, type ToPage } from "../messages.ts";
import { KnowledgeBasePanel, type KnowledgeBasePanelOptions } from "./knowledgeBasePanel.ts";

export interface KnowledgeBasePanelsOptions extends KnowledgeBasePanelOptions {
  extensionUri: vscode.Uri;
  changes: ServerChanges;
}

export class KnowledgeBasePanels implements PanelRestorer {
  readonly #options: KnowledgeBasePanelsOptions;
  readonly #panels: Panels<ToHost, ToPage, KnowledgeBasePanel>;

  constructor(options: KnowledgeBasePanelsOptions) {
    this.#options = options;
    this.#panels = new Panels({
      viewType: panels.knowledgeBase,
      extensionUri: options.extensionUri,
      page: "knowledgeBase",
      icon: "knowledgeBase",
      incoming: toHost,
      restore: (state, post) => Promise.resolve(this.#contentOf(state, post)),
      log: (text) => options.log.info(text),
    });
    options.changes.onDidLearn((change) => {
      for (const panel of this.contents) panel.learn(change);
    });
  }

  /** The pages that are open, the oldest first. */
  get contents(): KnowledgeBasePanel[] {
    return this.#panels.contents;
  }

  /** Shows a knowledge base's page. */
  open({ connectionId, project, name }: KnowledgeBaseRef): void {
    const knowledgeBase = { connectionId, project, name };
    const key = keyOf(knowledgeBase);
    this.contents.find((panel) => keyOf(panel.knowledgeBase) === key)?.shownAgain();
    this.#panels.show(key, (post) => this.#panel(knowledgeBase, post));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #panel(knowledgeBase: KnowledgeBaseRef, post: PostToPage<ToPage>): KnowledgeBasePanel {
    return new KnowledgeBasePanel(knowledgeBase, post, this.#options);
  }

  #contentOf(
    state: unknown,
    post: PostToPage<ToPage>,
  ): { key: string; content: KnowledgeBasePanel } | undefined {
    const saved = v.safeParse(pageState, state);
    if (!saved.success) return undefined;
    const { knowledgeBase } = saved.output;
    return { key: keyOf(knowledgeBase), content: this.#panel(knowledgeBase, post) };
  }
}

function keyOf({ connectionId, project, name }: KnowledgeBaseRef): string {
  return JSON.stringify([connectionId, project, name]);
}
