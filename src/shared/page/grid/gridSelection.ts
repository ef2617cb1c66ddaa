import type { GridPosition } from "./gridKeys.ts";

export interface GridSelection {
  /** Both from 0, the end not included. */
  rows: { from: number; to: number };
  columns: { from: number; to: number };
}

interface GridSize {
  rows: number;
  columns: number;
}

/** The active cell, and the rectangle from the anchor to it. */
export class SelectionModel {
  #active: GridPosition = { row: 0, column: 0 };
  #anchor: GridPosition = { row: 0, column: 0 };
  /** False until the user selects a cell; before that the first cell is active. */
  #isMade = false;

  get active(): GridPosition {
    return this.#active;
  }

  get range(): GridSelection {
    const span = (a: number, b: number) => ({
      from: Math.max(0, Math.min(a, b)),
      to: Math.max(a, b) + 1,
    });
    return {
      rows: span(this.#anchor.row, this.#active.row),
      columns: span(this.#anchor.column, this.#active.column),
    };
  }

  /** The range for Copy: the selection, or everything before the user selects a cell. */
  copied({ rows, columns }: GridSize): GridSelection {
    if (this.#isMade) return this.range;
    return { rows: { from: 0, to: rows }, columns: { from: 0, to: columns } };
  }

  /** Makes a cell the active one, or the nearest where there is none; `extend` keeps the anchor. */
  moveTo({ row, column }: GridPosition, extend: boolean, { rows, columns }: GridSize): void {
    this.#isMade = true;
    this.#active = {
      row: Math.min(Math.max(row, extend ? 0 : -1), rows - 1),
      column: Math.min(Math.max(column, 0), columns - 1),
    };
    if (!extend) this.#anchor = this.#active;
  }

  selectRow(row: number, extend: boolean, { columns }: GridSize): void {
    this.#isMade = true;
    if (!extend) this.#anchor = { row, column: 0 };
    this.#active = { row, column: columns - 1 };
  }

  selectAll({ rows, columns }: GridSize): void {
    this.#isMade = true;
    this.#anchor = { row: 0, column: 0 };
    this.#active = { row: rows - 1, column: columns - 1 };
  }
}
