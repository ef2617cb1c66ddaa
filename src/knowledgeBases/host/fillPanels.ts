// The pages that add content, one for each knowledge base: so only one run writes to it at a time.
import * as v from "valibot";
import * as vscode from "vscode";
import { panels } from "../../ids.ts";
import { createItemKey, type KnowledgeBaseRef } from "../../mindsdb/references.ts";
import { Panels, type PostToPage } from "../../shared/host/panels.ts";
import type { PanelRestorer } from "../../shared/host/restorePanels.ts";
import type { SourceRef } from "../fill/sourceRef.ts";
import { pageState, toHost, type ToHost, type ToPage } from "../fillMessages.ts";
import { FillPanel, type FillPanelOptions, type FillStart } from "./fillPanel.ts";
import { pickSource } from "./pickSource.ts";

interface FillPanelsOptions extends FillPanelOptions {
  extensionUri: vscode.Uri;
}

export class FillPanels implements PanelRestorer {
  readonly #options: FillPanelsOptions;
  readonly #panels: Panels<ToHost, ToPage, FillPanel>;
  /** All panels, also those whose page was closed during a run. */
  readonly #contents = new Map<string, FillPanel>();

  constructor(options: FillPanelsOptions) {
    this.#options = options;
    this.#panels = new Panels({
      viewType: panels.knowledgeBaseFill,
      extensionUri: options.extensionUri,
      page: "knowledgeBaseFill",
      icon: "knowledgeBase",
      incoming: toHost,
      restore: (state) => {
        const saved = v.safeParse(pageState, state);
        if (!saved.success) return undefined;
        const { knowledgeBase, source, mapping, existing } = saved.output;
        const start = { source, mapping, existing };
        const key = createItemKey(knowledgeBase);
        return { key, create: (post) => this.#create(key, knowledgeBase, start, post) };
      },
      log: options.log,
    });
  }

  /** Asks for a source, unless one is given or a run is under way, and shows the page. */
  async open({ connectionId, project, name }: KnowledgeBaseRef, given?: SourceRef): Promise<void> {
    const item = { connectionId, project, name };
    const key = createItemKey(item);
    const open = this.#contents.get(key);
    if (open?.isRunning) {
      this.#panels.show(key, (post) => open.attach(post));
      return;
    }
    const title = vscode.l10n.t("Add Content to {0}", name);
    const source = given ?? (await pickSource(title, connectionId, this.#options.pickTable));
    if (!source) return;
    open?.setSource(source);
    this.#panels.show(key, (post) => this.#create(key, item, { source }, post));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #create(
    key: string,
    item: KnowledgeBaseRef,
    start: FillStart,
    post: PostToPage<ToPage>,
  ): FillPanel {
    const before = this.#contents.get(key);
    if (before) return before.attach(post);
    const forget = (): void => void this.#contents.delete(key);
    const panel = new FillPanel(item, start, post, this.#options, forget);
    this.#contents.set(key, panel);
    return panel;
  }
}
