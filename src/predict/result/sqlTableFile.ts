// The table of a statement on disk: its columns' names in the first line, then a line of JSON for each row.
import * as l10n from "@vscode/l10n";
import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "../../mindsdb/errors.ts";
import { EventLoopYielder } from "./yieldToEventLoop.ts";
import { temporaryFile } from "./replaceFile.ts";
import { SqlTable, type ResultTable } from "./resultTable.ts";

const fileName = "table.jsonl";

/** A larger table would keep the extension host busy for too long when it is read again. */
const maxFileBytes = 32 * 1024 ** 2;

/** Lines are written so many characters at a time. */
const pieceLength = 256 * 1024;

/** Throws AppError "tooLarge" for a table that would take too long to read again. */
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
      throw new AppError("tooLarge", l10n.t("The table is too large to be kept."));
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
      if (piece.length >= pieceLength) await write();
    }
    await write();
  } finally {
    await file.close();
  }
}

/** The table in a folder. Throws if there is none, if it lacks rows, or if it is not one. */
export async function readTable(folder: string, length: number): Promise<SqlTable> {
  const file = path.join(folder, fileName);
  if ((await fs.stat(file)).size > maxFileBytes) throw new Error("The table is too large.");
  const lines = (await fs.readFile(file, "utf8")).split("\n");
  const yielder = new EventLoopYielder();
  const columns = JSON.parse(lines[0] ?? "") as unknown;
  if (!isTexts(columns)) throw new Error("The table has no columns.");
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

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
