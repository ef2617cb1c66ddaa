import * as l10n from "@vscode/l10n";
import { isAscii } from "node:buffer";

/** The names of a row's values, in order. Rows with the same names share one shape. */
export interface Shape {
  /** Decoded. Holds a name twice if the row repeats it. */
  readonly names: readonly string[];
  /** The index of the value with a name; of the last one if the row repeats it, as in JSON. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** The bytes of each name as JSON, with the closing quote. */
  readonly encoded: readonly Uint8Array[];
}

/** Each row takes memory and time for each column of the table. */
export const maxColumns = 10_000;

export function describeTooManyColumns(): string {
  return l10n.t("The table has too many columns: at most {0} are read.", maxColumns);
}

/** A row as a byte range of the chunk it was read from. Rows share the buffer; nothing is copied. */
export interface Row {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
  /** Where its line starts in `bytes`; negative if it starts that many characters before them. */
  readonly lineStart: number;
  readonly shape: Shape;
  /** Shared by the rows of a block: value `i` is from `values[at + 2 * i]` to `values[at + 2 * i + 1]`. */
  readonly values: Int32Array;
  readonly at: number;
}

/** A place in a file, counted from 1 as in editors; columns in UTF-16 units. */
export interface RowPlace {
  line: number;
  column: number;
}

/** The row's own bytes. */
export function rowBytes({ bytes, start, end }: Row): Buffer {
  return bytes.subarray(start, end);
}

export function rowPlace({ bytes, start, line, lineStart }: Row): RowPlace {
  return { line, column: 1 + countCharacters(bytes, lineStart, start) };
}

/** A value as JSON; undefined if the row has none with that name. */
export function readValueText(row: Row, name: string): string | undefined {
  const index = row.shape.indexOf.get(name);
  return index === undefined ? undefined : readTextAt(row, index);
}

/** The value at an index of the row's shape, as JSON. */
export function readTextAt({ bytes, values, at }: Row, index: number): string {
  return bytes.toString("utf8", values[at + 2 * index], values[at + 2 * index + 1]);
}

/** The number of UTF-16 units between a line's start (see `Row.lineStart`) and a position. */
export function countCharacters(bytes: Buffer, lineStart: number, position: number): number {
  const before = Math.max(0, -lineStart);
  const here = bytes.subarray(Math.max(0, lineStart), position);
  return before + (isAscii(here) ? here.length : here.toString("utf8").length);
}

/** Problems of a rows file. */
export type RowsProblem =
  | "empty" // without rows
  | "notText" // binary, or an encoding other than UTF-8
  | "notRows" // JSON, but not a list of rows
  | "notARow" // a row that is not an object, or has more cells than there are columns
  | "syntax" // not JSON, or quotes that do not match
  | "cutOff" // the file ends before its rows do
  | "tooLong"; // one row over the limit, or a header with too many columns

/** The first problem of a rows file, with a sentence that says what to do. */
export class RowsError extends Error {
  readonly problem: RowsProblem;
  /** Undefined if the problem concerns the whole file. */
  readonly place: RowPlace | undefined;

  constructor(problem: RowsProblem, message: string, place?: RowPlace) {
    super(message);
    this.name = "RowsError";
    this.problem = problem;
    this.place = place;
  }
}

/** "rows.json, line 3, column 14: …" */
export function describeRowsError({ message, place }: RowsError, file: string): string {
  if (!place) return `${file}: ${message}`;
  return l10n.t("{0}, line {1}, column {2}: {3}", file, place.line, place.column, message);
}
