// Tells an event stream from any other body by how it begins.

/** Enough to know the first field's name. */
const minStart = 6;

/** Bytes of white space in front that are looked past. */
const maxSpace = 64 * 1024;

/** True for a line of a server-sent event: a field that the format has, or a comment. */
function beginsLikeEvents(text: string): boolean {
  return /^(?:data|event|id|retry)?:/.test(text);
}

/** Reads as much of a body as it takes to know; the body that is given back begins at its beginning. */
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
    text = (text + Buffer.from(value).toString("latin1", 0, 64)).trimStart();
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
