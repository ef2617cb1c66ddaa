/** "excelCsv" begins with the byte order mark that Excel needs to read a file as UTF-8. */
export type ExportFormat = "json" | "jsonLines" | "csv" | "excelCsv";

export const byteOrderMark = "\uFEFF";

/** The format for a file name; CSV for unknown extensions. */
export function chooseExportFormat(fileName: string, isForExcel = false): ExportFormat {
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return "jsonLines";
  if (/\.json$/i.test(fileName)) return "json";
  return isForExcel ? "excelCsv" : "csv";
}

export function isCsv(format: ExportFormat): boolean {
  return format === "csv" || format === "excelCsv";
}
