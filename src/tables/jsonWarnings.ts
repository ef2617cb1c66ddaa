// What a user is told of a JSON file: what the server would change without a message, and where a file has no rows.
import * as l10n from "@vscode/l10n";
import { AppError } from "../mindsdb/errors.ts";
import { isObject, tryParseJson } from "../mindsdb/json.ts";
import { truncate } from "../shared/oneLine.ts";
import { JsonRows } from "../predict/rows/jsonRows.ts";
import { detectRowsFormat, readRows } from "../predict/rows/readRows.ts";
import { describeRowsError, readTextAt, RowsError, type Row } from "../predict/rows/row.ts";
import type { Column } from "./csvChecks.ts";
import { listCellChanges, listChanges } from "./csvWarnings.ts";

const maxNameLength = 100;
/** Of so many columns the values are checked. */
const maxColumns = 500;

const isFraction = /^-?\d+[.eE]/;
const anyFraction = "0.5";
/** What Python writes and reads, although it is no JSON. */
const pythonNumber = /(?:NaN|-?Infinity)(?=\s*[,\]}])/g;

/**
 * A sentence for each change that the server would make, as far as the beginning of the file shows it. Throws AppError
 * "refused" for a whole file without columns, of which the server makes a table that cannot be read.
 */
export function listJsonWarnings(
  fileName: string,
  start: Buffer,
  { isWhole = true } = {},
): string[] {
  const text = start.toString("utf8").replace(/^\ufeff/, "");
  const isLines = detectRowsFormat(fileName) === "jsonLines";
  let { rows, hasProblem, isInObject } = readStart(text, { isLines, isWhole });
  const [number] = hasProblem ? (text.match(pythonNumber) ?? []) : [];
  const warnings: string[] = [];
  if (number !== undefined) {
    const warning = l10n.t("MindsDB reads {0}, which is not valid JSON, as null.", number);
    warnings.push(warning);
    const replaced = text.replace(pythonNumber, "null");
    ({ rows, hasProblem, isInObject } = readStart(replaced, { isLines, isWhole }));
  }
  if (isInObject && rows.length > 0) {
    const warning = l10n.t(
      "MindsDB reads {0} as one row. For one row per object, upload only the list.",
      fileName,
    );
    return [...warnings, warning];
  }
  const columns = listColumns(rows);
  const isEmpty = () => (isLines ? !hasProblem : [tryParseJson(text)].flat().every(hasNoMember));
  if (isWhole && columns.length === 0 && isEmpty()) {
    throw new AppError("refused", l10n.t("{0} has no columns.", fileName));
  }
  // Only whole numbers change: texts are in quotes here, and other numbers are read alike by every program.
  const named = columns.filter(({ name }) => name !== "");
  const shown = ["number", "infinity", "decimal"] as const;
  const table = { columns: named, rowCount: rows.length };
  warnings.push(...listChanges(table, shown));
  const nested = named.map(findNested);
  const inside = { columns: nested.flatMap((one) => one.columns), rowCount: 0 };
  warnings.push(...listCellChanges(inside, shown));
  const uneven = nested.find((one) => one.isUneven);
  if (uneven) {
    const warning = l10n.t(
      "The objects in the column {0} have different keys. MindsDB gives all of them the same keys, with null for what is missing.",
      truncate(uneven.name, maxNameLength),
    );
    warnings.push(warning);
  }
  return warnings;
}

function hasNoMember(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The rows before a problem, which the server explains. */
function readStart(
  text: string,
  { isLines, isWhole }: { isLines: boolean; isWhole: boolean },
): { rows: Row[]; hasProblem: boolean; isInObject: boolean } {
  const reader = new JsonRows({ lines: isLines });
  const rows = reader.push(Buffer.from(text));
  if (isWhole) rows.push(...reader.end());
  return { rows, hasProblem: reader.problem !== undefined, isInObject: reader.isInObject };
}

function listColumns(rows: readonly Row[]): Column[] {
  const cellsByName = new Map<string, string[]>();
  for (const row of rows) {
    for (const [name, index] of row.shape.indexOf) {
      if (cellsByName.size >= maxColumns && !cellsByName.has(name)) continue;
      const cells = cellsByName.get(name) ?? [];
      cellsByName.set(name, cells);
      const text = readTextAt(row, index);
      if (text !== "null") cells.push(isFraction.test(text) ? formatFraction(text) : text);
    }
  }
  return [...cellsByName].map(([name, cells]) => ({ name, cells }));
}

function formatFraction(text: string): string {
  return isFinite(Number(text)) ? anyFraction : "Infinity";
}

interface Nested {
  name: string;
  /** The numbers inside of lists and objects, as columns with their paths as names. */
  columns: Column[];
  /** Whether objects at the same place differ in their keys. */
  isUneven: boolean;
}

/** A place inside of a column's lists and objects. Not known by its path: a long one would be made for each of its members. */
interface NestedPlace {
  name: string;
  /** Those of its last object. */
  keys?: string;
  numbers: string[];
  inside: Map<string, NestedPlace>;
}

function findNested({ name, cells }: Column): Nested {
  const filled: NestedPlace[] = [];
  let isUneven = false;
  const enter = ({ name, inside }: NestedPlace, step: string): NestedPlace => {
    const known = inside.get(step);
    if (known) return known;
    const place = createPlace(truncate(name + step, maxNameLength));
    inside.set(step, place);
    return place;
  };
  const visit = (value: unknown, place: NestedPlace): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, enter(place, "[]"));
    } else if (isObject(value)) {
      const keys = Object.keys(value).sort().join("\n");
      isUneven ||= (place.keys ?? keys) !== keys;
      place.keys = keys;
      for (const [key, item] of Object.entries(value)) visit(item, enter(place, `.${key}`));
    } else {
      const { numbers } = place;
      if (numbers.length === 0 && filled.length >= maxColumns) return;
      if (numbers.length === 0) filled.push(place);
      numbers.push(value === null ? "" : typeof value === "bigint" ? String(value) : anyFraction);
    }
  };
  const column = createPlace(truncate(name, maxNameLength));
  for (const cell of cells) {
    if (/^[[{]/.test(cell)) visit(JSON.parse(cell, readWholeNumber), column);
  }
  const columns = filled.map((place) => ({
    name: place.name,
    // What an object lacks becomes null, which makes decimals of all.
    cells: isUneven ? [...place.numbers, anyFraction] : place.numbers,
  }));
  return { name, columns, isUneven };
}

function createPlace(name: string): NestedPlace {
  return { name, numbers: [], inside: new Map() };
}

/** For JSON.parse: keeps the digits of whole numbers. Node 20 does not tell the source. */
function readWholeNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? "";
  return typeof value === "number" && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Where a file of JSON or CSV that the server refused is not what it should be, in a sentence; undefined for other files. */
export async function findRowsProblem(file: {
  name: string;
  read(): AsyncIterable<Uint8Array>;
}): Promise<string | undefined> {
  const format = detectRowsFormat(file.name);
  if (format === undefined) return undefined;
  try {
    const chunks = readRows(file.read(), format);
    while ((await chunks.next()).done !== true);
    return undefined;
  } catch (error) {
    if (!(error instanceof RowsError) || !error.place) return undefined;
    return describeRowsError(error, file.name);
  }
}
