// Makes rows of an SQL answer whose cells are unparsed: each row becomes an object, with the cells' own bytes.
import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import type { SqlResultText } from "../../mindsdb/sql/runSql.ts";
import { incomplete, JsonProblem, JsonScanner } from "./jsonScanner.ts";
import type { Row, Shape } from "./row.ts";

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Bytes of the columns' names, which each row repeats. */
const maxNameBytes = 256 * 1024 ** 2;
const nullCell = Buffer.from("null");
/** Below this length, in bytes, a loop is faster than Buffer.copy. */
const shortCell = 32;

/**
 * Rows of the wanted columns, with null where a row is too short. Of columns with the same name the last one counts.
 * Throws AppError "badAnswer" if the cells are not JSON, and "tooLarge" if the names fill the memory.
 */
export function readSqlRows(
  { columns, rows }: SqlResultText,
  isWanted: (column: string) => boolean = () => true,
): Row[] {
  if (columns.length === 0) return [];
  try {
    return new RowWriter(columns, isWanted, rows.json, rows.length).write();
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new AppError("badAnswer", l10n.t("The rows from the server are not JSON."), {
      detail: error.message,
    });
  }
}

class RowWriter {
  readonly #scanner = new JsonScanner();
  /** The cells, followed by the 0 that the scanner needs. */
  readonly #cells: Buffer;
  readonly #shape: Shape;
  /** Bytes written before each column's cell; undefined for omitted columns. */
  readonly #prefixes: (Buffer | undefined)[];
  readonly #bytes: Buffer;
  #written = 0;
  readonly #values: Int32Array;
  #valuesEnd = 0;

  constructor(
    columns: readonly string[],
    isWanted: (column: string) => boolean,
    json: Buffer,
    count: number,
  ) {
    this.#cells = Buffer.concat([json, Buffer.alloc(1)]);
    this.#scanner.setBytes(this.#cells, json.length);
    const last = new Map(columns.map((name, at) => [name, at]));
    const isUsed = (name: string, at: number): boolean => last.get(name) === at && isWanted(name);
    const names = columns.filter(isUsed);
    const encoded = names.map((name) => Buffer.from(JSON.stringify(name)));
    this.#shape = {
      names,
      indexOf: new Map(names.map((name, index) => [name, index])),
      encoded: encoded.map((name) => name.subarray(1)),
    };
    let used = 0;
    this.#prefixes = columns.map((name, at) => {
      if (!isUsed(name, at)) return undefined;
      return Buffer.concat([Buffer.from(used > 0 ? "," : ""), encoded[used++]!, Buffer.from(":")]);
    });
    const prefixBytes = this.#prefixes.reduce((sum, prefix) => sum + (prefix?.length ?? 0), 0);
    const rowBytes = prefixBytes + names.length * nullCell.length + 2;
    if (count * rowBytes > maxNameBytes) {
      throw new AppError("tooLarge", l10n.t("The response is larger than {0}.", "256 MB"));
    }
    this.#bytes = Buffer.allocUnsafe(json.length + count * rowBytes);
    this.#values = new Int32Array(2 * names.length * count);
  }

  write(): Row[] {
    const scanner = this.#scanner;
    const rows: Row[] = [];
    let position = scanner.space(this.#skip(scanner.space(0), openBracket));
    while (this.#cells[position] === openBracket) {
      const start = this.#written;
      const at = this.#valuesEnd;
      position = this.#writeRow(position);
      rows.push({
        bytes: this.#bytes,
        start,
        end: this.#written,
        line: 1,
        lineStart: 0,
        shape: this.#shape,
        values: this.#values,
        at,
      });
      position = scanner.space(position);
      if (this.#cells[position] === closeBracket) break;
      position = scanner.space(this.#skip(position, comma));
    }
    this.#skip(position, closeBracket);
    return rows;
  }

  /** Writes the row whose cells start at a position, and returns the position after them. */
  #writeRow(start: number): number {
    const cells = this.#cells;
    const scanner = this.#scanner;
    this.#bytes[this.#written++] = openBrace;
    let position = scanner.space(start + 1);
    let column = 0;
    let isOpen = cells[position] !== closeBracket;
    while (isOpen) {
      const end = scanner.value(position);
      if (end === incomplete) throw new JsonProblem("", position);
      this.#writeCell(column++, cells, position, end);
      position = scanner.space(end);
      isOpen = cells[position] !== closeBracket;
      if (isOpen) position = scanner.space(this.#skip(position, comma));
    }
    while (column < this.#prefixes.length) {
      this.#writeCell(column++, nullCell, 0, nullCell.length);
    }
    this.#bytes[this.#written++] = closeBrace;
    return position + 1;
  }

  #writeCell(column: number, from: Buffer, start: number, end: number): void {
    const prefix = this.#prefixes[column];
    if (!prefix) return;
    this.#copy(prefix, 0, prefix.length);
    this.#values[this.#valuesEnd++] = this.#written;
    this.#copy(from, start, end);
    this.#values[this.#valuesEnd++] = this.#written;
  }

  #copy(from: Buffer, start: number, end: number): void {
    const bytes = this.#bytes;
    if (end - start < shortCell) {
      for (let at = start; at < end; at++) bytes[this.#written++] = from[at]!;
    } else {
      this.#written += from.copy(bytes, this.#written, start, end);
    }
  }

  #skip(position: number, byte: number): number {
    if (this.#cells[position] === byte) return position + 1;
    throw new JsonProblem("", position);
  }
}
