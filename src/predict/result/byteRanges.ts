import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";

interface ByteRange {
  start: number;
  length: number;
}

/** Byte ranges with smaller gaps are read together. */
const gapBytes = 16 * 1024;

/** Reads byte ranges of a file, in the given order. Ranges that are read together share a buffer. */
export async function readRanges(
  file: FileHandle,
  ranges: readonly ByteRange[],
): Promise<Buffer[]> {
  const order = ranges.map((_, index) => index).sort((a, b) => ranges[a]!.start - ranges[b]!.start);
  const groups: { start: number; end: number; members: number[] }[] = [];
  for (const index of order) {
    const { start, length } = ranges[index]!;
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
        const range = ranges[index]!;
        found[index] = bytes.subarray(range.start - start, range.start - start + range.length);
      }
    }),
  );
  return found;
}

// With callbacks: hundreds of promises of fs.promises take longer than the reads.
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
