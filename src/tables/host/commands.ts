// The commands of tables. What they do is imported with the first use.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import type { TableActions } from "./tableActions.ts";
import type { createTablePanels, TablePanelOptions } from "./tablePanel.ts";

export type TablePages = ItemPages<TableRef, never, ReturnType<typeof createTablePanels>>;

export interface Tables extends vscode.Disposable {
  readonly pages: TablePages;
}

/** Registers the pages of tables and what can be done with a table. */
export function registerTables(options: TablePanelOptions): Tables {
  const act =
    (action: keyof TableActions) =>
    async (given?: TableRef): Promise<void> => {
      const { createTableActions } = await import("./tableActions.ts");
      await createTableActions(options)[action](given);
    };
  const register = vscode.commands.registerCommand;
  const pages: TablePages = new ItemPages({
    viewType: panels.table,
    showCommand: commands.tablePreview,
    pick: async () => (await import("./pickTable.ts")).pickTable(options.servers),
    load: async () => (await import("./tablePanel.ts")).createTablePanels(options),
  });
  const all = vscode.Disposable.from(
    pages,
    register(commands.tableCopySelect, act("copySelect")),
    register(commands.tableUseInAgent, act("useInAgent")),
  );
  return { pages, dispose: () => void all.dispose() };
}
