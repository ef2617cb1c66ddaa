// What can be done with a table besides showing it.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { entryOf, partsOf } from "../../mindsdb/dataPatterns.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { nameInSql } from "../../mindsdb/sql/nameInSql.ts";
import { showError } from "../../shared/host/errorMessages.ts";
import { maxPreviewRows } from "../previewRows.ts";
import { pickTable } from "./pickTable.ts";
import type { TablePanelOptions } from "./tablePanel.ts";

/** Each takes a table, or asks for one. */
export interface TableActions {
  copySelect(given?: TableRef): Promise<void>;
  useInAgent(given?: TableRef): Promise<void>;
}

export function createTableActions({ servers, log }: TablePanelOptions): TableActions {
  /** Runs an action for a table; shows its error. */
  const withTable =
    (what: string, work: (table: TableRef) => Promise<void>) =>
    async (given?: TableRef): Promise<void> => {
      const table = given ?? (await pickTable(servers));
      if (!table) return;
      const { connectionId } = table;
      try {
        await work(table);
      } catch (error) {
        log.error(`${what} failed`, error);
        await showError(error, { connectionId, address: servers.find(connectionId)?.address });
      }
    };
  return {
    copySelect: withTable("Copying a SELECT", async ({ project, name }) => {
      const table = nameInSql([project, ...partsOf(name)]);
      await vscode.env.clipboard.writeText(`SELECT * FROM ${table} LIMIT ${maxPreviewRows}`);
      vscode.window.setStatusBarMessage(vscode.l10n.t("Copied the SELECT of {0}", table), 3_000);
    }),
    useInAgent: withTable("Using a table in an agent", async ({ connectionId, project, name }) => {
      const tables = [entryOf([project, ...partsOf(name)])];
      await vscode.commands.executeCommand(commands.agentCreate, { connectionId, tables });
    }),
  };
}
