// Finds, at the beginning of a CSV file, values that MindsDB changes without a message (26.1.0 and 25.14.1).
import Papa from "papaparse";
import { AppError } from "../mindsdb/errors.ts";
import { isTooWide } from "../predict/rows/csvRows.ts";
import { describeTooManyColumns } from "../predict/rows/row.ts";

/** How many bytes of a file are looked at. */
export const checkedBytes = 256 * 1024;

/** The beginning of a CSV file. */
interface CsvStart {
  columns: { name: string; cells: string[] }[];
  /** Short rows do not have a cell of each column. */
  rowCount: number;
  /** The number of the first row that is longer than the header, counted from 1: it is cut. */
  longRow: number | undefined;
  /** The number of the first row in which a quoted cell does not end where it should. */
  openQuote: number | undefined;
}

/** Throws AppError "refused" for a header with too many columns. */
export function readCsvStart(text: string): CsvStart {
  if (isTooWide(text)) throw new AppError("refused", describeTooManyColumns());
  const { data, errors } = Papa.parse<string[]>(text, { skipEmptyLines: true });
  const [header = [], ...rows] = data;
  const columns = header.map((name) => ({ name, cells: [] as string[] }));
  for (const row of rows) {
    for (const [at, cell] of row.entries()) columns[at]?.cells.push(cell);
  }
  const long = rows.findIndex((row) => row.length > header.length);
  // The last row may be cut.
  const isWhole = text.length < checkedBytes;
  const openQuote = errors.find(
    ({ code, row = 0 }) =>
      code === "InvalidQuotes" || (code === "MissingQuotes" && (isWhole || row < data.length - 1)),
  )?.row;
  return {
    columns,
    rowCount: rows.length,
    longRow: long < 0 ? undefined : long + 1,
    openQuote,
  };
}

/** A cell, and what MindsDB makes of it. */
interface ChangedCell {
  column: string;
  cell: string;
  becomes: string;
}

/**
 * Of each column that MindsDB reads as numbers, the first cell whose text is lost by that: leading zeros, a plus sign, an
 * exponent, or digits beyond what a number holds.
 */
export function findChangedNumbers({ columns, rowCount }: CsvStart): ChangedCell[] {
  return columns.flatMap(({ name: column, cells }) => {
    const texts = cells.filter((cell) => !nullWords.has(cell)).map((cell) => cell.trim());
    if (!texts.every(isNumber)) return [];
    // A column of whole numbers without a gap keeps the digits of all that fit into 64 bits.
    const isWhole = texts.length === rowCount && texts.every((text) => /^[+-]?\d+$/.test(text));
    const cell = texts.find((text) => changesAsNumber(text, isWhole));
    return cell === undefined ? [] : [{ column, cell, becomes: formatNumber(cell, isWhole) }];
  });
}

/** The first cell with a word that MindsDB reads as no value. Undefined if there is none. */
export function findChangedNull({ columns }: CsvStart): ChangedCell | undefined {
  for (const { name: column, cells } of columns) {
    const cell = cells.find((text) => text !== "" && nullWords.has(text));
    if (cell !== undefined) return { column, cell, becomes: "null" };
  }
  return undefined;
}

/** The first column name that is changed: a second column of the same name, or one without a name. */
export function findChangedColumn({ columns }: CsvStart): ChangedCell | undefined {
  const counts = new Map<string, number>();
  for (const [at, { name: cell }] of columns.entries()) {
    const count = counts.get(cell) ?? 0;
    counts.set(cell, count + 1);
    if (cell === "") return { column: cell, cell, becomes: `Unnamed: ${String(at)}` };
    if (count > 0) return { column: cell, cell, becomes: `${cell}.${String(count)}` };
  }
  return undefined;
}

/** Texts that pandas 2.3 reads as missing values. With a blank beside it each of them stays text, and so does a blank cell. */
const nullWords = new Set(
  "|null|NULL|NaN|nan|-NaN|-nan|None|NA|N/A|n/a|#NA|#N/A|#N/A N/A|<NA>|1.#IND|-1.#IND|1.#QNAN|-1.#QNAN".split(
    "|",
  ),
);

function isNumber(text: string): boolean {
  // A column with a number beyond the range stays text.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && isFinite(Number(text));
}

const maxWholeNumber = 2n ** 64n;

function changesAsNumber(text: string, isWhole: boolean): boolean {
  if (/^(?:\+|-?0\d)/.test(text)) return true;
  // Digits and an E may be a code.
  if (/^\d+[eE]\d+$/.test(text)) return true;
  if (!/^-?\d+$/.test(text)) return text.replace(/\D/g, "").replace(/^0+/, "").length > 17;
  // Larger ones stay text.
  return !isWhole && BigInt(text) < maxWholeNumber && BigInt(text) !== BigInt(Number(text));
}

function formatNumber(text: string, isWhole: boolean): string {
  if (isWhole) return String(BigInt(text.replace("+", "")));
  return String(Number(text));
}

/** True for bytes that are not text: MindsDB makes a meaningless table of them. UTF-16 is text with zero bytes. */
export function isBinary(start: Uint8Array): boolean {
  const isUtf16 =
    (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !isUtf16 && start.includes(0);
}
