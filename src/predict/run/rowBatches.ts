import { MissingInputsError, type Finding, type RowChecker } from "./rowChecker.ts";
import type { Row } from "../rows/row.ts";

/** Rows that are checked before the first one is sent, and their bytes: they are held in memory. */
const minCheckedRows = 1_000;
const minCheckedBytes = 64 * 1024 * 1024;

/** A batch is not larger, unless one row is: the response repeats the rows and is held in memory as a whole. */
const maxBatchBytes = 4 * 1024 * 1024;

interface CheckOptions {
  checker?: RowChecker | undefined;
  limit?: number | undefined;
  /** Called once, when the first rows have been checked; they are yielded when it resolves. */
  onFirst?: (() => Promise<void>) | undefined;
  /**
   * Called once, when a row after the first ones lacks an input; that row and those after it are yielded when this
   * resolves.
   */
  onMissing?: ((missing: Finding[]) => Promise<void>) | undefined;
}

/**
 * Yields the rows up to the limit, each checked before; the first ones together. Throws what is wrong with the source
 * after the rows before it, and before what `onFirst` says of columns.
 */
export async function* checkedRows(
  source: AsyncIterable<Row[]> | Iterable<Row[]>,
  { checker, limit = Infinity, onFirst, onMissing }: CheckOptions,
): AsyncGenerator<Row[]> {
  let ask = onMissing;
  let first: Row[] | undefined = [];
  let firstBytes = 0;
  let left = limit;
  let failure: { error: unknown } | undefined;
  try {
    for await (const read of source) {
      const rows = read.slice(0, left);
      left -= rows.length;
      const before = checker?.count ?? 0;
      checker?.check(rows);
      if (first) {
        first = first.concat(rows);
        firstBytes += countBytes(rows);
        const isEnough = first.length >= minCheckedRows || firstBytes >= minCheckedBytes;
        if (!isEnough && left > 0) continue;
        const start = first;
        first = undefined;
        await onFirst?.();
        yield start;
      } else {
        const missing = ask ? missingSince(before, checker) : [];
        const complete = Math.min(
          ...missing.map(({ first }) => first.row - 1 - before),
          rows.length,
        );
        if (complete > 0) yield rows.slice(0, complete);
        if (complete < rows.length) {
          await ask?.(missing);
          ask = undefined;
          yield rows.slice(complete);
        }
      }
      if (left === 0) return;
    }
  } catch (error) {
    failure = { error };
  }
  if (first && first.length > 0) {
    try {
      await onFirst?.();
    } catch (error) {
      // A problem of the file itself can be why its rows lack columns, so it is reported first.
      throw failure && error instanceof MissingInputsError ? failure.error : error;
    }
    yield first;
  }
  if (failure) throw failure.error;
}

function countBytes(rows: readonly Row[]): number {
  let bytes = 0;
  for (const { start, end } of rows) bytes += end - start;
  return bytes;
}

/** The columns that all of the first `count` rows have and a later row lacks. */
function missingSince(count: number, checker: RowChecker | undefined): Finding[] {
  const findings = checker?.findings ?? [];
  return findings.filter(({ kind, first }) => kind === "missing" && first.row > count);
}

/** Yields batches of `size` rows; smaller ones if rows are long, and at the end. */
export async function* inBatches(rows: AsyncIterable<Row[]>, size: number): AsyncGenerator<Row[]> {
  let waiting: Row[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for await (const more of rows) {
      waiting = waiting.length === 0 ? more : waiting.concat(more);
      let at = 0;
      for (
        let end = findBatchEnd(waiting, at, size);
        end > 0;
        end = findBatchEnd(waiting, at, size)
      ) {
        yield waiting.slice(at, end);
        at = end;
      }
      waiting = waiting.slice(at);
    }
  } catch (error) {
    // The rows before the problem are sent.
    failure = { error };
  }
  if (waiting.length > 0) yield waiting;
  if (failure) throw failure.error;
}

/** The end of the batch that starts at a row; 0 if it is not full yet. */
function findBatchEnd(rows: readonly Row[], from: number, size: number): number {
  let bytes = 0;
  for (let at = from; at < rows.length; at++) {
    const { start, end } = rows[at]!;
    bytes += end - start;
    if (bytes > maxBatchBytes && at > from) return at;
    if (at + 1 - from === size) return at + 1;
  }
  return 0;
}
