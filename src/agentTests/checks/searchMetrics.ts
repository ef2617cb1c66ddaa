// How good a search's ranking is: documents found, against the ids of those that should be.

/** Chunks that a search asks for, where a file does not say how many. */
export const defaultLimit = 10;

/** A document that a search of a knowledge base found. */
export interface RankedDocument {
  id: string;
  /** Of its most relevant chunk. */
  relevance?: number;
  /** The text of that chunk. */
  content: string;
}

/** Documents that a search should find, from an assertion's `config`. */
export interface ExpectedDocuments {
  expected: string[];
  /** Of `hitAtK`. */
  k?: number;
}

/** Each document once, by its most relevant chunk, the most relevant first. */
export function rankDocuments(
  chunks: readonly { id: unknown; relevance?: number; content: string }[],
): RankedDocument[] {
  const documents = new Map<string, RankedDocument>();
  for (const chunk of chunks.toSorted((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0))) {
    const id = String(chunk.id);
    if (!documents.has(id)) documents.set(id, { ...chunk, id });
  }
  return [...documents.values()];
}

/** 1 if an expected document is among the first `k`, otherwise 0. */
export function hitAtK(ids: readonly string[], expected: readonly string[], k: number): number {
  const wanted = new Set(expected);
  return ids.slice(0, k).some((id) => wanted.has(id)) ? 1 : 0;
}

/** 1 / the rank of the first expected document; 0 if none was found. Its mean over questions is the MRR. */
export function reciprocalRank(ids: readonly string[], expected: readonly string[]): number {
  const wanted = new Set(expected);
  const place = ids.findIndex((id) => wanted.has(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** The mean reciprocal rank of searches; undefined if there are none. */
export function meanReciprocalRank(
  ranks: readonly (number | undefined)[],
): { mean: number; searches: number } | undefined {
  const known = ranks.filter((rank) => rank !== undefined);
  if (known.length === 0) return undefined;
  return {
    mean: known.reduce((sum, rank) => sum + rank, 0) / known.length,
    searches: known.length,
  };
}
