// Parses observations that are clearly tables: CSV of 25.x, pipe tables of 26.x.
import { readCsv } from "./readExcelCsv.ts";
import { parsePipeTable } from "./pipeTable.ts";
import { readPythonDict } from "../../shared/pythonDict.ts";
import { numericColumns, sortedRowIndexes, type TextTable } from "../../shared/textTable.ts";

/** Returns the table; undefined if the text is not clearly one. With `cut` only complete rows count. */
export function readObservation(text: string, cut = false): TextTable | undefined {
  const table = parsePipeTable(text, cut) ?? readCsvTable(text, cut);
  return table && arrangeChunks(table);
}

/** Returns the table in a text of a run. In answers only pipe tables count, because prose has commas too. */
export function readTable(text: string, isAnswer: boolean, cut = false): TextTable | undefined {
  return isAnswer && !parsePipeTable(text, cut) ? undefined : readObservation(text, cut);
}

/** The first lines of 25.x: the columns' names and the format. */
const preface = /^Output columns: [^\n]*\nResult in CSV format \(dialect is 'excel'\):\n/;

/** Allowed column names in CSV without the preface. */
const plainName = /^[\p{L}\p{N}_]([\p{L}\p{N}_ .()*$-]*[\p{L}\p{N}_)*])?$/u;

function readCsvTable(text: string, cut: boolean): TextTable | undefined {
  const before = preface.exec(text)?.[0] ?? "";
  const [columns, ...rows] = readCsv(text.slice(before.length), cut) ?? [];
  if (!columns || rows.some((row) => row.length !== columns.length)) return undefined;
  if (before === "") {
    // In prose, commas are followed by spaces.
    const isCsv = columns.length > 1 && rows.length > 0 && columns.every((n) => plainName.test(n));
    if (!isCsv) return undefined;
  }
  return { columns, rows, numeric: numericColumns(columns, rows) };
}

/** The most useful columns of a knowledge base's rows. */
const first = ["relevance", "chunk_content", "id"];
const last = ["distance", "chunk_id"];

/**
 * Arranges chunks of a knowledge base: the most relevant first, each metadata field in its own column (the server's own,
 * whose names start with `_`, last). Returns other tables unchanged.
 */
function arrangeChunks(table: TextTable): TextTable {
  if (!table.columns.includes("chunk_content")) return table;
  const { columns, rows } = spreadMetadata(table);
  const rank = (name: string): number => {
    if (first.includes(name)) return first.indexOf(name) - first.length;
    if (last.includes(name)) return last.indexOf(name) + 1;
    return name.startsWith("_") ? last.length + 1 : 0;
  };
  const order = columns
    .map((_, column) => column)
    .sort((a, b) => rank(columns[a] ?? "") - rank(columns[b] ?? ""));
  const pick = (cells: string[]) => order.map((column) => cells[column] ?? "");
  const names = pick(columns);
  const picked = rows.map(pick);
  const arranged = { columns: names, rows: picked, numeric: numericColumns(names, picked) };
  const byRelevance = names.indexOf("relevance");
  const by = byRelevance >= 0 ? byRelevance : names.indexOf("distance");
  if (by < 0) return arranged;
  const places = sortedRowIndexes(arranged, by, by === byRelevance);
  return { ...arranged, rows: places.map((place) => picked[place] ?? []) };
}

/** Documents can each have keys of their own, which would make columns times rows of empty cells. */
const maxSpreadColumns = 200;

function spreadMetadata({ columns, rows }: TextTable): { columns: string[]; rows: string[][] } {
  const from = columns.indexOf("metadata");
  if (from < 0 || rows.length === 0) return { columns, rows };
  const own = new Set(columns);
  const names = new Set<string>();
  const all: ReadonlyMap<string, string>[] = [];
  for (const row of rows) {
    const metadata = readPythonDict(row[from] ?? "");
    if (!metadata) return { columns, rows };
    all.push(metadata);
    for (const name of metadata.keys()) if (!own.has(name)) names.add(name);
    if (names.size > maxSpreadColumns) return { columns, rows };
  }
  const added = [...names];
  const without = (cells: string[]) => cells.filter((_, column) => column !== from);
  return {
    columns: [...without(columns), ...added],
    rows: rows.map((row, place) => [
      ...without(row),
      ...added.map((name) => all[place]?.get(name) ?? ""),
    ]),
  };
}
