// How data sources, schemas, tables and columns look in the tree.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { bindCommand } from "../../shared/host/commands.ts";
import type {
  ColumnNode,
  DataNode,
  DataSourceNode,
  ParentNode,
  SchemaNode,
  TableNode,
  ViewNode,
} from "../node.ts";
import { tableRef } from "../node.ts";
import { kinds, type RowAppearance } from "./kindTexts.ts";

// Cached: a data source can have thousands of tables.
const tableIcon = new vscode.ThemeIcon("table");
const viewIcon = new vscode.ThemeIcon("open-preview");
let previewTitle: string | undefined;
let viewKind: string | undefined;

/** Icons of columns by type, as far as the type tells. */
const columnIcons: readonly [types: RegExp, icon: string][] = [
  [
    /^(number|tinyint|smallint|int|bigint|integer|decimal|numeric|float|double|real)/i,
    "symbol-number",
  ],
  [/^bool/i, "symbol-boolean"],
  [/^(date|time)/i, "calendar"],
  [/^(object|json|struct|map)/i, "symbol-object"],
  [/^(text|varchar|char|string)/i, "symbol-string"],
];

/** How a row below the Data node looks. */
export function dataAppearance(
  node: DataNode | DataSourceNode | SchemaNode | TableNode | ViewNode | ColumnNode,
  count: number | undefined,
): RowAppearance {
  switch (node.kind) {
    case "data":
      return { label: vscode.l10n.t("Data"), icon: new vscode.ThemeIcon("database") };
    case "dataSource": {
      const isFiles = node.name === filesSource;
      const parts = [isFiles ? undefined : node.item.engine, count?.toLocaleString()];
      return {
        label: node.name,
        icon: new vscode.ThemeIcon(isFiles ? "files" : "plug"),
        spokenKind: kinds.dataSource.name,
        description: parts.filter(Boolean).join(" · ") || undefined,
      };
    }
    case "schema":
      return {
        label: node.name,
        icon: new vscode.ThemeIcon("symbol-namespace"),
        spokenKind: kinds.schema.name,
        description: node.item.tables.length.toLocaleString(),
      };
    case "table": {
      previewTitle ??= vscode.l10n.t("Preview");
      viewKind ??= vscode.l10n.t("view");
      return {
        label: node.item.name,
        icon: node.item.isView ? viewIcon : tableIcon,
        description: node.item.isView ? viewKind : undefined,
        command: bindCommand(commands.tablePreview, previewTitle, tableRef(node)),
      };
    }
    case "view":
      previewTitle ??= vscode.l10n.t("Preview");
      return {
        label: node.item.name,
        icon: viewIcon,
        command: bindCommand(commands.tablePreview, previewTitle, tableRef(node)),
      };
    case "column": {
      const { type } = node.item;
      return {
        label: node.name,
        icon: new vscode.ThemeIcon(columnIcon(type)),
        spokenKind: kinds.column.name,
        description: type,
      };
    }
  }
}

/** The label of an empty list of data; undefined for other lists. */
export function emptyDataLabel(parent: ParentNode): string | undefined {
  const { kind } = parent;
  if (kind === "dataSource" || kind === "schema") return vscode.l10n.t("No tables yet");
  return kind === "table" ? vscode.l10n.t("No columns") : undefined;
}

/** For a connection that the data source has dropped: trying again does not help, the server keeps it. */
export function reconnectCommand(parent: ParentNode, reason: string): vscode.Command | undefined {
  const isLost = /connection is (?:lost|closed)/i.test(reason);
  if (parent.kind !== "dataSource" || !isLost) return undefined;
  const { connectionId, name } = parent;
  const title = vscode.l10n.t("Reconnect");
  return bindCommand(commands.dataSourceReconnect, title, { connectionId, name });
}

function columnIcon(type: string | undefined): string {
  return columnIcons.find(([types]) => types.test(type ?? ""))?.[1] ?? "symbol-field";
}
