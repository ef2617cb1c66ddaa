import { commands, panels } from "../../ids.ts";
import type { ModelRef } from "../../mindsdb/references.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import type { createModelPanels, ModelPanelOptions } from "./modelPanel.ts";

export type ModelPages = ItemPages<ModelRef, number, ReturnType<typeof createModelPanels>>;

/** Registers the pages of models; `pick` asks the user for the model if the command is given none. */
export function registerModelPages(
  options: ModelPanelOptions,
  pick: () => Promise<ModelRef | undefined>,
): ModelPages {
  return new ItemPages({
    viewType: panels.model,
    showCommand: commands.modelShow,
    pick,
    detailOf: ({ version }) => version,
    load: async () => (await import("./modelPanel.ts")).createModelPanels(options),
  });
}
