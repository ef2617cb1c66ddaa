// Recognizes an event stream by its first bytes.

/** Enough characters to recognize the name of the first field. */
const minStart = 6;

/** Maximum leading white space, in bytes. */
const maxSpace = 64 * 1024;

/** A byte order mark, as Latin-1. */
const byteOrderMark = "\u00ef\u00bb\u00bf";

/** True for a line of a server-sent event: a field that the format has, or a comment. */
function beginsLikeEvents(text: string): boolean {
  return /^(?:data|event|id|retry)?:/.test(text);
}

/** Reads the beginning of a body. The returned body is complete again. */
export async function detectEventStream(
  body: AsyncIterable<Uint8Array>,
): Promise<{ hasEvents: boolean; body: AsyncIterable<Uint8Array> }> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  const start: Uint8Array[] = [];
  let text = "";
  for (let size = 0; text.length < minStart && size < maxSpace;) {
    const { done, value } = await chunks.next();
    if (done) break;
    size += value.byteLength;
    start.push(value);
    text += Buffer.from(value).toString("latin1", 0, 64);
    if (text.startsWith(byteOrderMark)) text = text.slice(byteOrderMark.length);
    text = text.trimStart();
  }
  const rest: AsyncIterator<Uint8Array, undefined> = {
    next: () => {
      const value = start.shift();
      return value ? Promise.resolve({ done: false, value }) : chunks.next();
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  };
  return { hasEvents: beginsLikeEvents(text), body: { [Symbol.asyncIterator]: () => rest } };
}
