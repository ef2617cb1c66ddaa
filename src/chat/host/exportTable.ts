// `Export…` on a table of a conversation: all its rows into a file.
import { chooseExportFormat } from "../../shared/exportFormat.ts";
import * as vscode from "vscode";
import { formatExportedRows } from "../../shared/host/exportFile.ts";
import { isCsvForExcel } from "../../shared/host/settings.ts";
import type { Log } from "../../shared/host/log.ts";
import type { TextTable } from "../../shared/textTable.ts";
import { exportText } from "./exportText.ts";

/** Asks for a file, whose extension selects the format, and writes the table. `name` is the suggested file name. */
export async function exportTable(table: TextTable, name: string, log: Log): Promise<void> {
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
      formatSuccess: (where) => formatExportedRows(table.rows.length, where),
      formatFailure: (why) => vscode.l10n.t("The rows could not be exported: {0}", why),
    },
    log,
  );
}
