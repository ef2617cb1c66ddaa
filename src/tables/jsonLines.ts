// JSON Lines as a JSON array: servers read arrays only (26.1.0 and 25.14.1). Streamed; no line is held in memory.

const newline = 0x0a;
export const byteOrderMark = Buffer.from("\ufeff");

/** The bytes of the array. Lines are not parsed: an invalid one makes the server refuse the file. */
export async function* toJsonArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const comma = Buffer.from(",\n");
  let hasItems = false;
  /** Only white space has come since the last line break. */
  let isAtStart = true;
  let isFirst = true;
  yield Buffer.from("[");
  for await (const chunk of chunks) {
    let from = 0;
    if (isFirst && byteOrderMark.every((byte, at) => chunk[at] === byte)) from = 3;
    isFirst = false;
    while (from < chunk.length) {
      const found = chunk.indexOf(newline, from);
      const to = found < 0 ? chunk.length : found;
      const start = isAtStart ? skipSpace(chunk, from, to) : from;
      if (start < to) {
        if (isAtStart && hasItems) yield comma;
        isAtStart = false;
        hasItems = true;
        yield chunk.subarray(start, to);
      }
      if (found >= 0) isAtStart = true;
      from = to + 1;
    }
  }
  yield Buffer.from("]");
}

function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d)) at++;
  return at;
}
