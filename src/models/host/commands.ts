// `MindsDB: Show Model`, and the pages' return after a reload. The page's host is imported with the first one.
import * as vscode from "vscode";
import type { ModelNode, ModelVersionNode } from "../../explorer/node.ts";
import { commands, panels } from "../../ids.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { ModelPanels, ModelPanelsOptions } from "./modelPanels.ts";

type GivenModel = ModelNode | ModelVersionNode;

export class ModelCommands implements vscode.Disposable {
  readonly #options: ModelPanelsOptions;
  readonly #subscriptions: vscode.Disposable[];
  #panels: Promise<ModelPanels> | undefined;

  /** `pickModel` asks the user which one, for the command from the palette. */
  constructor(options: ModelPanelsOptions, pickModel: () => Promise<GivenModel | undefined>) {
    this.#options = options;
    this.#subscriptions = [
      restorePanels(panels.model, () => this.load()),
      vscode.commands.registerCommand(commands.modelShow, async (given?: GivenModel) => {
        const model = given ?? (await pickModel());
        if (!model) return;
        const version = model.kind === "modelVersion" ? model.item.version : undefined;
        (await this.load()).open(model, version);
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
