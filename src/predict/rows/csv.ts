// Rows of a CSV file: papaparse finds the cells, and each row becomes JSON whose values are texts, or null where empty.
import { isUtf8 } from "node:buffer";
import Papa from "papaparse";
import { JsonScanner } from "./json.ts";
import { RowsError } from "./row.ts";
import type { Row, RowsProblem } from "./row.ts";
import type { RowReader } from "./slice.ts";

/** What papaparse's parser answers for a piece of text; its own types leave it open. */
interface Parsed {
  data: string[][];
  errors: { code: string; row: number }[];
  /** `cursor` is where the rows that are whole end. */
  meta: { cursor: number };
}

/** So much text has to have come before the delimiter is guessed, unless the file is smaller. */
const guessBytes = 64 * 1024;

/** One row may be this long. */
const maxRowBytes = 64 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Rows of CSV with a header. The delimiter is guessed (`,`, `;`, tab, `|`). Empty lines are skipped; a row with fewer
 * cells than the header lacks the other columns; a row with more cells is a problem.
 */
export class CsvRows implements RowReader {
  problem: RowsError | undefined;
  readonly #scanner = new JsonScanner();
  /** What has come and does not end with a line. */
  #bytes: Uint8Array[] = [];
  /** Whole lines that are not whole rows yet: a quoted cell is still open. */
  #text = "";
  /** How much text has to be there before another try, so that a long cell is not looked at with each chunk. */
  #wanted = 0;
  #parser: Papa.Parser | undefined;
  #delimiter = ",";
  #newline: "\n" | "\r" = "\n";
  #line = 1;
  /** Each column's name as JSON, with what stands around it. */
  #columns: string[] | undefined;

  push(chunk: Uint8Array): Row[] {
    if (this.problem) return [];
    const end = endOfLines(chunk);
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
    const good = isUtf8(lines) ? lines.length : endOfUtf8(lines);
    this.#text += lines.toString("utf8", 0, good);
    if (good === lines.length) return isLast ? this.#parse(true) : this.#parseWhenDue();
    const rows = this.#parse(false);
    if (!this.problem) {
      this.#fail("notText", "This line is not UTF-8. Save the file as UTF-8.", this.#line);
    }
    return rows;
  }

  #parseWhenDue(): Row[] {
    if (this.#text.length < this.#wanted) return [];
    const rows = this.#parse(false);
    this.#wanted = 2 * this.#text.length;
    if (this.#text.length > maxRowBytes) {
      this.#fail("tooLong", "A quote is opened in this row, and no row's end follows.", this.#line);
    }
    return rows;
  }

  #parse(isLast: boolean): Row[] {
    this.#parser ??= this.#createParser();
    const parsed = this.#parser.parse(this.#text, 0, !isLast) as Parsed;
    const source = this.#text;
    this.#text = source.slice(parsed.meta.cursor);
    // papaparse also finds fault with a row that is only not whole yet.
    const wrong = parsed.errors.find(({ row }) => isLast || row < parsed.data.length);
    const cells = wrong ? parsed.data.slice(0, wrong.row) : parsed.data;
    const rows = this.#toRows(cells, source);
    if (wrong && !this.problem) {
      const message =
        wrong.code === "MissingQuotes"
          ? "A quote is opened in this row and never closed."
          : "A quoted cell goes on after its closing quote. Quotes inside a cell are doubled.";
      this.#fail("syntax", message, this.#line);
    }
    return rows;
  }

  #createParser(): Papa.Parser {
    const guess = Papa.parse(this.#text, { preview: 10, skipEmptyLines: true }).meta;
    this.#delimiter = guess.delimiter;
    // Files that mix "\r\n" with "\n" are read as well: the "\r" that is left is cut from the last cell.
    this.#newline = guess.linebreak === "\r" ? "\r" : "\n";
    return new Papa.Parser({ delimiter: this.#delimiter, newline: this.#newline });
  }

  #toRows(table: string[][], source: string): Row[] {
    const mayEscape = this.#newline === "\r" || needsEscape.test(source);
    const lines: number[] = [];
    let json = Buffer.allocUnsafe(2 * source.length + 64);
    let length = 0;
    for (const cells of table) {
      const line = this.#line;
      this.#line += 1 + (mayEscape ? this.#breaksIn(cells) : 0);
      const last = cells.length - 1;
      if (cells[last]?.endsWith("\r")) cells[last] = cells[last].slice(0, -1);
      if (last === 0 && cells[0] === "") continue;
      if (!this.#columns) {
        this.#columns = columnsOf(cells);
        continue;
      }
      if (!this.#fits(cells, this.#columns, line)) break;
      const row = toJson(cells, this.#columns, mayEscape);
      // A UTF-16 unit takes three bytes at most; one byte is left for the 0 that the scanner wants.
      if (json.length - length <= 3 * row.length) {
        json = Buffer.concat([json.subarray(0, length)], 2 * json.length + 3 * row.length);
      }
      length += json.write(row, length);
      lines.push(line);
    }
    json[length] = 0;
    return this.#scan(json, length, lines);
  }

  #breaksIn(cells: string[]): number {
    let breaks = 0;
    for (const cell of cells) {
      let at = cell.indexOf(this.#newline);
      for (; at >= 0; at = cell.indexOf(this.#newline, at + 1)) breaks++;
    }
    return breaks;
  }

  /** Cells without a column are a problem, unless they are empty. */
  #fits(cells: string[], columns: string[], line: number): boolean {
    if (cells.length <= columns.length) return true;
    if (cells.slice(columns.length).every((cell) => cell === "")) return true;
    this.#fail(
      "notARow",
      `This row has ${cells.length} cells and the header has ${columns.length}. ` +
        `Cells with ${this.#delimiter} in them stand in quotes.`,
      line,
    );
    return false;
  }

  /** Rows as every other reader gives them, of objects that follow each other. */
  #scan(json: Buffer, length: number, lines: number[]): Row[] {
    const scanner = this.#scanner;
    scanner.setBytes(json, length);
    let position = 0;
    return lines.map((line) => {
      scanner.line = line;
      scanner.lineStart = position;
      const row = scanner.row(position)!;
      position = row.end;
      return row;
    });
  }

  #fail(problem: RowsProblem, message: string, line: number): void {
    this.problem = new RowsError(problem, message, { line, column: 1 });
  }
}

/** Where the last line that is whole ends; -1 if none is. */
function endOfLines(chunk: Uint8Array): number {
  const end = chunk.lastIndexOf(lineFeed) + 1;
  if (end > 0) return end;
  // Behind a "\r" at the very end a "\n" may follow.
  const old = chunk.lastIndexOf(carriageReturn, chunk.length - 2) + 1;
  return old > 0 && old < chunk.length ? old : -1;
}

/** Where the last line ends before which all is UTF-8. */
function endOfUtf8(lines: Buffer): number {
  let good = 0;
  let bad = lines.length;
  // Halving by line ends: between them no character is cut.
  for (;;) {
    const middle = lines.indexOf(lineFeed, good + Math.floor((bad - good) / 2)) + 1;
    const next = middle > 0 && middle < bad ? middle : lines.indexOf(lineFeed, good) + 1;
    if (next === 0 || next >= bad) return good;
    if (isUtf8(lines.subarray(good, next))) good = next;
    else bad = next;
  }
}

/** Names that repeat get a number, as papaparse gives it; columns without a name at the end are none. */
function columnsOf(header: string[]): string[] {
  const names = [...header];
  while (names.at(-1) === "") names.pop();
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name, index) => {
    let unique = name;
    for (let n = 1; seen.has(unique) || (unique !== name && taken.has(unique)); n++) {
      unique = `${name}_${n}`;
    }
    seen.add(unique);
    return `${index === 0 ? "" : ","}${JSON.stringify(unique)}:`;
  });
}

/** What a JSON text cannot hold as it is, apart from line ends; quotes are also what lets a cell hold line breaks. */
// eslint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u0009\u000b\u000c\u000e-\u001f]|\r(?!\n)/;

function toJson(cells: string[], columns: string[], mayEscape: boolean): string {
  const count = Math.min(cells.length, columns.length);
  let json = "{";
  for (let index = 0; index < count; index++) {
    const cell = cells[index]!;
    if (cell === "") json += columns[index]! + "null";
    else json += columns[index]! + (mayEscape ? JSON.stringify(cell) : `"${cell}"`);
  }
  return json + "}";
}
