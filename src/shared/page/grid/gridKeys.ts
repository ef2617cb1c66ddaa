export interface GridPosition {
  /** -1 is the header. */
  row: number;
  column: number;
}

/** Returns the position that a key moves to, possibly outside of the grid; undefined for other keys. */
export function positionAfterKey(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { row, column }: GridPosition,
  { rows, columns, page }: { rows: number; columns: number; page: number },
): GridPosition | undefined {
  const isFar = ctrlKey || metaKey;
  switch (key) {
    case "ArrowUp":
      return { row: isFar ? 0 : row - 1, column };
    case "ArrowDown":
      return { row: isFar ? rows - 1 : row + 1, column };
    case "ArrowLeft":
      return { row, column: isFar ? 0 : column - 1 };
    case "ArrowRight":
      return { row, column: isFar ? columns - 1 : column + 1 };
    case "PageUp":
      return { row: row - page, column };
    case "PageDown":
      return { row: row + page, column };
    case "Home":
      return { row: isFar ? 0 : row, column: 0 };
    case "End":
      return { row: isFar ? rows - 1 : row, column: columns - 1 };
    default:
      return undefined;
  }
}
