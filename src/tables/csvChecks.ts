// What MindsDB does to CSV without a word (26.1.0 and 25.14.1), found in the beginning of a file.
import Papa from "papaparse";

/** How many bytes of a file are looked at. */
export const checkedBytes = 256 * 1024;

/** The number of the first row that is longer than the header, counted from 1: it is cut. Undefined if there is none. */
export function findLongRow(start: string): number | undefined {
  const { header, rows } = readRows(start);
  const at = rows.findIndex((row) => row.length > header.length);
  return at < 0 ? undefined : at + 1;
}

/** The first column whose cells are all numbers, and a cell of it that loses leading zeros. Undefined if there is none. */
export function findLostZeros(start: string): { column: string; cell: string } | undefined {
  const { header, rows } = readRows(start);
  for (const [at, column] of header.entries()) {
    const cells = rows.map((row) => row[at]?.trim() ?? "").filter((cell) => cell !== "");
    const cell = cells.find((text) => /^0\d/.test(text));
    if (cell !== undefined && cells.every((text) => /^[+-]?\d+(?:\.\d+)?$/.test(text))) {
      return { column, cell };
    }
  }
  return undefined;
}

/** True for bytes that are no text: a table of nonsense is made of them. UTF-16 has zero bytes too, behind its mark. */
export function isBinary(start: Uint8Array): boolean {
  const isUtf16 =
    (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !isUtf16 && start.includes(0);
}

function readRows(start: string): { header: string[]; rows: string[][] } {
  const [header = [], ...rows] = Papa.parse<string[]>(start, { skipEmptyLines: true }).data;
  return { header, rows };
}
