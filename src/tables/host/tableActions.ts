// Commands on a table, other than showing it.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { formatEntry, splitEntry } from "../../mindsdb/dataPatterns.ts";
import { dropFile } from "../../mindsdb/files.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { nameInSql } from "../../mindsdb/sql/nameInSql.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import type { ItemPageOptions } from "../../shared/host/itemPage.ts";
import { attempt } from "../../shared/host/attempt.ts";
import { maxPreviewRows } from "../previewRows.ts";
import { pickTable } from "./pickTable.ts";
import type { UploadOptions, UploadPlace } from "./uploadTable.ts";
import { showStatus } from "../../shared/host/notifications.ts";

export type TableOptions = ItemPageOptions & UploadOptions;

/** Each takes a table, or asks for one. */
interface TableActions {
  copySelect(given?: TableRef): Promise<void>;
  useInAgent(given?: TableRef): Promise<void>;
  drop(given?: TableRef): Promise<void>;
  upload(given?: UploadPlace): Promise<void>;
}

export function createTableActions(options: TableOptions): TableActions {
  const { servers } = options;
  const withTable =
    (what: string, title: string, work: (table: TableRef) => Promise<void>) =>
    async (given?: TableRef): Promise<void> => {
      const table = given ?? (await pickTable(servers, title));
      if (table) await attempt(options, what, table.connectionId, () => work(table));
    };
  return {
    copySelect: withTable(
      "Copying a SELECT",
      vscode.l10n.t("Copy the SELECT of a Table"),
      async ({ project, name }) => {
        const table = nameInSql([project, ...splitEntry(name)]);
        await vscode.env.clipboard.writeText(`SELECT * FROM ${table} LIMIT ${maxPreviewRows}`);
        showStatus(vscode.l10n.t("Copied the SELECT of {0}", table), 3_000);
      },
    ),
    useInAgent: withTable(
      "Using a table in an agent",
      vscode.l10n.t("Create an Agent from a Table"),
      async ({ connectionId, project, name }) => {
        const tables = [formatEntry([project, ...splitEntry(name)])];
        await executeCommand(commands.agentCreate, { connectionId, tables });
      },
    ),
    drop: withTable(
      "Deleting a table",
      vscode.l10n.t("Delete a Table"),
      async ({ connectionId, project, name }) => {
        // Only uploaded tables are MindsDB's own.
        if (project !== filesSource) return;
        const [table = name] = splitEntry(name);
        const isAllowed = await servers.allowWrite(connectionId, {
          what: vscode.l10n.t("Delete the table {0} in {1}", table, project),
          button: vscode.l10n.t("Delete"),
          detail: vscode.l10n.t("Agents and models that read it will fail."),
          deletes: table,
        });
        if (!isAllowed) return;
        await dropFile(await servers.client(connectionId), table);
        showStatus(vscode.l10n.t("Deleted {0}", table));
      },
    ),
    upload: (given) =>
      attempt(options, "Uploading a table", undefined, async () => {
        const { uploadTable } = await import("./uploadTable.ts");
        await uploadTable(options, given);
      }),
  };
}
