import * as l10n from "@vscode/l10n";
import { isUtf8 } from "node:buffer";
import Papa from "papaparse";
import { uniqueNames } from "../../shared/uniqueNames.ts";
import { JsonScanner, maxShapeNames } from "./jsonScanner.ts";
import { describeTooManyColumns, maxColumns, RowsError } from "./row.ts";
import type { Row, RowsProblem, Shape } from "./row.ts";
import { maxRowBytes, type RowReader } from "./jsonRows.ts";

/** The result of papaparse's parser, which its types leave open. */
interface Parsed {
  data: string[][];
  /** `index` is the position after the opening quote of the cell. */
  errors: { code: string; row: number; index: number }[];
  /** `cursor` is the end of the complete rows. */
  meta: { cursor: number };
}

/** Bytes to read before the delimiter is guessed, unless the file is smaller. */
const guessBytes = 64 * 1024;

/** A first line that names the delimiter, as Excel reads it. */
const delimiterLine = /^"?sep=([,;\t|])"?(?:\r*\n|\r)/i;

/** Of all rows that are read at once, in characters: each repeats the names. A short file can ask for gigabytes. */
const maxNamesLength = 64 * 1024 ** 2;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads rows from CSV with a header: papaparse finds the cells, and each row becomes JSON whose values are strings, or null
 * where a cell is empty or, as in dumps of MySQL and PostgreSQL, `\N` without quotes. The delimiter (`,`, `;`, tab, `|`) is
 * guessed, unless a line like `sep=;` names it. Lines end as in VS Code, with LF, CRLF or CR, also mixed. Empty lines are skipped, and so are rows whose cells are all blank, which
 * are counted; rows with fewer cells than the header lack the other columns; rows with more cells are a problem.
 */
export class CsvRows implements RowReader {
  problem: RowsError | undefined;
  blankRows = 0;
  nullMarks = 0;
  readonly #scanner = new JsonScanner();
  /** Bytes after the last complete line. */
  #bytes: Uint8Array[] = [];
  /** Complete lines of an incomplete row: a quoted cell is still open. */
  #text = "";
  /** Text length to wait for before the next parse, so that a long cell is not parsed again with each chunk. */
  #wanted = 0;
  #parser: Papa.Parser | undefined;
  #delimiter = ",";
  /** Whether quotes are part of the texts, as in tab-separated files that quote nothing. */
  #hasPlainQuotes = false;
  /** Whether rows that were read have quoted cells. */
  #hasQuotedCells = false;
  #line = 1;
  /** Each column's name as JSON, with the comma before it and the colon after it. */
  #columns: string[] | undefined;
  /** The length of the first columns' names, by their number, with a null for each. */
  #nameLengths: number[] = [];
  readonly #shapes = new Map<number, Shape>();
  #shapeNames = 0;

  push(chunk: Uint8Array): Row[] {
    if (this.problem) return [];
    const end = findLinesEnd(chunk);
    if (end < 0) {
      this.#bytes.push(chunk);
      return [];
    }
    const lines = Buffer.concat([...this.#bytes, chunk.subarray(0, end)]);
    if (!this.#parser && lines.length < guessBytes) {
      this.#bytes.push(chunk);
      return [];
    }
    this.#bytes = [chunk.subarray(end)];
    return this.#take(lines, false);
  }

  end(): Row[] {
    if (this.problem) return [];
    const rest = Buffer.concat(this.#bytes);
    this.#bytes = [];
    return this.#take(rest, true);
  }

  #take(lines: Buffer, isLast: boolean): Row[] {
    const good = isUtf8(lines) ? lines.length : findUtf8End(lines);
    this.#text += lines.toString("utf8", 0, good);
    if (good === lines.length) return isLast ? this.#parse(true) : this.#parseWhenDue();
    const rows = this.#parse(false);
    if (!this.problem) {
      this.#fail("notText", l10n.t("This line is not UTF-8. Save the file as UTF-8."), this.#line);
    }
    return rows;
  }

  #parseWhenDue(): Row[] {
    if (this.#text.length < this.#wanted) return [];
    const rows = this.#parse(false);
    this.#wanted = 2 * this.#text.length;
    if (this.#text.length > maxRowBytes) {
      this.#fail(
        "tooLong",
        l10n.t("The row with this quote is too long: the quote may never be closed."),
        this.#line,
      );
    }
    return rows;
  }

  #parse(isLast: boolean): Row[] {
    if (!this.#parser && isTooWide(this.#text)) {
      this.#fail("tooLong", describeTooManyColumns(), this.#line);
      return [];
    }
    this.#parser ??= this.#createParser(isLast);
    let source = this.#unify(this.#text);
    let parsed = this.#parser.parse(source, 0, !isLast) as Parsed;
    // papaparse also reports errors in the last row if it is only incomplete.
    const findWrong = () => parsed.errors.find(({ row }) => isLast || row < parsed.data.length);
    let wrong = findWrong();
    // A quote inside a quoted cell is wrong however the row goes on.
    const quoted = wrong ?? parsed.errors.find(({ code }) => code === "InvalidQuotes");
    if (quoted && this.#mayHavePlainQuotes(source, quoted.row)) {
      this.#parser = this.#newParser(true);
      source = this.#unify(source);
      parsed = this.#parser.parse(source, 0, !isLast) as Parsed;
      wrong = findWrong();
    }
    this.#text = source.slice(parsed.meta.cursor);
    this.#hasQuotedCells ||=
      !this.#hasPlainQuotes &&
      findOpeningQuote(source.slice(0, parsed.meta.cursor), 0, this.#delimiter) >= 0;
    const cells = wrong ? parsed.data.slice(0, wrong.row) : parsed.data;
    const firstLine = this.#line;
    const rows = this.#toRows(cells, source);
    if (wrong && !this.problem) {
      const message =
        wrong.code === "MissingQuotes"
          ? l10n.t("The quote that opens a cell on this line is never closed.")
          : l10n.t(
              "A quoted cell that starts on this line has text after its closing quote, which may be lines below. Move the quote to the end of the cell, or double the quotes inside it.",
            );
      this.#fail("syntax", message, firstLine + countBreaks([source.slice(0, wrong.index)]));
    }
    return rows;
  }

  /** The text with one kind of line end, and without marks of NULL. */
  #unify(text: string): string {
    return this.#removeNullMarks(
      this.#hasPlainQuotes ? text.replace(lineEnds, "\n") : unifyLineEnds(text, this.#delimiter),
    );
  }

  /** Whether tab-separated values quote nothing: the first cell that begins with a quote is in a row that is wrong so. */
  #mayHavePlainQuotes(source: string, wrongRow: number): boolean {
    if (this.#delimiter !== "\t" || this.#hasPlainQuotes || this.#hasQuotedCells) return false;
    const quote = findOpeningQuote(source, 0, this.#delimiter);
    return quote >= 0 && countBreaks([source.slice(0, quote)]) === wrongRow;
  }

  /** Empties the cells that are `\N`, and counts them. A line with nothing else keeps a space: it is a row, not empty. */
  #removeNullMarks(text: string): string {
    if (!text.includes(nullMark)) return text;
    const ends = ["\n", this.#delimiter];
    const replace = (part: string): string =>
      part.replaceAll(nullMark, (_, at: number) => {
        const [before = "", after = ""] = [part[at - 1], part[at + nullMark.length]];
        if (!ends.includes(before) || !ends.includes(after)) return nullMark;
        this.nullMarks++;
        return before === "\n" && after === "\n" ? " " : "";
      });
    // Line ends around the text let a cell begin and end where the text does.
    const inLines = `\n${text}\n`;
    const replaced =
      this.#hasPlainQuotes || !text.includes('"')
        ? replace(inLines)
        : replaceOutsideQuotes(inLines, this.#delimiter, replace);
    return replaced.slice(1, -1);
  }

  #createParser(isWhole: boolean): Papa.Parser {
    const named = delimiterLine.exec(this.#text);
    if (named) {
      this.#text = this.#text.slice(named[0].length);
      this.#line += countBreaks([named[0]]);
    }
    const start = unifyLineEnds(this.#text, guessedDelimiters);
    const guess = Papa.parse<string[]>(start, { preview: 10, newline: "\n", skipEmptyLines: true });
    // A delimiter that does not occur in the header is part of the texts of a single column.
    const [header = []] = guess.data;
    const only = header.join("").includes("\t") ? "\t" : ",";
    this.#delimiter = named?.[1] ?? (header.length > 1 ? guess.meta.delimiter : only);
    return this.#newParser(
      this.#delimiter === "\t" &&
        hasPlainQuotes(Papa.parse<string[]>(start, this.#format), isWhole),
    );
  }

  get #format() {
    return { delimiter: this.#delimiter, newline: "\n" } as const;
  }

  #newParser(hasPlainQuotes: boolean): Papa.Parser {
    this.#hasPlainQuotes = hasPlainQuotes;
    // The fast mode knows no quotes.
    return new Papa.Parser({ ...this.#format, ...(hasPlainQuotes && { fastMode: true }) });
  }

  #toRows(table: string[][], source: string): Row[] {
    const isPlain =
      this.#columns !== undefined &&
      !needsCare.test(source) &&
      !beyondAscii.test(this.#columns.join(""));
    const lines: number[] = [];
    const rows: string[][] = [];
    let namesLength = 0;
    for (const cells of table) {
      const line = this.#line;
      this.#line += 1 + (isPlain ? 0 : countBreaks(cells));
      if (cells.length === 1 && cells[0] === "") continue;
      if (!this.#columns) {
        this.#columns = parseHeader(cells);
        let sum = 0;
        this.#nameLengths = [0, ...this.#columns.map(({ length }) => (sum += length + 4))];
        if (this.#columns.length > 0) continue;
        this.#fail(
          "notRows",
          l10n.t("The first line is the header, but it contains no column names."),
          line,
        );
        break;
      }
      if (isBlank(cells)) {
        this.blankRows++;
        continue;
      }
      if (!this.#fits(cells, this.#columns, line)) break;
      namesLength += this.#nameLengths[Math.min(cells.length, this.#columns.length)]!;
      if (namesLength > maxNamesLength) {
        const message = l10n.t("The column names are too long for this many rows. Shorten them.");
        this.#fail("tooLong", message, line);
        break;
      }
      rows.push(cells);
      lines.push(line);
    }
    return isPlain
      ? this.#writePlain(rows, lines, source.length + namesLength)
      : this.#write(rows, lines);
  }

  /** Writes rows whose cells are ASCII and need no escaping: 1 µs per row, where `#write` takes 4.5 µs (measured). */
  #writePlain(table: string[][], lines: number[], length: number): Row[] {
    const columns = this.#columns!;
    const bytes = Buffer.allocUnsafe(length + "{}".length * table.length);
    const cellCount = table.reduce((sum, cells) => sum + Math.min(cells.length, columns.length), 0);
    const values = new Int32Array(2 * cellCount);
    let at = 0;
    let position = 0;
    return table.map((cells, index): Row => {
      const count = Math.min(cells.length, columns.length);
      const row = { bytes, start: position, line: lines[index]!, lineStart: position, values, at };
      let json = "{";
      for (let cell = 0; cell < count; cell++) {
        const value = cells[cell] === "" ? "null" : `"${cells[cell]!}"`;
        json += columns[cell]! + value;
        values[at++] = position + json.length - value.length;
        values[at++] = position + json.length;
      }
      position += bytes.write(`${json}}`, position, "latin1");
      return { ...row, end: position, shape: this.#findShape(count) };
    });
  }

  /** Writes rows as JSON and scans them like rows of a JSON file. */
  #write(table: string[][], lines: number[]): Row[] {
    const columns = this.#columns ?? [];
    const texts = table.map((cells) => toJson(cells.slice(0, columns.length), columns));
    const bytes = Buffer.from(`${texts.join("")}\0`);
    const scanner = this.#scanner;
    scanner.setBytes(bytes, bytes.length - 1);
    let position = 0;
    return lines.map((line) => {
      scanner.line = line;
      scanner.lineStart = position;
      const row = scanner.row(position)!;
      position = row.end;
      return row;
    });
  }

  /** The shape of rows with this number of cells. */
  #findShape(count: number): Shape {
    const known = this.#shapes.get(count);
    if (known) return known;
    const cells = Array<string>(count).fill("");
    const [{ shape }] = this.#write([cells], [1]) as [Row];
    this.#shapeNames += count;
    if (this.#shapeNames > maxShapeNames) {
      this.#shapes.clear();
      this.#shapeNames = count;
    }
    this.#shapes.set(count, shape);
    return shape;
  }

  /** False, with a problem, for a row with cells after the last column; empty ones are allowed. */
  #fits(cells: string[], columns: string[], line: number): boolean {
    if (cells.length <= columns.length) return true;
    if (cells.slice(columns.length).every((cell) => cell === "")) return true;
    const breaks = countBreaks(cells);
    this.#fail(
      "notARow",
      l10n.t("This row has {0} cells and the header has {1}.", cells.length, columns.length) +
        " " +
        (breaks > 0
          ? l10n.t(
              "A quote extends the row to line {0}. Check where that quote is closed.",
              line + breaks,
            )
          : l10n.t("Put cells that contain {0} in quotes.", this.#delimiter)),
      line,
    );
    return false;
  }

  #fail(problem: RowsProblem, message: string, line: number): void {
    this.problem = new RowsError(problem, message, { line, column: 1 });
  }
}

/** The end of the last complete line; -1 if there is none. */
function findLinesEnd(chunk: Uint8Array): number {
  const end = chunk.lastIndexOf(lineFeed) + 1;
  if (end > 0) return end;
  // The "\n" of a "\r" at the very end may follow in the next chunk.
  const old = chunk.lastIndexOf(carriageReturn, chunk.length - 2) + 1;
  return old > 0 && old < chunk.length ? old : -1;
}

/** The end of the last line up to which all bytes are UTF-8. */
function findUtf8End(lines: Buffer): number {
  let good = 0;
  let bad = lines.length;
  // Binary search by line ends, so that no character is cut.
  for (;;) {
    const middle = lines.indexOf(lineFeed, good + Math.floor((bad - good) / 2)) + 1;
    const next = middle > 0 && middle < bad ? middle : lines.indexOf(lineFeed, good) + 1;
    if (next === 0 || next >= bad) return good;
    if (isUtf8(lines.subarray(good, next))) good = next;
    else bad = next;
  }
}

/** Line ends as VS Code counts them. */
const lineEnds = /\r\n|\r/g;

/** What MySQL and PostgreSQL write for NULL in files. */
const nullMark = "\\N";

const guessedDelimiters = ",;\t|";

/**
 * Writes each line end outside quoted cells as "\n". So `\r\r\n`, which Python writes on Windows, is a line and an empty
 * one. Quoted cells are kept as they are: one begins with a quote where a cell begins, and ends with the quote that no
 * other quote follows.
 */
function unifyLineEnds(text: string, delimiters: string): string {
  if (!text.includes("\r")) return text;
  if (!text.includes('"')) return text.replace(lineEnds, "\n");
  return replaceOutsideQuotes(text, delimiters, (part) => part.replace(lineEnds, "\n"));
}

/** Replaces the parts of a text that are not in quoted cells. */
function replaceOutsideQuotes(
  text: string,
  delimiters: string,
  replace: (part: string) => string,
): string {
  let replaced = "";
  let from = 0;
  for (;;) {
    const open = findOpeningQuote(text, from, delimiters);
    const outside = text.slice(from, open < 0 ? text.length : open);
    replaced += replace(outside);
    if (open < 0) return replaced;
    const end = findClosingQuote(text, open) + 1;
    // papaparse reports a quote that is never closed.
    if (end === 0) return replaced + text.slice(open);
    replaced += text.slice(open, end);
    from = end;
  }
}

function findOpeningQuote(text: string, from: number, delimiters: string): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    const before = text[at - 1];
    if (before === undefined || "\r\n".includes(before) || delimiters.includes(before)) return at;
  }
  return -1;
}

function findClosingQuote(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/**
 * Whether quotes of tab-separated values are part of the texts: the registered format knows no quoting, but Excel quotes
 * cells with tabs and line breaks. So it is if a cell cannot be read as quoted, and none before it had to be quoted.
 */
function hasPlainQuotes({ data, errors }: Papa.ParseResult<string[]>, isWhole: boolean): boolean {
  const wrong = errors.find(
    ({ code }) => code === "InvalidQuotes" || (isWhole && code === "MissingQuotes"),
  );
  if (!wrong) return false;
  return !data.slice(0, wrong.row).some((cells) => cells.some((cell) => /[\t\r\n]/.test(cell)));
}

/** Whether the first line has more columns than are read, whatever their delimiter is. */
export function isTooWide(text: string): boolean {
  const counts = new Map([...guessedDelimiters].map((delimiter) => [delimiter, 0]));
  const [line] = /[^\r\n]+/.exec(text.replace(delimiterLine, "")) ?? [""];
  for (const character of line) {
    const count = counts.get(character);
    if (count === undefined) continue;
    if (count === maxColumns - 1) return true;
    counts.set(character, count + 1);
  }
  return false;
}

function countBreaks(cells: readonly string[]): number {
  return cells.reduce((breaks, cell) => breaks + (cell.match(/\r\n|[\r\n]/g)?.length ?? 0), 0);
}

/** Whether a row has no value, as those that spreadsheets leave below a table. */
function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === "" || cell.trim() === "");
}

/** The start of each column in a row, with unique names. Columns at the end without a name are ignored. */
function parseHeader(header: string[]): string[] {
  const names = [...header];
  while (names.at(-1) === "") names.pop();
  return uniqueNames(names).map(
    (name, index) => `${index === 0 ? "" : ","}${JSON.stringify(name)}:`,
  );
}

const beyondAscii = /[\u0080-\uffff]/;

/** Characters that cells must escape or encode in JSON texts. Line breaks only occur in quoted cells. */
// eslint-disable-next-line no-control-regex
const needsCare = /["\\\u0000-\u0009\u000b-\u001f\u0080-\uffff]/;

function toJson(cells: string[], columns: string[]): string {
  const members = cells.map((cell, index) => {
    return columns[index]! + (cell === "" ? "null" : JSON.stringify(cell));
  });
  return `{${members.join("")}}`;
}
