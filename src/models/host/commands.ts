import * as vscode from "vscode";
import { commands, panels, watchedTrainingsKey } from "../../ids.ts";
import type { ModelRef, TableRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import type { NewItemPlace } from "../../shared/host/newItemTarget.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { ModelActionOptions } from "./modelActions.ts";
import type { createModelPages, ModelPageOptions } from "./modelPage.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerModelCommands>> {}
}

type ModelPages = ItemPages<ModelRef, number, ReturnType<typeof createModelPages>>;

/** Registers what shows, trains, switches and deletes models. It is loaded when it is first used. */
export function registerModelCommands(options: ModelPageOptions & ModelActionOptions) {
  const pages: ModelPages = new ItemPages({
    viewType: panels.model,
    pick: () => options.pickModel(vscode.l10n.t("Show a Model")),
    detailOf: ({ version }) => version,
    load: async () => (await import("./modelPage.ts")).createModelPages(options),
  });
  const load = lazy(async () => {
    const { ModelActions } = await import("./modelActions.ts");
    return new ModelActions(options);
  });
  // Trainings that were under way when the window was closed.
  if (options.state.get(watchedTrainingsKey)) void load();
  return {
    ...registerCommands(
      {
        [commands.modelShow]: pages.show,
        [commands.modelTrain]: async (given?: NewItemPlace) => (await load()).train(given),
        [commands.tableTrainModel]: async (given?: TableRef) => (await load()).trainOn(given),
        [commands.modelRetrain]: async (given?: ModelRef) => (await load()).retrain(given),
        [commands.modelFinetune]: async (given?: ModelRef) => (await load()).finetune(given),
        [commands.modelUseVersion]: async (given?: ModelRef) => (await load()).useVersion(given),
        [commands.modelCompareVersions]: async (given?: ModelRef) => (await load()).compare(given),
        [commands.modelDeleteVersion]: async (given?: ModelRef) =>
          (await load()).deleteVersion(given),
        [commands.modelDelete]: async (given?: ModelRef) => (await load()).deleteModel(given),
      },
      pages,
      restorePanels(panels.modelTrain, async () => (await load()).forms),
      new vscode.Disposable(() => void load.loaded?.then((actions) => actions.dispose())),
    ),
    pages,
  };
}
