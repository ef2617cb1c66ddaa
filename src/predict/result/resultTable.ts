import fs from "node:fs/promises";
import type { ExportFormat } from "../../shared/exportFormat.ts";
import type { ResultColumn, ResultRow, ResultView } from "../messages.ts";
import type { StoredRows } from "./resultMetadata.ts";
import { temporaryFile } from "../../shared/files/replaceFile.ts";
import type { RowOrder } from "./rowTable.ts";

export interface ExportOptions {
  /** Default: all rows in their own order. */
  order?: RowOrder;
  signal?: AbortSignal;
}

/** A result of any size that is read in windows. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[];
  readonly length: number;
  /** At most `count` rows from position `from` (from 0) of the order, with long values truncated. */
  window(from: number, count: number, order?: RowOrder): Promise<ResultRow[]>;
  /** The complete values of these rows, in the order of the columns. */
  values(from: number, count: number, order?: RowOrder): Promise<(string | undefined)[][]>;
  /** The order of a view of the present rows. Rejects with the signal's reason. */
  order(view: ResultView, signal?: AbortSignal): Promise<RowOrder>;
  /** Writes rows to a new file on this machine, which only this user can read. Rejects with the signal's reason. */
  export(format: ExportFormat, file: string, options?: ExportOptions): Promise<void>;
  /** Completes the files in the result's folder; resolves with what openResultTable needs to read them again. */
  store(): Promise<StoredRows>;
  /** Frees memory and closes files. Files on disk stay. */
  dispose(): Promise<void>;
}

/** The result of a run that has no rows. */
export class EmptyResultTable implements ResultTable {
  readonly columns = [];
  readonly length = 0;

  window(): Promise<ResultRow[]> {
    return Promise.resolve([]);
  }

  values(): Promise<(string | undefined)[][]> {
    return Promise.resolve([]);
  }

  order(): Promise<RowOrder> {
    return Promise.resolve(undefined);
  }

  async export(_: ExportFormat, file: string): Promise<void> {
    await fs.writeFile(file, "", temporaryFile);
  }

  store(): Promise<StoredRows> {
    return Promise.resolve({ length: 0, refused: 0, columns: { sources: [] } });
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
