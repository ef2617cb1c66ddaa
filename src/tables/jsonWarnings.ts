// What a user is told of a JSON file: what the server would change without a message, and where it is no JSON.
import * as l10n from "@vscode/l10n";
import { truncate } from "../shared/oneLine.ts";
import { JsonRows } from "../predict/rows/jsonRows.ts";
import { detectRowsFormat, readRows } from "../predict/rows/readRows.ts";
import { describeRowsError, readTextAt, RowsError } from "../predict/rows/row.ts";
import { listChanges } from "./csvWarnings.ts";
import { byteOrderMark } from "./jsonLines.ts";

const maxNameLength = 100;
/** Of so many columns the values are checked. */
const maxColumns = 500;

const isFraction = /^-?\d+[.eE]/;
const anyFraction = "0.5";

/** A sentence for each change that the server would make, as far as the beginning of the file shows it. */
export function listJsonWarnings(fileName: string, start: Buffer): string[] {
  const reader = new JsonRows({ lines: detectRowsFormat(fileName) === "jsonLines" });
  // Rows before a problem are shown, too: the server explains the problem.
  const hasMark = start.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const rows = reader.push(hasMark ? start.subarray(byteOrderMark.length) : start);
  const cellsByName = new Map<string, string[]>();
  for (const row of rows) {
    for (const [name, index] of row.shape.indexOf) {
      const cells = cellsByName.get(name) ?? [];
      if (cells.length === 0 && cellsByName.size >= maxColumns) continue;
      cellsByName.set(name, cells);
      const text = readTextAt(row, index);
      if (text !== "null") cells.push(isFraction.test(text) ? anyFraction : text);
    }
  }
  const columns = [...cellsByName].map(([name, cells]) => ({ name, cells }));
  // Only whole numbers change: texts are in quotes here, and other numbers are read alike by every program.
  const named = columns.filter(({ name }) => name !== "");
  const warnings = listChanges({ columns: named, rowCount: rows.length }, ["number", "decimal"]);
  const uneven = columns.find(({ cells }) => haveOtherKeys(cells));
  if (uneven) {
    const warning = l10n.t(
      "The objects in the column {0} have different keys. MindsDB gives all of them the same keys, with null for what is missing.",
      truncate(uneven.name, maxNameLength),
    );
    warnings.push(warning);
  }
  return warnings;
}

/** Whether objects at the same place in these values differ in their keys. */
function haveOtherKeys(cells: readonly string[]): boolean {
  const keysByPlace = new Map<string, string>();
  const differs = (value: unknown, place: string): boolean => {
    if (value === null || typeof value !== "object") return false;
    if (Array.isArray(value)) return value.some((item) => differs(item, `${place}[]`));
    const keys = Object.keys(value).sort().join("\n");
    const known = keysByPlace.get(place) ?? keys;
    keysByPlace.set(place, known);
    return (
      known !== keys ||
      Object.entries(value).some(([key, item]) => differs(item, `${place}\n${key}`))
    );
  };
  return cells.some((cell) => /^[[{]/.test(cell) && differs(JSON.parse(cell), ""));
}

/** Where a file of JSON that the server refused is not what it should be, in a sentence; undefined for other files. */
export async function findJsonProblem(file: {
  name: string;
  read(): AsyncIterable<Uint8Array>;
}): Promise<string | undefined> {
  const format = detectRowsFormat(file.name);
  if (format === undefined || format === "csv") return undefined;
  try {
    const chunks = readRows(file.read(), format);
    while ((await chunks.next()).done !== true);
    return undefined;
  } catch (error) {
    if (!(error instanceof RowsError) || !error.place) return undefined;
    return describeRowsError(error, file.name);
  }
}
