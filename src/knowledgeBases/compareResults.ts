// Compares what two searches found, chunk by chunk.
import type { FoundChunk } from "./knowledgeBasePage.ts";

/** Where a chunk of one result is in the other one; ranks are counted from 1. */
type ChunkDifference = { kind: "onlyHere" } | { kind: "same" | "moved"; rank: number };

/** The difference of each chunk of `result` to `other`, in the order of `result`. */
export function compareResults(
  result: readonly FoundChunk[],
  other: readonly FoundChunk[],
): ChunkDifference[] {
  const ranks = new Map(other.map((chunk, at) => [keyOf(chunk), at + 1]));
  return result.map((chunk, at) => {
    const rank = ranks.get(keyOf(chunk));
    if (rank === undefined) return { kind: "onlyHere" };
    return { kind: rank === at + 1 ? "same" : "moved", rank };
  });
}

/** Servers without chunk ids are asked by the content. */
function keyOf({ id, chunkId, content }: FoundChunk): string {
  return JSON.stringify([id, chunkId, chunkId === "" ? content : ""]);
}
