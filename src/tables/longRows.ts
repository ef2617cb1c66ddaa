// Rows of CSV that are longer than the header: servers cut them without a word (26.1.0 and 25.14.1).
import Papa from "papaparse";

/** How many bytes of a file are looked at. */
export const checkedBytes = 256 * 1024;

/** The number of the first row that is longer than the header, counted from 1; undefined if there is none. */
export function findLongRow(start: string): number | undefined {
  const { data } = Papa.parse<string[]>(start, { skipEmptyLines: true });
  const [header = [], ...rows] = data;
  const at = rows.findIndex((row) => row.length > header.length);
  return at < 0 ? undefined : at + 1;
}
