// From the rows that are read to the batches that are sent: checked on the way, counted, and never too large.
import type { Finding, RowChecker } from "./rowChecker.ts";
import type { Row } from "../rows/row.ts";

/** So many rows are checked before the first is sent. */
const checkedFirst = 1_000;

/** A batch is not larger than this, unless one row is: the answer, which repeats the rows, has to be in memory whole. */
const maxBatchBytes = 4 * 1024 * 1024;

interface CheckOptions {
  checker?: RowChecker | undefined;
  limit?: number | undefined;
  /**
   * Called once, when a row behind the first ones lacks an input; that row and those behind it are given when this
   * resolves.
   */
  onMissing?: ((missing: Finding[]) => Promise<void>) | undefined;
}

/**
 * The rows up to the limit, each checked before it is given; the first ones together. What is wrong with the source is
 * thrown after the rows before it.
 */
export async function* checkedRows(
  source: AsyncIterable<Row[]>,
  { checker, limit = Infinity, onMissing }: CheckOptions,
): AsyncGenerator<Row[]> {
  let ask = onMissing;
  let first: Row[] | undefined = [];
  let left = limit;
  let failure: { error: unknown } | undefined;
  try {
    for await (const read of source) {
      const rows = read.slice(0, left);
      left -= rows.length;
      const before = checker?.count ?? 0;
      checker?.check(rows);
      if (first) first = first.concat(rows);
      if (first && first.length < checkedFirst && left > 0) continue;
      const missing = first || !ask ? [] : missingSince(before, checker);
      if (missing.length > 0) {
        const complete = Math.min(...missing.map(({ first }) => first.row)) - 1 - before;
        if (complete > 0) yield rows.slice(0, complete);
        await ask?.(missing);
        ask = undefined;
        yield rows.slice(complete);
      } else {
        yield first ?? rows;
      }
      first = undefined;
      if (left === 0) return;
    }
  } catch (error) {
    failure = { error };
  }
  if (first && first.length > 0) yield first;
  if (failure) throw failure.error;
}

/** The columns that were there in every row up to `count`, and lack in one behind it. */
function missingSince(count: number, checker: RowChecker | undefined): Finding[] {
  const findings = checker?.findings ?? [];
  return findings.filter(({ kind, first }) => kind === "missing" && first.row > count);
}

/** Rows in batches of so many; smaller where they are long, and at the end. */
export async function* inBatches(rows: AsyncIterable<Row[]>, size: number): AsyncGenerator<Row[]> {
  let waiting: Row[] = [];
  let failure: { error: unknown } | undefined;
  try {
    for await (const more of rows) {
      waiting = waiting.length === 0 ? more : waiting.concat(more);
      let at = 0;
      for (let end = batchEnd(waiting, at, size); end > 0; end = batchEnd(waiting, at, size)) {
        yield waiting.slice(at, end);
        at = end;
      }
      waiting = waiting.slice(at);
    }
  } catch (error) {
    // What was read before the problem is sent.
    failure = { error };
  }
  if (waiting.length > 0) yield waiting;
  if (failure) throw failure.error;
}

/** Where the batch ends that starts at a row; 0 if it is not full yet. */
function batchEnd(rows: readonly Row[], from: number, size: number): number {
  let bytes = 0;
  for (let at = from; at < rows.length; at++) {
    const { start, end } = rows[at]!;
    bytes += end - start;
    if (bytes > maxBatchBytes && at > from) return at;
    if (at + 1 - from === size) return at + 1;
  }
  return 0;
}
