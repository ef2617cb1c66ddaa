// The agents' commands: show, create (form or quick input), edit, duplicate, delete. What they do is imported with the
// first use.
import * as vscode from "vscode";
import type { ServerChanges } from "../../shared/connection.ts";
import { commands, panels } from "../../ids.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import type { AgentRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { restorePanels } from "../../shared/host/restorePanels.ts";
import { lazy } from "../../shared/lazy.ts";
import type { NewAgentPlace } from "./agentActions.ts";
import type { AgentFormsOptions } from "./agentForms.ts";
import type { createAgentPages } from "./agentPage.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerAgentCommands>> {}
}

type Pages = ItemPages<AgentRef, JsonObject, ReturnType<typeof createAgentPages>>;

/** The pages are added here. */
type AgentCommandsOptions = Omit<AgentFormsOptions, "pages"> & { changes: ServerChanges };

export function registerAgentCommands(options: AgentCommandsOptions) {
  const pages: Pages = new ItemPages({
    viewType: panels.agent,
    pick: () => options.tree.pickAgent(vscode.l10n.t("Show an Agent")),
    load: async () => (await import("./agentPage.ts")).createAgentPages(options),
  });
  const loadForms = lazy(async () => {
    const { AgentForms } = await import("./agentForms.ts");
    const open = (agent: AgentRef, row?: JsonObject) =>
      void pages.load().then((loaded) => loaded.open(agent, row));
    return new AgentForms({ ...options, pages: { open } });
  });
  const load = lazy(async () => {
    const { AgentActions } = await import("./agentActions.ts");
    return new AgentActions(options, loadForms);
  });
  const registration = registerCommands(
    {
      [commands.agentShow]: pages.show,
      [commands.agentCreate]: async (given?: NewAgentPlace) => (await load()).create(given),
      [commands.agentQuickCreate]: async (given?: NewAgentPlace) =>
        (await load()).quickCreate(given),
      [commands.agentEdit]: async (given?: AgentRef) => (await load()).edit(given),
      [commands.agentDuplicate]: async (given?: AgentRef) => (await load()).duplicate(given),
      [commands.agentDelete]: async (given?: AgentRef) => (await load()).delete(given),
    },
    pages,
    restorePanels(panels.agentForm, loadForms),
  );
  return { ...registration, pages, load: loadForms };
}
