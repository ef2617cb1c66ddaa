// Finds, at the beginning of a CSV file, values that MindsDB changes without a message (26.1.0 and 25.14.1).
import Papa from "papaparse";
import { AppError } from "../mindsdb/errors.ts";
import { isTooWide } from "../predict/rows/csvRows.ts";
import { describeTooManyColumns } from "../predict/rows/row.ts";

/** How many bytes of a file are looked at. */
export const checkedBytes = 256 * 1024;

/** The beginning of a CSV file. */
export interface CsvStart {
  columns: { name: string; cells: string[] }[];
  /** Short rows do not have a cell of each column. */
  rowCount: number;
  /** The character between cells, which MindsDB may not know. */
  delimiter: string;
  /** The number of the first row that is longer than the header, counted from 1: it is cut. */
  longRow: number | undefined;
  /** The number of the first row in which a quoted cell does not end where it should. */
  openQuote: number | undefined;
}

/**
 * Reads the beginning of a file, or a whole one: where it is cut, its last row is left out. Throws AppError "refused" for a
 * header with too many columns.
 */
export function readCsvStart(text: string, { isWhole = true } = {}): CsvStart {
  if (isTooWide(text)) throw new AppError("refused", describeTooManyColumns());
  const { data, errors, meta } = Papa.parse<string[]>(text, {
    skipEmptyLines: true,
    delimiter: findDelimiter(text),
  });
  const [header = [], ...rows] = isWhole ? data : data.slice(0, -1);
  const columns = header.map((name) => ({ name, cells: [] as string[] }));
  for (const row of rows) {
    for (const [at, cell] of row.entries()) columns[at]?.cells.push(cell);
  }
  const long = rows.findIndex((row) => row.length > header.length);
  const openQuote = errors.find(
    ({ code, row = 0 }) =>
      code === "InvalidQuotes" || (code === "MissingQuotes" && (isWhole || row < data.length - 1)),
  )?.row;
  return {
    columns,
    rowCount: rows.length,
    delimiter: meta.delimiter,
    longRow: long < 0 ? undefined : long + 1,
    openQuote,
  };
}

/** The delimiters that MindsDB knows, in the order in which Python's csv.Sniffer prefers them. */
const knownDelimiters = [",", "\t", ";"];

/** The delimiter by which MindsDB reads: it looks at the first line only. Empty, for papaparse to guess, if it knows none. */
function findDelimiter(text: string): string {
  const [line] = /[^\r\n]+/.exec(text) ?? [""];
  const unquoted = line.replace(/"[^"]*"/g, "");
  return knownDelimiters.find((delimiter) => unquoted.includes(delimiter)) ?? "";
}

/** Whether MindsDB makes one column of all. */
export function hasUnknownDelimiter({ columns, delimiter }: CsvStart): boolean {
  return columns.length > 1 && !knownDelimiters.includes(delimiter);
}

/**
 * What MindsDB reads as something else than the text: a number that has lost characters; an infinite one, which results show
 * as null; a whole number among empty cells, which texts show with ".0"; a boolean; a word for "no value".
 */
export type ChangeKind = "number" | "infinity" | "decimal" | "boolean" | "null";

/** The first cell of its kind in a column, and what MindsDB makes of it (pandas 2.3). */
export interface ChangedCell {
  kind: ChangeKind;
  column: string;
  cell: string;
  becomes: string;
}

/** Of each column, the first cell of each kind whose text MindsDB changes. */
export function findChangedCells(csv: Pick<CsvStart, "columns" | "rowCount">): ChangedCell[] {
  return csv.columns.flatMap(({ name, cells }, at) => {
    const column = name === "" ? nameOfUnnamed(at) : name;
    const texts = cells.filter((cell) => !nullWords.has(cell));
    const hasGap = texts.length < csv.rowCount;
    const word = cells.find((cell) => cell !== "" && nullWords.has(cell));
    const found = [
      ...findChangedNumbers(column, texts, hasGap),
      ...findBoolean(texts),
      ...(word === undefined ? [] : [{ kind: "null", cell: word, becomes: "null" } as const]),
    ];
    return found.map((change) => ({ ...change, column }));
  });
}

type Change = Omit<ChangedCell, "column">;

function findChangedNumbers(column: string, cells: readonly string[], hasGap: boolean): Change[] {
  const texts = cells.map((cell) => cell.trim());
  if (texts.length === 0 || !texts.every(isNumber) || staysText(texts, hasGap)) return [];
  // A column of whole numbers without a gap keeps the digits of all that fit into 64 bits.
  const isWhole = texts.every((text) => /^[+-]?\d+$/.test(text));
  const isExact = isWhole && !hasGap;
  const zeros = findTrailingZero(column, texts);
  const lost = texts.find((text) => text === zeros || changesAsNumber(text, isExact));
  const infinite = texts.find((text) => infinity.test(text));
  const changes: Change[] = [];
  if (lost !== undefined) {
    changes.push({ kind: "number", cell: lost, becomes: formatNumber(lost, isExact) });
  } else if (isWhole && hasGap) {
    changes.push({ kind: "decimal", cell: texts[0]!, becomes: `${texts[0]!}.0` });
  }
  if (infinite !== undefined) {
    changes.push({ kind: "infinity", cell: infinite, becomes: "null" });
  }
  return changes;
}

/** Columns of booleans are read in any spelling, which is lost. */
function findBoolean(texts: readonly string[]): Change[] {
  if (!texts.every((text) => /^(?:true|false)$/i.test(text))) return [];
  const cell = texts.find((text) => text !== text.toLowerCase());
  return cell === undefined ? [] : [{ kind: "boolean", cell, becomes: cell.toLowerCase() }];
}

/** The column names that are changed: a second column of the same name, and those without a name. */
export function findChangedColumns({
  columns,
}: Pick<CsvStart, "columns">): { name: string; becomes: string }[] {
  const names = new Set(columns.map(({ name }) => name));
  const counts = new Map<string, number>();
  return columns.flatMap(({ name }, at) => {
    if (name === "") return [{ name, becomes: nameOfUnnamed(at) }];
    let count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    if (count === 0) return [];
    while (names.has(`${name}.${String(count)}`)) count++;
    counts.set(name, count + 1);
    return [{ name, becomes: `${name}.${String(count)}` }];
  });
}

function nameOfUnnamed(at: number): string {
  return `Unnamed: ${String(at)}`;
}

/** Texts that pandas 2.3 reads as missing values. With a blank beside it each of them stays text, and so does a blank cell. */
const nullWords = new Set(
  "|null|NULL|NaN|nan|-NaN|-nan|None|NA|N/A|n/a|#NA|#N/A|#N/A N/A|<NA>|1.#IND|-1.#IND|1.#QNAN|-1.#QNAN".split(
    "|",
  ),
);

const infinity = /^[+-]?inf(?:inity)?$/i;

function isNumber(text: string): boolean {
  if (infinity.test(text)) return true;
  // A column with a number beyond the range stays text.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) && isFinite(Number(text));
}

const [maxSigned, maxUnsigned] = [2n ** 63n - 1n, 2n ** 64n - 1n];

/**
 * Whether numbers stay text. pandas tries 64 bits with a sign, then without one, and reads decimals only if a cell is met that
 * is no whole number before one that is too large.
 */
function staysText(texts: readonly string[], hasGap: boolean): boolean {
  const firstProblem = (max: bigint, min: bigint): "none" | "decimal" | "tooLarge" => {
    for (const text of texts) {
      const [whole, sign, digits = ""] = /^([+-]?)0*(\d*)/.exec(text) ?? [""];
      const value = digits.length > 20 ? 10n ** 20n : BigInt(digits || "0");
      if (sign === "-" ? -value < min : value > max) return "tooLarge";
      if (whole.length < text.length) return "decimal";
    }
    return "none";
  };
  if (firstProblem(maxSigned, -maxSigned - 1n) !== "tooLarge") return false;
  const problem = firstProblem(maxUnsigned, -maxSigned - 1n);
  if (problem !== "none") return problem === "tooLarge";
  return hasGap || texts.some((text) => text.startsWith("-"));
}

/** Words in names of columns whose decimals are texts, like 1.10 for a version. */
const codeWords = new Set(
  "version,ver,release,revision,rev,build,section,chapter,clause,code,sku,id,no,nr".split(","),
);

/**
 * The first number whose last zero tells it from another: 1.10 beside 1.9, or in a column that its name says to be codes.
 * Prices, which all have two digits, are numbers.
 */
function findTrailingZero(column: string, texts: readonly string[]): string | undefined {
  const words = column
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  const isCode = words.some((word) => codeWords.has(word));
  const lengths = texts.map((text) => /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
  const fewest = lengths.reduce(
    (min, length) => (length > 0 && length < min ? length : min),
    Infinity,
  );
  return texts.find((text, at) => {
    const digits = lengths[at]!;
    return digits > 1 && text.endsWith("0") && (isCode || digits > fewest);
  });
}

function changesAsNumber(text: string, isExact: boolean): boolean {
  if (infinity.test(text)) return false;
  if (/^(?:\+|-?0\d)/.test(text)) return true;
  // Digits and an E may be a code.
  if (/^\d+[eE]\d+$/.test(text)) return true;
  if (!/^-?\d+$/.test(text)) return text.replace(/\D/g, "").replace(/^0+/, "").length > 17;
  return !isExact && BigInt(text) !== BigInt(Number(text));
}

function formatNumber(text: string, isExact: boolean): string {
  if (isExact) return String(BigInt(text.replace("+", "")));
  return String(Number(text));
}

/** True for bytes that are not text: MindsDB makes a meaningless table of them. UTF-16 is text with zero bytes. */
export function isBinary(start: Uint8Array): boolean {
  const isUtf16 =
    (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !isUtf16 && start.includes(0);
}
