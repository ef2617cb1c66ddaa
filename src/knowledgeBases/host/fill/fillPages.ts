// The pages that add content, one for each knowledge base: so only one run writes to it at a time.
import * as v from "valibot";
import * as vscode from "vscode";
import { panels } from "../../../ids.ts";
import { createItemKey, type KnowledgeBaseRef } from "../../../mindsdb/references.ts";
import { Pages } from "../../../shared/host/pages.ts";
import { findPlaceholder } from "../../../shared/typedSecrets.ts";
import type { PanelRestorer } from "../../../shared/host/restorePanels.ts";
import type { SourceRef } from "../../fill/sourceRef.ts";
import { fillCalls, pageState } from "../../fillPage.ts";
import { FillPage, type FillPageOptions, type FillStart } from "./fillPage.ts";
import { pickSource } from "./pickSource.ts";

interface FillPagesOptions extends FillPageOptions {
  extensionUri: vscode.Uri;
}

export class FillPages implements PanelRestorer {
  readonly #options: FillPagesOptions;
  readonly #pages: Pages<typeof fillCalls, FillPage>;
  /** All pages, also those whose page was closed during a run. */
  readonly #contents = new Map<string, FillPage>();

  constructor(options: FillPagesOptions) {
    this.#options = options;
    this.#pages = new Pages({
      viewType: panels.knowledgeBaseFill,
      extensionUri: options.extensionUri,
      page: "knowledgeBaseFill",
      icon: "knowledgeBase",
      calls: fillCalls,
      restore: (state) => {
        const saved = v.safeParse(pageState, state);
        // A statement with a placeholder for a secret would read something else.
        if (!saved.success || findPlaceholder(saved.output) !== undefined) return undefined;
        const { knowledgeBase, source, mapping, existing } = saved.output;
        const start = { source, mapping, existing };
        const key = createItemKey(knowledgeBase);
        return { key, create: () => this.#create(key, knowledgeBase, start) };
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
      this.#pages.show(key, () => open.reopen());
      return;
    }
    const title = vscode.l10n.t("Add Content to {0}", name);
    const source = given ?? (await pickSource(title, connectionId, this.#options.pickTable));
    if (!source) return;
    open?.setSource(source);
    this.#pages.show(key, () => this.#create(key, item, { source }));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#pages.restore(panel, state);
  }

  #create(key: string, item: KnowledgeBaseRef, start: FillStart): FillPage {
    const before = this.#contents.get(key);
    if (before) return before.reopen();
    const forget = (): void => void this.#contents.delete(key);
    const page = new FillPage(item, start, this.#options, forget);
    this.#contents.set(key, page);
    return page;
  }
}
