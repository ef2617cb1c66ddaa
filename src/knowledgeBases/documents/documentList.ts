// The documents of a knowledge base as a list: filtered by id, sorted, and read a part at a time.
import { compareNames } from "../../mindsdb/nameOrder.ts";
import type { DocumentSummary } from "../../mindsdb/knowledgeBaseDocuments.ts";
import type { DocumentSort } from "../documentsPage.ts";

/** Comparing names as people do takes seconds for a million of them; more than this are compared by code units. */
const maxNaturalOrder = 20_000;

/** Of a document with more chunks only as many are read to show its start. */
export const maxStartChunks = 50;
/** A request for the starts of documents reads at most so many chunks: a chunk has about 1 kB. */
const maxBatchChunks = 1_000;

/** The documents whose id contains `filter`, in any case, in the order of `sort`. */
export function arrangeDocuments(
  documents: readonly DocumentSummary[],
  filter: string,
  { column, descending }: DocumentSort,
): DocumentSummary[] {
  const wanted = filter.toLowerCase();
  const shown = documents.filter(({ id }) => id.toLowerCase().includes(wanted));
  const compareIds =
    shown.length <= maxNaturalOrder ? compareNames : (a: string, b: string) => (a < b ? -1 : 1);
  const direction = descending ? -1 : 1;
  return shown.sort((a, b) => {
    const byChunks = column === "chunks" ? direction * (a.chunks - b.chunks) : 0;
    return byChunks || (column === "id" ? direction : 1) * compareIds(a.id, b.id);
  });
}

/** Documents to read together, and the chunks that are enough to show their starts. */
interface DocumentBatch {
  ids: string[];
  limit: number;
}

/** Splits documents into batches of few chunks; a document of many chunks is a batch of its own. */
export function splitIntoBatches(documents: readonly DocumentSummary[]): DocumentBatch[] {
  const long = documents.filter(({ chunks }) => chunks > maxStartChunks);
  const batches: DocumentBatch[] = [];
  let current: DocumentBatch | undefined;
  for (const { id, chunks } of documents) {
    if (chunks > maxStartChunks) continue;
    if (!current || current.limit + chunks > maxBatchChunks) {
      current = { ids: [], limit: 0 };
      batches.push(current);
    }
    current.ids.push(id);
    current.limit += chunks;
  }
  return [...batches, ...long.map(({ id }) => ({ ids: [id], limit: maxStartChunks }))];
}
