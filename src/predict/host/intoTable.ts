// The buttons of a result whose predictions are in a table on the server.
import { commands, sqlLanguage } from "../../ids.ts";
import { formatEntry } from "../../mindsdb/dataPatterns.ts";
import type { TableRef } from "../../mindsdb/references.ts";
import { executeCommand } from "../../shared/host/commands.ts";
import { showText } from "../../shared/host/showText.ts";
import type { RunOrigin } from "../result/resultMetadata.ts";

/** Shows the first rows of the table that was predicted into. */
export async function previewTable({ connectionId, into }: RunOrigin): Promise<void> {
  if (!into) return;
  const [project = "", ...name] = into.table;
  const table: TableRef = { connectionId, project, name: formatEntry(name) };
  await executeCommand(commands.tablePreview, table);
}

/** Shows the statement that predicted in a read-only document. */
export async function showStatement({ into }: RunOrigin): Promise<void> {
  if (!into) return;
  await showText(`${formatEntry(into.table).slice(0, 40)}.sql`, into.statement, sqlLanguage);
}
