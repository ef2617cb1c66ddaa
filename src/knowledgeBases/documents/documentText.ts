// Texts of a document: its content, put together from chunks, and its metadata.
import { asText } from "../../mindsdb/json.ts";
import type { Chunk } from "../../mindsdb/searchKnowledgeBase.ts";
import { oneLine } from "../../shared/oneLine.ts";

/** In characters. */
const maxStart = 300;

/**
 * The content of a document. Servers store its chunks without the white space between them and without exact places, so
 * a line break stands between two chunks, and a blank line between two content columns.
 */
export function joinChunks(chunks: readonly Chunk[]): string {
  return chunks
    .map((chunk, at) => {
      const before = chunks[at - 1];
      if (!before) return chunk.content;
      const isSame = columnOf(before) === columnOf(chunk);
      return `${isSame ? "\n" : "\n\n"}${chunk.content}`;
    })
    .join("");
}

/** The start of a document's content, in one line. */
export function formatStart(chunks: readonly Chunk[]): string {
  return oneLine(chunks[0]?.content.slice(0, 2 * maxStart) ?? "", maxStart);
}

/** The metadata of a document; its chunks have the same. */
export function listMetadata(chunks: readonly Chunk[]): [name: string, value: string][] {
  return Object.entries(chunks[0]?.metadata ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, asText(value)]);
}

/** "topic: birds, page: 3", cut off. */
export function formatMetadata(chunks: readonly Chunk[]): string {
  const parts = listMetadata(chunks).map(([name, value]) => `${name}: ${value.slice(0, maxStart)}`);
  return oneLine(parts.join(", "), maxStart);
}

/** The content column that a chunk is of; "" if the server does not say it. */
export function columnOf({ internal }: Chunk): string {
  return asText(internal["_content_column"]);
}
