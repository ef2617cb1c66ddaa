import * as vscode from "vscode";
import { commands, panels, watchedTrainingsKey } from "../../ids.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import type { ModelActions, ModelActionOptions } from "./modelActions.ts";
import type { createModelPages, ModelPageOptions } from "./modelPage.ts";

export type ModelPages = ItemPages<ModelRef, number, ReturnType<typeof createModelPages>>;

/** Registers the pages of models; `pick` asks the user for the model if the command is given none. */
export function registerModelPages(
  options: ModelPageOptions,
  pick: () => Promise<ModelRef | undefined>,
): ModelPages {
  return new ItemPages({
    viewType: panels.model,
    showCommand: commands.modelShow,
    pick,
    detailOf: ({ version }) => version,
    load: async () => (await import("./modelPage.ts")).createModelPages(options),
  });
}

/** Registers what trains, switches and deletes models. It is loaded when it is first used. */
export function registerModelActions(options: ModelActionOptions): vscode.Disposable {
  let loaded: Promise<ModelActions> | undefined;
  const load = (): Promise<ModelActions> => {
    loaded ??= import("./modelActions.ts").then(({ ModelActions }) => new ModelActions(options));
    return loaded;
  };
  type Act = (actions: ModelActions, given: never) => Promise<void>;
  const register = (command: string, act: Act): vscode.Disposable =>
    vscode.commands.registerCommand(command, async (given: never) => act(await load(), given));
  // Trainings that were under way when the window was closed.
  if (options.state.get(watchedTrainingsKey)) void load();
  return vscode.Disposable.from(
    register(commands.modelTrain, (actions, given) => actions.train(given)),
    register(commands.tableTrainModel, (actions, given: TableRef) => actions.trainOn(given)),
    register(commands.modelRetrain, (actions, given) => actions.retrain(given)),
    register(commands.modelFinetune, (actions, given) => actions.finetune(given)),
    register(commands.modelUseVersion, (actions, given) => actions.useVersion(given)),
    register(commands.modelCompareVersions, (actions, given) => actions.compare(given)),
    register(commands.modelDeleteVersion, (actions, given) => actions.deleteVersion(given)),
    register(commands.modelDelete, (actions, given) => actions.deleteModel(given)),
    restorePanels(panels.modelTrain, async () => (await load()).forms),
    new vscode.Disposable(() => void loaded?.then((actions) => actions.dispose())),
  );
}
