// Reads many stretches of a file at once, those that lie close together in one go.
import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";

export interface Span {
  start: number;
  length: number;
}

/** Stretches this close together are read together. */
const gapBytes = 16 * 1024;

/** The bytes of each span, in the order asked for. Spans that were read together share a buffer. */
export async function readSpans(file: FileHandle, spans: readonly Span[]): Promise<Buffer[]> {
  const order = spans.map((_, index) => index).sort((a, b) => spans[a]!.start - spans[b]!.start);
  const groups: { start: number; end: number; members: number[] }[] = [];
  for (const index of order) {
    const { start, length } = spans[index]!;
    const group = groups.at(-1);
    if (group && start <= group.end + gapBytes) {
      group.end = Math.max(group.end, start + length);
      group.members.push(index);
    } else {
      groups.push({ start, end: start + length, members: [index] });
    }
  }
  const found: Buffer[] = [];
  await Promise.all(
    groups.map(async ({ start, end, members }) => {
      const bytes = Buffer.allocUnsafe(end - start);
      await readFully(file, bytes, start);
      for (const index of members) {
        const span = spans[index]!;
        found[index] = bytes.subarray(span.start - start, span.start - start + span.length);
      }
    }),
  );
  return found;
}

/** With a callback: a promise of Node's own for each of hundreds of reads takes longer than the reads. */
function readFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const readRest = (done: number): void => {
      const left = bytes.length - done;
      if (left === 0) {
        resolve();
        return;
      }
      fs.read(file.fd, bytes, done, left, position + done, (error, count) => {
        if (error) reject(error);
        else if (count === 0) reject(new Error("A run's file is shorter than its index says."));
        else readRest(done + count);
      });
    };
    readRest(0);
  });
}
