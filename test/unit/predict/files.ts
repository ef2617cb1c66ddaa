// Files of rows, as tests have them: in pieces, and read to where they end or go wrong.
import type { BatchResponse } from "../../../src/predict/run/batchSender.ts";
import { readRows, parseRows, type RowsFormat } from "../../../src/predict/rows/readRows.ts";
import { RowsError, type Row } from "../../../src/predict/rows/row.ts";

/** The bytes in pieces of these sizes, the last size again and again; a size of 0 is an empty piece. */
export function cut(bytes: Buffer, sizes: Iterable<number>): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  let size = bytes.length;
  for (const next of sizes) {
    if (start >= bytes.length) return pieces;
    size = next;
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  for (; start < bytes.length; start += Math.max(1, size)) {
    pieces.push(bytes.subarray(start, start + Math.max(1, size)));
  }
  return pieces;
}

/** The rows up to the end, or up to the error that ended them. */
export async function readAll(
  chunks: Iterable<Uint8Array>,
  format: RowsFormat,
): Promise<{ rows: Row[]; error?: RowsError }> {
  const rows: Row[] = [];
  try {
    for await (const some of readRows(chunks, format)) rows.push(...some);
  } catch (error) {
    if (!(error instanceof RowsError)) throw error;
    return { rows, error };
  }
  return { rows };
}

/** An answer as the sender gives it: to these rows these replies, or to one row this reason. */
export function answerOf(rows: string[], outcome: string[] | string): BatchResponse {
  const list = (texts: string[]): Row[] => parseRows(Buffer.from(`[${texts.join(",\n")}]`));
  const head = '{"data":[';
  let position = head.length;
  const starts = rows.map((row) => {
    const start = position;
    position += Buffer.byteLength(row) + 1;
    return start;
  });
  const sent = { rows: list(rows), body: Buffer.from(`${head}${rows.join(",")}]}`), starts };
  return typeof outcome === "string"
    ? { ...sent, refused: outcome }
    : { ...sent, replies: list(outcome) };
}
