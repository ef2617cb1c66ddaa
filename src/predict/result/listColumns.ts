import type { ResultColumn } from "../messages.ts";
import { isNullLiteral, parseNumberLiteral } from "../rows/jsonLiteral.ts";
import { readValueText, type Row } from "../rows/row.ts";
import { ColumnReader, type AnsweredRow } from "./columnReader.ts";

/** Rows of each batch that are examined to distinguish numbers from texts. */
const sampleRows = 200;

/**
 * The columns of a statement's table, whose rows are lists. Plain JSON names them after its rows: until then there are no
 * columns.
 */
export class ListColumns {
  /** Statements predict nothing. */
  readonly targetIsNumber = undefined;
  columns = new ColumnReader({ sources: [] });
  /** By the column's place; undefined while a column has no value. */
  readonly #kinds: (ResultColumn["kind"] | undefined)[] = [];

  /** Gives the columns their names, which may repeat. */
  setNames(names: readonly string[]): void {
    const sources = names.map((name, at) => {
      const kind = this.#kinds[at] ?? "text";
      return { column: { name, part: "input" as const, kind }, from: "list" as const };
    });
    this.columns = new ColumnReader({ sources });
  }

  /** Finds out from more rows which columns hold numbers. */
  add(rows: readonly AnsweredRow[]): void {
    const sample = rows.slice(0, sampleRows).map(({ row }) => row);
    const width = Math.max(0, ...sample.map(({ shape }) => shape.names.length));
    for (let at = 0; at < width; at++) {
      const kind = (this.#kinds[at] ??= findKind(sample, String(at)));
      const source = this.columns.data.sources[at];
      if (kind && source) source.column.kind = kind;
    }
  }
}

function findKind(rows: readonly Row[], name: string): "number" | "text" | undefined {
  const values = rows
    .map((row) => readValueText(row, name))
    .filter((value) => !isNullLiteral(value));
  if (values.length === 0) return undefined;
  // Numbers in quotes are texts.
  const isNumber = (value = "") =>
    !value.startsWith('"') && Number.isFinite(parseNumberLiteral(value));
  return values.every(isNumber) ? "number" : "text";
}
