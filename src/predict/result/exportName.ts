// The file name that an export proposes.
import path from "node:path";
import { notebooks } from "../../ids.ts";
import { cleanFileName } from "../../shared/files/fileName.ts";
import { parseTableName } from "../notebook/serverSource.ts";

interface ExportSource {
  /** The notebook's path, with slashes. */
  notebook: string;
  /** The path of the file whose rows were predicted, with slashes; absent for rows in the recipe, and for a statement. */
  rowsFile?: string | undefined;
  /** The table whose rows were predicted, as the recipe names it. */
  table?: string | undefined;
  isPrediction: boolean;
}

/** "flats-predictions.csv" for predictions of flats.json or of files.flats; otherwise a name made of the notebook's. */
export function exportName({ notebook, rowsFile, table, isPrediction }: ExportSource): string {
  const what = isPrediction ? "predictions" : "result";
  const fileName = rowsFile === undefined ? undefined : path.posix.parse(rowsFile).name;
  const source = fileName ?? tableName(table) ?? path.posix.basename(notebook, notebooks.ending);
  // Names that a stranger's workspace chose: Windows sees a path in one with backslashes.
  return source === "" ? `${what}.csv` : `${cleanFileName(source)}-${what}.csv`;
}

/** The last part of a table's name. */
function tableName(table: string | undefined): string | undefined {
  return table === undefined ? undefined : parseTableName(table)?.at(-1);
}
