// The table of a statement on disk: the column names in the first line, then a line of JSON for each row.
import * as l10n from "@vscode/l10n";
import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../mindsdb/errors.ts";
import { EventLoopYielder } from "./yieldToEventLoop.ts";
import { temporaryFile } from "../../shared/files/replaceFile.ts";
import { SqlTable, type ResultTable } from "./resultTable.ts";

const fileName = "table.jsonl";

/** Reading a larger table would block the extension host for too long. */
const maxFileBytes = 32 * 1024 ** 2;

/** Characters that are written at a time. */
const maxPieceLength = 256 * 1024;

/** Writes the table to a folder. Throws AppError "tooLarge". */
export async function writeTable(
  folder: string,
  table: ResultTable,
  maxBytes = maxFileBytes,
): Promise<void> {
  const file = await fs.open(path.join(folder, fileName), temporaryFile.flag, temporaryFile.mode);
  const yielder = new EventLoopYielder();
  let bytes = 0;
  let piece = `${JSON.stringify(table.columns.map(({ name }) => name))}\n`;
  const write = async (): Promise<void> => {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) {
      throw new AppError("tooLarge", l10n.t("The table is too large to be stored."));
    }
    await file.writeFile(piece);
    piece = "";
    await yielder.yieldIfDue();
  };
  try {
    for (let row = 0; row < table.length; row++) {
      piece += `[${table
        .valuesOf(row)
        .map((value) => value ?? "null")
        .join(",")}]\n`;
      if (piece.length >= maxPieceLength) await write();
    }
    await write();
  } finally {
    await file.close();
  }
}

/** Reads the table in a folder. Throws if it is missing, incomplete or invalid. */
export async function readTable(folder: string, length: number): Promise<SqlTable> {
  const file = path.join(folder, fileName);
  if ((await fs.stat(file)).size > maxFileBytes) throw new Error("The table is too large.");
  const lines = (await fs.readFile(file, "utf8")).split("\n");
  const yielder = new EventLoopYielder();
  const columns = JSON.parse(lines[0] ?? "") as unknown;
  if (!isStrings(columns)) throw new Error("The table has no columns.");
  const rows: unknown[][] = [];
  for (const line of lines.slice(1, 1 + length)) {
    const row = JSON.parse(line) as unknown;
    if (!Array.isArray(row)) throw new Error("A row of the table is no list.");
    rows.push(row);
    await yielder.yieldIfDue();
  }
  if (rows.length < length) throw new Error("The table lacks rows.");
  return new SqlTable({ columns, rows });
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
