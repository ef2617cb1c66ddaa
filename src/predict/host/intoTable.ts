// The buttons of a result whose predictions are in a table on the server.
import * as vscode from "vscode";
import { commands } from "../../ids.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import type { ResultOrigin } from "../result/resultMetadata.ts";

/** Shows the first rows of the table that was predicted into. */
export async function previewTable({ connectionId, into }: ResultOrigin): Promise<void> {
  if (!into) return;
  const [project = "", ...name] = into.table;
  const table: TableRef = { connectionId, project, name: formatEntry(name) };
  await vscode.commands.executeCommand(commands.tablePreview, table);
}

/** Shows the statement that predicted in a document of its own. */
export async function showStatement({ into }: ResultOrigin): Promise<void> {
  if (!into) return;
  const options = { language: "sql", content: into.statement };
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(options));
}
