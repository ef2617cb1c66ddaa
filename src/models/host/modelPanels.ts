// All open model pages, one for each model, and their return after a reload. Imported with the first one.
import * as v from "valibot";
import type * as vscode from "vscode";
import type { ServerChanges } from "../../connections/connection.ts";
import { panels } from "../../ids.ts";
import { Panels, type PanelRestorer, type PostToPage } from "../../shared/host/panels.ts";
import type { ItemRef, ModelRef } from "../../mindsdb/references.ts";
import { pageState, toHost, type ToHost, type ToPage } from "../messages.ts";
import { ModelPanel, type ModelPanelOptions } from "./modelPanel.ts";

export interface ModelPanelsOptions extends ModelPanelOptions {
  extensionUri: vscode.Uri;
  changes: ServerChanges;
}

export class ModelPanels implements PanelRestorer {
  readonly #options: ModelPanelsOptions;
  readonly #panels: Panels<ToHost, ToPage, ModelPanel>;

  constructor(options: ModelPanelsOptions) {
    this.#options = options;
    this.#panels = new Panels({
      viewType: panels.model,
      extensionUri: options.extensionUri,
      page: "model",
      icon: "model",
      incoming: toHost,
      restore: (state, post) => Promise.resolve(this.#contentOf(state, post)),
      log: (text) => options.log.info(text),
    });
    options.changes.onDidLearn((change) => {
      for (const panel of this.contents) panel.learn(change);
    });
  }

  /** The pages that are open, the oldest first. */
  get contents(): ModelPanel[] {
    return this.#panels.contents;
  }

  /** Shows a model's page, or one version in it; without a version the active one, or the one that is shown already. */
  open({ connectionId, project, name, version }: ModelRef): void {
    const model = { connectionId, project, name };
    const key = keyOf(model);
    const open = this.#panels.contents.find((panel) => keyOf(panel.model) === key);
    if (open && version !== undefined) open.choose(version);
    else open?.shownAgain();
    this.#panels.show(key, (post) => new ModelPanel(model, version, post, this.#options));
  }

  restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return this.#panels.restore(panel, state);
  }

  #contentOf(
    state: unknown,
    post: PostToPage<ToPage>,
  ): { key: string; content: ModelPanel } | undefined {
    const saved = v.safeParse(pageState, state);
    if (!saved.success) return undefined;
    const { model, version } = saved.output;
    return { key: keyOf(model), content: new ModelPanel(model, version, post, this.#options) };
  }
}

function keyOf({ connectionId, project, name }: ItemRef): string {
  return JSON.stringify([connectionId, project, name]);
}
