// The commands of tables. What they do is imported with the first use.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import type { TableActions, TableOptions } from "./tableActions.ts";
import type { createTablePages } from "./tablePage.ts";

type TablePages = ItemPages<TableRef, boolean, ReturnType<typeof createTablePages>>;

export interface Tables extends vscode.Disposable {
  readonly pages: TablePages;
}

/** Registers the pages of tables and what can be done with a table. */
export function registerTables(options: TableOptions): Tables {
  const act =
    <Action extends keyof TableActions>(action: Action) =>
    async (given?: Parameters<TableActions[Action]>[0]): Promise<void> => {
      const { createTableActions } = await import("./tableActions.ts");
      const perform: (given?: never) => Promise<void> = createTableActions(options)[action];
      await perform(given as never);
    };
  const register = vscode.commands.registerCommand;
  const pages: TablePages = new ItemPages({
    viewType: panels.table,
    showCommand: commands.tablePreview,
    detailOf: ({ isView }) => isView,
    pick: async () => {
      const { pickTable } = await import("./pickTable.ts");
      return pickTable(options.servers, vscode.l10n.t("Preview a Table"));
    },
    load: async () => (await import("./tablePage.ts")).createTablePages(options),
  });
  const all = vscode.Disposable.from(
    pages,
    register(commands.tableCopySelect, act("copySelect")),
    register(commands.tableUseInAgent, act("useInAgent")),
    register(commands.tableUpload, act("upload")),
    register(commands.tableDrop, act("drop")),
  );
  return { pages, dispose: () => void all.dispose() };
}
