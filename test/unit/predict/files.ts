// Files of rows, as tests have them: in pieces, and read to where they end or go wrong.
import { Readable } from "node:stream";
import type { Client } from "../../../src/mindsdb/http/client.ts";
import { predict } from "../../../src/mindsdb/predict.ts";
import { AdaptiveConcurrency } from "../../../src/predict/run/adaptiveConcurrency.ts";
import {
  BatchSender,
  type BatchResponse,
  type Pause,
} from "../../../src/predict/run/batchSender.ts";
import { inBatches } from "../../../src/predict/run/rowBatches.ts";
import { RowTotal } from "../../../src/predict/rows/rowTotal.ts";
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

/** The rows up to the end, or up to the error that ended them, and what was counted. */
export async function readAll(
  chunks: Iterable<Uint8Array>,
  format: RowsFormat,
): Promise<{ rows: Row[]; total: RowTotal; error?: RowsError }> {
  const rows: Row[] = [];
  const total = new RowTotal(1);
  try {
    for await (const some of readRows(chunks, format, total)) rows.push(...some);
  } catch (error) {
    if (!(error instanceof RowsError)) throw error;
    return { rows, total, error };
  }
  return { rows, total };
}

/** The rows in batches of this size. */
export function batchesOf(rows: Row[], size: number): AsyncGenerator<Row[]> {
  return inBatches(Readable.from([rows]), size);
}

/** A sender of one batch after the other to a model, which ends where the user would be asked. */
export function senderTo(
  client: Client,
  onPause: (pause: Pause) => Promise<void> = ({ error }) => Promise.reject(error),
): BatchSender {
  const model = { project: "p", name: "m" };
  return new BatchSender({
    transport: { send: (body, signal) => predict(client, model, body, { signal }) },
    concurrency: new AdaptiveConcurrency(1, { initial: 1 }),
    signal: new AbortController().signal,
    onPause,
  });
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

/** A file without end, and how many pieces of it were read after its start. */
export function endlessFile(
  start: string,
  next: (number: number) => string,
): { chunks: Iterable<Buffer>; sent: () => number } {
  let sent = 0;
  function* chunks(): Generator<Buffer> {
    yield Buffer.from(start);
    for (;;) yield Buffer.from(next(++sent));
  }
  return { chunks: chunks(), sent: () => sent };
}
