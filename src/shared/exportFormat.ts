export type ExportFormat = "json" | "jsonLines" | "csv";

/** The format for a file name; CSV for unknown extensions. */
export function chooseExportFormat(fileName: string): ExportFormat {
  if (/\.(jsonl|ndjson)$/i.test(fileName)) return "jsonLines";
  return /\.json$/i.test(fileName) ? "json" : "csv";
}
