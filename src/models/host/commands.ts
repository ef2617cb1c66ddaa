// `MindsDB: Show Model`, and the pages' return after a reload. The page's host is imported with the first one.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { ModelPanels, ModelPanelsOptions } from "./modelPanels.ts";

export class ModelCommands implements vscode.Disposable {
  readonly #options: ModelPanelsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #panels: Promise<ModelPanels> | undefined;

  /** `pickModel` asks the user which one, for the command from the palette. */
  constructor(options: ModelPanelsOptions, pickModel: () => Promise<ModelRef | undefined>) {
    this.#options = options;
    this.#subscriptions = [
      restorePanels(panels.model, () => this.load()),
      vscode.commands.registerCommand(commands.modelShow, async (given?: ModelRef) => {
        const model = given ?? (await pickModel());
        if (model) (await this.load()).open(model);
      }),
    ];
  }

  /** All model pages; the same ones every time. */
  load(): Promise<ModelPanels> {
    this.#panels ??= import("./modelPanels.ts").then(
      ({ ModelPanels }) => new ModelPanels(this.#options),
    );
    return this.#panels;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
