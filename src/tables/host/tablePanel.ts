import * as v from "valibot";
import * as vscode from "vscode";
import { commands, panels } from "../../ids.ts";
import { splitEntry } from "../../mindsdb/dataPatterns.ts";
import { AppError } from "../../mindsdb/errors.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { readFirstRows } from "../../mindsdb/tables.ts";
import { ItemPanels } from "../../shared/host/itemPanels.ts";
import { LoadedItemPanel, type ItemPageOptions } from "../../shared/host/loadedItemPanel.ts";
import type { PostToPage } from "../../shared/host/panels.ts";
import { pageState, toHost, type ToHost, type ToPage } from "../messages.ts";
import { maxPreviewRows, toPreviewRows, type PreviewRows } from "../previewRows.ts";
import { isTableMissing } from "../tableMissing.ts";
import { createTableTexts, formatTableGone } from "../tableTexts.ts";

const savedState = v.pipe(
  pageState,
  v.transform(({ table }) => ({ item: table })),
);

export function createTablePanels(
  options: ItemPageOptions,
): ItemPanels<ToHost, ToPage, never, TablePanel> {
  return new ItemPanels({
    ...options,
    viewType: panels.table,
    page: "table",
    icon: "table",
    incoming: toHost,
    pageState: savedState,
    create: (table, _, post) => new TablePanel(table, post, options),
  });
}

class TablePanel extends LoadedItemPanel<ToHost, ToPage, never> {
  #preview: PreviewRows | undefined;

  constructor(table: TableRef, post: PostToPage<ToPage>, options: ItemPageOptions) {
    super(table, "tables", post, options);
    void this.loader.load();
  }

  override get title(): string {
    return splitEntry(this.item.name).at(-1) ?? this.item.name;
  }

  snapshot(): ToPage[] {
    return [
      {
        type: "begin",
        table: this.item,
        title: this.title,
        connection: this.loader.connectionName,
        texts: createTableTexts(),
        locale: vscode.env.language,
      },
      ...(this.#preview ? [{ type: "read", preview: this.#preview } as const] : []),
      ...this.loader.messages,
    ];
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case "refresh":
        void this.loader.load();
        break;
      case "copySelect":
        void vscode.commands.executeCommand(commands.tableCopySelect, this.item);
        break;
      case "useInAgent":
        void vscode.commands.executeCommand(commands.tableUseInAgent, this.item);
        break;
      case "copyText":
        void vscode.env.clipboard.writeText(message.text);
        break;
      case "accept":
        void this.loader.pressButton();
        break;
    }
  }

  protected override async read(client: Client, signal: AbortSignal): Promise<void> {
    const { project, name } = this.item;
    const path = [project, ...splitEntry(name)];
    // One row more than is shown tells whether there are more.
    const result = await readFirstRows(client, path, maxPreviewRows + 1, { signal });
    signal.throwIfAborted();
    this.loader.succeed();
    this.#preview = toPreviewRows(result);
    this.post({ type: "read", preview: this.#preview });
  }

  protected override explainGone(error: unknown): string | undefined {
    const isGone = error instanceof AppError && isTableMissing(error, this.title);
    return isGone ? formatTableGone(this.title, this.item.project) : undefined;
  }
}
