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
  /** The character by which MindsDB separates cells. */
  delimiter: Delimiter;
  /** The character that seems to separate them, if it is another one. */
  otherDelimiter: string | undefined;
  /** Whether MindsDB cuts rows that are longer than the header: it does if the first one is. Later ones are refused. */
  isCut: boolean;
  /** The number of the first row without any value, counted from 1. */
  emptyRow: number | undefined;
  /** The first cell that goes on after its closing quote. */
  quoted: { row: number; cell: string; becomes: string } | undefined;
}

/**
 * Reads the beginning of a file, or a whole one: where it is cut, its last row is left out. Throws AppError "refused" for a
 * header with too many columns.
 */
export function readCsvStart(
  text: string,
  { isWhole = true, isTabSeparated = false } = {},
): CsvStart {
  if (isTooWide(text)) throw new AppError("refused", describeTooManyColumns());
  const delimiter = findDelimiter(text);
  const parsed = parseRows(text, delimiter);
  const [header = [], ...rows] = isWhole ? parsed.rows : parsed.rows.slice(0, -1);
  const columns = header.map((name) => ({ name, cells: [] as string[] }));
  for (const row of rows) {
    for (const [at, cell] of row.entries()) columns[at]?.cells.push(cell);
  }
  const empty = rows.findIndex((row) => row.every((cell) => cell === ""));
  return {
    columns,
    rowCount: rows.length,
    delimiter,
    otherDelimiter: findOtherDelimiter(text, delimiter, {
      isTabSeparated,
      isOneColumn: header.length < 2,
    }),
    isCut: (rows[0]?.length ?? 0) > header.length,
    emptyRow: empty < 0 ? undefined : empty + 1,
    quoted: parsed.quoted,
  };
}

/** The delimiters that MindsDB knows, in the order in which Python's csv.Sniffer prefers them. */
const knownDelimiters = [",", "\t", ";"] as const;

type Delimiter = (typeof knownDelimiters)[number];

/** The delimiter by which MindsDB reads: it looks at the first line only. */
function findDelimiter(text: string): Delimiter {
  const [line] = text.split("\n", 1) as [string];
  const unquoted = line.replace(/"[^"]*"/g, "");
  return knownDelimiters.find((delimiter) => unquoted.includes(delimiter)) ?? ",";
}

/** The delimiter that the first rows have in common, if it is not that of MindsDB. */
function findOtherDelimiter(
  text: string,
  delimiter: string,
  { isTabSeparated, isOneColumn }: { isTabSeparated: boolean; isOneColumn: boolean },
): string | undefined {
  const { data, meta } = Papa.parse<string[]>(text, {
    preview: 10,
    skipEmptyLines: true,
    // Names and values may have colons; they separate cells only where nothing else does.
    delimitersToGuess: [...knownDelimiters, "|", ...(isOneColumn ? [":"] : [])],
  });
  const [header = []] = data;
  const found = isTabSeparated && header.join("").includes("\t") ? "\t" : meta.delimiter;
  return found === delimiter || (header.length < 2 && found !== "\t") ? undefined : found;
}

const hasText = /[^ \t]/;

/** A cell: the text in its quotes, which may not be closed, what follows them, and the delimiter or line end after it. */
const cells: Record<Delimiter, RegExp> = {
  ",": /(?:"([^"]*(?:""[^"]*)*)("?))?([^,\r\n]*)(,|\r\n?|\n|$)/y,
  ";": /(?:"([^"]*(?:""[^"]*)*)("?))?([^;\r\n]*)(;|\r\n?|\n|$)/y,
  "\t": /(?:"([^"]*(?:""[^"]*)*)("?))?([^\t\r\n]*)(\t|\r\n?|\n|$)/y,
};

interface ParsedRows {
  rows: string[][];
  quoted: CsvStart["quoted"];
}

/**
 * Finds the cells as the C parser of pandas does, which no library for JavaScript does: lines end with any of LF, CRLF and
 * CR, those of blanks alone are skipped, and what follows a closing quote belongs to the cell.
 */
function parseRows(text: string, delimiter: Delimiter): ParsedRows {
  const cell = cells[delimiter];
  cell.lastIndex = 0;
  const rows: string[][] = [];
  let row: string[] = [];
  let quoted: CsvStart["quoted"];
  for (let end: string | undefined; end !== "";) {
    const [raw = "", inQuotes, quote, rest = "", found = ""] = cell.exec(text) ?? [];
    end = found;
    const value = (inQuotes?.replaceAll('""', '"') ?? "") + rest;
    if (quote && hasText.test(rest)) {
      quoted ??= { row: rows.length, cell: raw.slice(0, raw.length - end.length), becomes: value };
    }
    if (end === delimiter || row.length > 0 || inQuotes !== undefined || hasText.test(rest)) {
      row.push(value);
    }
    if (end === delimiter) continue;
    if (row.length > 0) rows.push(row);
    row = [];
  }
  return { rows, quoted };
}

/**
 * What MindsDB reads as something else than the text: a number that has lost characters; an infinite one, which results show
 * as null; a whole number among empty cells, which texts show with ".0"; a boolean; a word for "no value"; in workbooks, a
 * duration.
 */
export type ChangeKind = "number" | "infinity" | "decimal" | "boolean" | "null" | "duration";

/** The first cell of its kind in a column, and what MindsDB makes of it (pandas 2.3). */
export interface ChangedCell {
  kind: ChangeKind;
  column: string;
  cell: string;
  becomes: string;
}

/** A column of the beginning of a table. */
export interface Column {
  name: string;
  /** Short rows have no cell. Empty ones are "". */
  cells: string[];
  /** What is known to change by the types of the cells. */
  changes?: Change[];
}

/** Of each column, the first cell of each kind whose text MindsDB changes. */
export function findChangedCells(csv: { columns: Column[]; rowCount: number }): ChangedCell[] {
  return csv.columns.flatMap(({ name, cells, changes = [] }, at) => {
    const column = name === "" ? nameOfUnnamed(at) : name;
    const texts = cells.filter((cell) => !nullWords.has(cell));
    const hasGap = texts.length < cells.length || cells.length < csv.rowCount;
    const word = cells.find((cell) => cell !== "" && nullWords.has(cell));
    const found = [
      ...changes,
      ...findChangedNumbers(column, texts, hasGap),
      ...findBoolean(texts),
      ...(word === undefined ? [] : [{ kind: "null", cell: word, becomes: "null" } as const]),
    ];
    return found.map((change) => ({ ...change, column }));
  });
}

export type Change = Omit<ChangedCell, "column">;

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

/**
 * The column names that are changed: a second column of the same name, those without a name, and those that differ from
 * another in case alone, which SQL only finds by the new name.
 */
export function findChangedColumns({
  columns,
}: {
  columns: Pick<Column, "name">[];
}): { name: string; becomes: string }[] {
  const names = new Set(columns.map(({ name }) => name));
  const counts = new Map<string, number>();
  const known = new Set<string>();
  /** By name in lower case, the next number to try: thousands of names can differ in case alone. */
  const numbers = new Map<string, number>();
  return columns.flatMap(({ name }, at) => {
    let becomes = name;
    if (name === "") {
      becomes = nameOfUnnamed(at);
      if (names.has(becomes)) becomes += ".1";
    } else {
      let count = counts.get(name) ?? 0;
      if (count > 0) {
        while (names.has(`${name}.${String(count)}`)) count++;
        becomes = `${name}.${String(count)}`;
      }
      counts.set(name, count + 1);
    }
    const base = becomes;
    const inLowerCase = base.toLowerCase();
    let number = numbers.get(inLowerCase) ?? 1;
    while (known.has(becomes.toLowerCase())) becomes = `${base}_${String(number++)}`;
    numbers.set(inLowerCase, number);
    known.add(becomes.toLowerCase());
    return becomes === name ? [] : [{ name, becomes }];
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

/** Whether MindsDB reads this text as a missing value. */
export function isNoValue(text: string): boolean {
  return nullWords.has(text);
}

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
 * The first number whose last zero tells it from another: 1.10 beside 1.9 or 2, or in a column that its name says to be
 * codes. Prices, which all have two digits, are numbers.
 */
function findTrailingZero(column: string, texts: readonly string[]): string | undefined {
  const words = column
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  const isCode = words.some((word) => codeWords.has(word));
  const lengths = texts.map((text) => /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0);
  // 0 may be written shorter than the other prices.
  const fewest = lengths.reduce(
    (min, length, at) => (length < min && Number(texts[at]) !== 0 ? length : min),
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
  if (!/^-?\d+$/.test(text)) return losesDigits(text);
  return !isExact && BigInt(text) !== BigInt(Number(text));
}

/** pandas 2.3 reads as many digits of a decimal; zeros at the beginning count. */
const maxDigits = 17;
/** More zeros at the beginning leave less than 12 digits. Programs that print all digits of small numbers often lose a few. */
const maxZeros = 5;

/** Whether a decimal has more digits than numbers do, or is read with much fewer. */
function losesDigits(text: string): boolean {
  const [, zeros = "", digits = ""] = /^(0*)(\d*)/.exec(text.replace(/[eE].*|[^\deE]/g, "")) ?? [];
  if (Number(text) === 0) return digits !== "";
  return (
    digits.length > maxDigits ||
    (zeros.length > maxZeros && zeros.length + digits.length > maxDigits)
  );
}

function formatNumber(text: string, isExact: boolean): string {
  if (isExact) return String(BigInt(text.replace("+", "")));
  let count = 0;
  const [digits = "", ...exponent] = text.split(/(?=e)/i);
  const read = digits.replace(/\d/g, (digit) => (++count > maxDigits ? "0" : digit));
  return String(Number(read + exponent.join("")));
}

/** True for bytes that are not text: MindsDB makes a meaningless table of them. UTF-16 is text with zero bytes. */
export function isBinary(start: Uint8Array): boolean {
  const isUtf16 =
    (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
  return !isUtf16 && start.includes(0);
}
