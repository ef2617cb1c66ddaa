// JSON Lines as a JSON array: servers read arrays only (26.1.0 and 25.14.1). Streamed; no line is held in memory.

const newline = 0x0a;
const carriageReturn = 0x0d;
const separator = Buffer.from(",\n");
export const byteOrderMark = Buffer.from("\ufeff");

/** The bytes of the array. Lines are not parsed: an invalid one makes the server refuse the file. */
export async function* toJsonArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasItems = false;
  /** Only white space has come since the last line break. */
  let isAtStart = true;
  let isFirst = true;
  let hasOldLineEnds = false;
  yield Buffer.from("[");
  for await (const bytes of chunks) {
    let from = 0;
    if (isFirst && byteOrderMark.every((byte, at) => bytes[at] === byte)) from = 3;
    // Old programs end lines with a carriage return alone.
    if (isFirst) hasOldLineEnds = !bytes.includes(newline);
    isFirst = false;
    const chunk = hasOldLineEnds ? withNewlines(bytes) : bytes;
    // One piece, since a piece for each line takes seconds. A separator is no longer than its line with its break.
    const piece = Buffer.alloc(2 * chunk.length + separator.length);
    let length = 0;
    while (from < chunk.length) {
      const found = chunk.indexOf(newline, from);
      const to = found < 0 ? chunk.length : found;
      const start = isAtStart ? skipSpace(chunk, from, to) : from;
      if (start < to) {
        if (isAtStart && hasItems) length += separator.copy(piece, length);
        isAtStart = false;
        hasItems = true;
        piece.set(chunk.subarray(start, to), length);
        length += to - start;
      }
      if (found >= 0) isAtStart = true;
      from = to + 1;
    }
    if (length > 0) yield piece.subarray(0, length);
  }
  yield Buffer.from("]");
}

function withNewlines(bytes: Uint8Array): Uint8Array {
  return bytes.includes(carriageReturn)
    ? bytes.map((byte) => (byte === carriageReturn ? newline : byte))
    : bytes;
}

function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at++;
  return at;
}
