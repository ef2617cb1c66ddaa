import { commands, panels } from "../../ids.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import type { KnowledgeBaseRef } from "../../mindsdb/references.ts";
import type { createKnowledgeBasePanels, KnowledgeBasePanelOptions } from "./knowledgeBasePanel.ts";

export type KnowledgeBasePages = ItemPages<
  KnowledgeBaseRef,
  never,
  ReturnType<typeof createKnowledgeBasePanels>
>;

/** Registers the pages of knowledge bases; `pick` asks the user for one if the command is given none. */
export function registerKnowledgeBasePages(
  options: KnowledgeBasePanelOptions,
  pick: () => Promise<KnowledgeBaseRef | undefined>,
): KnowledgeBasePages {
  return new ItemPages({
    viewType: panels.knowledgeBase,
    showCommand: commands.knowledgeBaseShow,
    pick,
    load: async () => (await import("./knowledgeBasePanel.ts")).createKnowledgeBasePanels(options),
  });
}
