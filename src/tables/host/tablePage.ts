import * as vscode from "vscode";
import type { ServerChange } from "../../shared/connection.ts";
import { commands, panels } from "../../ids.ts";
import { formatEntry, splitEntry } from "../../mindsdb/dataPatterns.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { quotePath } from "../../mindsdb/sql/runSql.ts";
import { readFirstRows } from "../../mindsdb/tables.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { OpenItemPages } from "../../shared/host/openItemPages.ts";
import { ItemPage, type ItemPageOptions } from "../../shared/host/itemPage.ts";
import type { Handlers } from "../../shared/pageProtocol.ts";
import { checkNoRows, maxPreviewRows, toPreviewRows } from "../previewRows.ts";
import { isTableMissing } from "../tableMissing.ts";
import { tableCalls, type TableContent } from "../tablePage.ts";

export const createTablePages = (options: ItemPageOptions) =>
  new OpenItemPages({
    ...options,
    viewType: panels.table,
    page: "table",
    icon: "table",
    calls: tableCalls,
    create: (item, isView: boolean | undefined) => new TablePage({ ...item, isView }, options),
    readDetail: ({ isView }) => isView === true || undefined,
  });

export class TablePage extends ItemPage<TableContent, typeof tableCalls, boolean> {
  readonly handlers: Handlers<typeof tableCalls>;

  constructor({ isView = false, ...item }: TableRef, options: ItemPageOptions) {
    const title = splitEntry(item.name).at(-1);
    super({ item, title, list: "tables" }, { isView }, options);
    this.handlers = {
      ...this.itemHandlers,
      copySelect: () => executeCommand(commands.tableCopySelect, item),
      useInAgent: () => executeCommand(commands.tableUseInAgent, item),
      copyText: (text) => vscode.env.clipboard.writeText(text),
    };
    void this.load();
  }

  /** Views are read like tables, by the same page. */
  override handleServerChange(change: ServerChange): void {
    if ((change.kind !== "changed" && change.kind !== "missing") || change.list !== "views") {
      super.handleServerChange(change);
      return;
    }
    const { name, ...rest } = change;
    const named = name === undefined ? rest : { ...rest, name: formatEntry([name]) };
    super.handleServerChange({ ...named, list: "tables" });
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<TableContent> {
    const { project, name } = this.item;
    const path = [project, ...splitEntry(name)];
    // One row more than is shown tells whether there are more.
    const result = await readFirstRows(client, path, maxPreviewRows + 1, { signal });
    const statement = `SELECT * FROM ${quotePath(path)}`;
    const options = { signal };
    return { preview: await checkNoRows(toPreviewRows(result), client, statement, options) };
  }

  protected override explainGone(error: unknown): string | undefined {
    const isGone = error instanceof AppError && isTableMissing(error, this.title);
    if (!isGone) return undefined;
    return vscode.l10n.t("{0} is no longer in {1}.", this.title, this.item.project);
  }
}
