// The commands of tables. What they do is imported with the first use.
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { registerCommands, type TableOf } from "../../shared/host/commands.ts";
import { ItemPages } from "../../shared/host/itemPages.ts";
import { lazy } from "../../shared/lazy.ts";
import type { TableOptions } from "./tableActions.ts";
import type { createTablePages } from "./tablePage.ts";
import type { UploadPlace } from "./uploadTable.ts";

declare module "../../shared/host/commands.ts" {
  interface CommandTable extends TableOf<ReturnType<typeof registerTables>> {}
}

type TablePages = ItemPages<TableRef, boolean, ReturnType<typeof createTablePages>>;

/** Registers the pages of tables and what can be done with a table. */
export function registerTables(options: TableOptions) {
  const load = lazy(async () => (await import("./tableActions.ts")).createTableActions(options));
  const pages: TablePages = new ItemPages({
    viewType: panels.table,
    detailOf: ({ isView }) => isView,
    pick: async () => {
      const { pickTable } = await import("./pickTable.ts");
      return pickTable(options.servers, vscode.l10n.t("Preview a Table"));
    },
    load: async () => (await import("./tablePage.ts")).createTablePages(options),
  });
  const registration = registerCommands(
    {
      [commands.tablePreview]: pages.show,
      [commands.tableCopySelect]: async (given?: TableRef) => (await load()).copySelect(given),
      [commands.tableUseInAgent]: async (given?: TableRef) => (await load()).useInAgent(given),
      [commands.tableUpload]: async (given?: UploadPlace) => (await load()).upload(given),
      [commands.tableDrop]: async (given?: TableRef) => (await load()).drop(given),
    },
    pages,
  );
  return { ...registration, pages };
}
