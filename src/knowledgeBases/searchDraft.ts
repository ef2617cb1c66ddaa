// Converts the typed search to a search request, and chunks to texts for the page.
import { maxChunks } from "../mindsdb/maxChunks.ts";
import type { Chunk, Filter, Search } from "../mindsdb/searchKnowledgeBase.ts";
import { readFilterValue } from "./parseFilterValue.ts";
import type { FoundChunk, SearchDraft, SearchSwitches } from "./knowledgeBasePage.ts";

const defaultLimit = 10;

/** Longer chunks are cut, in characters. */
const maxContentLength = 20_000;

const defaultAlpha = 0.5;

/** Returns the search for a draft. Invalid numbers count as empty, and switches that are not shown as off. */
export function readSearchDraft(
  { question, limit, relevance, filters, isHybrid, alpha, isReranked = true }: SearchDraft,
  { hasHybrid, hasReranking }: SearchSwitches = { hasHybrid: false, hasReranking: false },
): Search {
  const rows = Math.trunc(Number(limit));
  const least = Number(relevance);
  const isGiven = relevance.trim() !== "" && Number.isFinite(least) && least > 0;
  return {
    question: question.trim() === "" ? "" : question,
    limit: rows > 0 ? Math.min(rows, maxChunks) : defaultLimit,
    relevance: isGiven ? Math.min(least, 1) : undefined,
    ...(hasHybrid && isHybrid === true ? { hybridAlpha: readAlpha(alpha) } : {}),
    ...(hasReranking && !isReranked ? { skipsReranking: true } : {}),
    filters: filters
      .filter(({ column, value }) => column !== "" && value !== "")
      .map(({ column, operator, value, type }): Filter => {
        const isContains = operator === "contains";
        return { column, operator, value: isContains ? value : readFilterValue(value, type) };
      }),
  };
}

function readAlpha(typed = ""): number {
  const alpha = typed.trim() === "" ? defaultAlpha : Number(typed);
  return Number.isFinite(alpha) ? Math.min(Math.max(alpha, 0), 1) : defaultAlpha;
}

/** The minimum relevance and the filters of a search, as they would stand in SQL. */
export function formatConditions(search: Search): string {
  const { question, relevance, filters, hybridAlpha, skipsReranking } = search;
  const isRelevant = relevance !== undefined && question !== "";
  return [
    ...(hybridAlpha !== undefined && question !== ""
      ? [`hybrid_search_alpha = ${String(hybridAlpha)}`]
      : []),
    ...(skipsReranking && question !== "" ? ["reranking = false"] : []),
    ...(isRelevant ? [`relevance ≥ ${String(relevance)}`] : []),
    ...filters.map(({ column, operator, value }) => `${column} ${operator} ${String(value)}`),
  ].join(", ");
}

/** Returns a chunk as texts for the page, cut to `maxContentLength`. */
export function formatChunks(chunk: Chunk): FoundChunk {
  const texts = (values: Record<string, unknown>): [string, string][] =>
    Object.entries(values).map(([name, value]) => [name, cellText(value)]);
  return {
    id: cellText(chunk.id),
    chunkId: chunk.chunkId,
    content: chunk.content.slice(0, maxContentLength),
    length: chunk.content.length > maxContentLength ? chunk.content.length : undefined,
    relevance: chunk.relevance,
    distance: chunk.distance,
    metadata: texts(chunk.metadata),
    internal: texts(chunk.internal),
  };
}

function cellText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
