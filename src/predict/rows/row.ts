// A row as it lies in its file: the bytes it was read from, the place it has there, and where its values are.
import * as l10n from "@vscode/l10n";
import { isAscii } from "node:buffer";

/** The names of a row's values, in the row's order. Rows with the same names share one shape. */
export interface Shape {
  /** Decoded; a name that the row repeats is here twice. */
  readonly names: readonly string[];
  /** Which value a name stands for: the last one, as JSON has it. */
  readonly indexOf: ReadonlyMap<string, number>;
  /** The names as they are written, each with its closing quote. */
  readonly written: readonly Uint8Array[];
}

/** One row. Nothing of it is copied: it is a stretch of a buffer that its neighbours lie in too. */
export interface Row {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
  /** Where its line starts in `bytes`; below 0 if that is so many characters before them. */
  readonly lineStart: number;
  readonly shape: Shape;
  /** The rows of a block share this: value `i` lies from `values[at + 2 * i]` to `values[at + 2 * i + 1]`. */
  readonly values: Int32Array;
  readonly at: number;
}

/** A place in a file as editors count it: from 1, columns in UTF-16 units. */
export interface RowPlace {
  line: number;
  column: number;
}

/** The row's own bytes. */
export function rowBytes({ bytes, start, end }: Row): Buffer {
  return bytes.subarray(start, end);
}

/** Where a row starts. */
export function rowPlace({ bytes, start, line, lineStart }: Row): RowPlace {
  return { line, column: 1 + charactersFrom(bytes, lineStart, start) };
}

/** A value as it is written, or undefined if the row has none of that name. */
export function readValueText(row: Row, name: string): string | undefined {
  const index = row.shape.indexOf.get(name);
  return index === undefined ? undefined : readTextAt(row, index);
}

/** Where a value is written in the row's bytes, if it has one of that name. */
export function findValueSpan(row: Row, name: string): { start: number; end: number } | undefined {
  const index = row.shape.indexOf.get(name);
  if (index === undefined) return undefined;
  const [start = 0, end = 0] = row.values.subarray(row.at + 2 * index);
  return { start, end };
}

/** The value at an index of the row's shape, as it is written. */
export function readTextAt({ bytes, values, at }: Row, index: number): string {
  return bytes.toString("utf8", values[at + 2 * index], values[at + 2 * index + 1]);
}

/** How many UTF-16 units lie between a line's start (see `Row.lineStart`) and a position. */
export function charactersFrom(bytes: Buffer, lineStart: number, position: number): number {
  const before = Math.max(0, -lineStart);
  const here = bytes.subarray(Math.max(0, lineStart), position);
  return before + (isAscii(here) ? here.length : here.toString("utf8").length);
}

/** What is wrong with a file of rows. */
export type RowsProblem =
  | "empty" // no rows in it
  | "notText" // binary, or an encoding other than UTF-8
  | "notRows" // JSON, but no list of rows; a name that says no known kind
  | "notARow" // a row that is no object, or has more cells than its table has columns
  | "syntax" // not JSON, or quotes that do not match
  | "cutOff" // the file ends before its rows do
  | "tooLong"; // one row over the limit

/** The first thing wrong with a file of rows: one sentence that says what it is and what to do. */
export class RowsError extends Error {
  readonly problem: RowsProblem;
  /** Where in the file; absent where it concerns the file as a whole. */
  readonly place: RowPlace | undefined;

  constructor(problem: RowsProblem, message: string, place?: RowPlace) {
    super(message);
    this.name = "RowsError";
    this.problem = problem;
    this.place = place;
  }
}

/** "rows.json, line 3, column 14: …", as it is shown to people. */
export function describeRowsError({ message, place }: RowsError, file: string): string {
  if (!place) return `${file}: ${message}`;
  return l10n.t("{0}, line {1}, column {2}: {3}", file, place.line, place.column, message);
}
