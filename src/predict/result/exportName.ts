// The file name that an export proposes.
import path from "node:path";
import { notebooks } from "../../ids.ts";

export interface ExportSource {
  /** The notebook's path, with slashes. */
  notebook: string;
  /** The path of the file whose rows were predicted, with slashes; absent for rows in the recipe, and for a statement. */
  rowsFile?: string | undefined;
  isPrediction: boolean;
}

/** "flats-predictions.csv" for predictions of flats.json; otherwise a name made of the notebook's. */
export function exportName({ notebook, rowsFile, isPrediction }: ExportSource): string {
  const what = isPrediction ? "predictions" : "result";
  const source =
    rowsFile === undefined
      ? path.posix.basename(notebook, notebooks.ending)
      : path.posix.parse(rowsFile).name;
  return source === "" ? `${what}.csv` : `${source}-${what}.csv`;
}
