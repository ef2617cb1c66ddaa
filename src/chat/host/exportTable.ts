// `Export…` on a table of a conversation: all its rows into a file.
import { chooseExportFormat } from "../../shared/exportFormat.ts";
import * as vscode from "vscode";
import { formatExportedRows } from "../../shared/host/exportFile.ts";
import { isCsvForExcel } from "../../shared/host/settings.ts";
import type { Log } from "../../shared/host/log.ts";
import type { TextTable } from "../../shared/textTable.ts";
import { exportText } from "./exportText.ts";

interface ExportTableOptions {
  /** The suggested file name. */
  name: string;
  log: Log;
  /** Whether the server may have had more rows. */
  hasMore?: boolean;
}

/** Asks for a file, whose extension selects the format, and writes the table. */
export async function exportTable(
  table: TextTable,
  { name, log, hasMore = false }: ExportTableOptions,
): Promise<void> {
  await exportText(
    {
      title: vscode.l10n.t("Export All Rows"),
      name,
      extension: "csv",
      filters: { CSV: ["csv"], JSON: ["json"], "JSON Lines": ["jsonl"] },
      format: async ({ path }) => {
        const { formatTableFile } = await import("../tables/tableFile.ts");
        return formatTableFile(table, chooseExportFormat(path, isCsvForExcel()));
      },
      formatSuccess: (where) =>
        hasMore
          ? vscode.l10n.t(
              "Exported the first {0} rows to {1}. There may be more: the server limited the agent's query.",
              table.rows.length,
              where,
            )
          : formatExportedRows(table.rows.length, where),
      formatFailure: (why) => vscode.l10n.t("The rows could not be exported: {0}", why),
    },
    log,
  );
}
