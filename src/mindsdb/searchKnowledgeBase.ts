// Searches a knowledge base with one SELECT: texts as parameters, names quoted.
import { setImmediate } from "node:timers/promises";
import * as l10n from "@vscode/l10n";
import { responseLimits } from "./http/responseBody.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { readNumber } from "./decode.ts";
import { AppError } from "./errors.ts";
import { asText, isObject } from "./json.ts";
import { maxChunks } from "./maxChunks.ts";
import type { ItemPlace } from "./references.ts";
import { formatCount } from "./sql/quoteName.ts";
import { readInSlices } from "./readInSlices.ts";
import { quoteName, quotePath, runSql, type SqlResult } from "./sql/runSql.ts";

type FilterOperator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "contains";

/**
 * A condition on a metadata column; a number is compared as one. `contains` looks for its value as it is, `%` and `_`
 * included; upper and lower case differ.
 */
export interface Filter {
  column: string;
  operator: FilterOperator;
  value: string | number;
}

export interface Search {
  /** Empty: lists rows without relevance. */
  question: string;
  /** 1 to 100. */
  limit: number;
  /** Minimum relevance, 0 to 1; servers ignore it without a question. */
  relevance?: number;
  filters: Filter[];
  /** Also searches by words: how much the meaning counts, 0 to 1. Only with a question. */
  hybridAlpha?: number | undefined;
  /** Leaves out the reranking model. Only with a question. */
  skipsReranking?: boolean;
}

/** A chunk of a knowledge base's content. */
export interface Chunk {
  id: unknown;
  chunkId: string;
  content: string;
  /** 1 / (1 + distance); unrelated text has about 0.5. */
  relevance?: number;
  distance?: number;
  /** The metadata columns, unchanged. */
  metadata: Record<string, unknown>;
  /** Metadata that the server adds: `_source`, `_chunk_index` and others. */
  internal: Record<string, unknown>;
}

/** The result of a search, the most relevant chunk first. */
interface Found {
  chunks: Chunk[];
  /** True if filters were applied here, to at most 100 chunks from the server. */
  isFilteredHere: boolean;
}

/** A statement and the values of its `:name`s. */
interface Statement {
  query: string;
  params: Record<string, string | number>;
  /** Conditions that the statement omits or weakens; they are applied to its rows. */
  left: Filter[];
  /** Conditions in the statement, which a server may reject. */
  sent: Filter[];
}

/** A knowledge base's columns that are not metadata; the others are. */
export const ownColumns: readonly string[] = [
  "id",
  "chunk_id",
  "chunk_content",
  "relevance",
  "distance",
  "metadata",
];

/**
 * The SELECT for a search. Throws AppError "sql" for a name that SQL cannot say.
 *
 * Params are safe in every condition but one: for a question together with a filter on text, MindsDB 26.1.0 writes a
 * statement of its own for its vector store and does not escape quotes in it (`'; DROP TABLE x; --` is run there). Such
 * filters are left out and applied to the chunks that come, which are then as many as a server gives; so are those that
 * servers read in another way, and with `withFilters: false` all of them. LIKE has no escape in MindsDB's parser: what
 * `contains` a wildcard character is sent as it is, which finds a little too much, and is applied again here.
 */
export function searchStatement(
  project: string,
  knowledgeBase: string,
  { question, limit, relevance, filters, hybridAlpha, skipsReranking = false }: Search,
  { withFilters = true } = {},
): Statement {
  const params: Statement["params"] = {};
  const conditions: string[] = [];
  if (question !== "") {
    conditions.push("content = :question");
    params["question"] = question;
    if (relevance !== undefined) {
      conditions.push("relevance >= :relevance");
      params["relevance"] = relevance;
    }
    if (skipsReranking) conditions.push("reranking = false");
    if (hybridAlpha !== undefined) {
      conditions.push("hybrid_search = true", "hybrid_search_alpha = :alpha");
      params["alpha"] = hybridAlpha;
    }
  }
  const sent = filters.filter(
    (filter) =>
      withFilters && isUnderstood(filter) && (question === "" || isSafeBesideContent(filter)),
  );
  // few: the filters of a search that somebody typed.
  const left = filters.filter((filter) => !sent.includes(filter) || hasWildcard(filter));
  for (const { column, operator, value } of sent) {
    const name = `filter_${String(conditions.length)}`;
    const isContains = operator === "contains";
    conditions.push(`${quoteName(column)} ${isContains ? "LIKE" : operator} :${name}`);
    params[name] = isContains ? `%${String(value)}%` : value;
  }
  const from = quotePath([project, knowledgeBase]);
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  // LIMIT does not accept parameters.
  const most = left.length > 0 ? maxChunks : Math.max(1, Math.min(maxChunks, Math.trunc(limit)));
  return { query: `SELECT * FROM ${from}${where} LIMIT ${formatCount(most)}`, params, left, sent };
}

/**
 * Searches. What the server's vector store cannot do with a filter (LIKE and the order of texts on 25.14.1, numbers of
 * different kinds in one column on 26.1.0) is done here, and noted in `rejected`. Throws AppError.
 */
export async function searchKnowledgeBase(
  client: Client,
  { project, name }: ItemPlace,
  search: Search,
  { rejected, ...options }: CallOptions & { rejected?: RejectedFilters } = {},
): Promise<Found> {
  const statement = searchStatement(project, name, search);
  try {
    return await find(client, statement, search, options);
  } catch (error) {
    if (statement.sent.length === 0 || !(error instanceof AppError && isAboutFilters(error))) {
      throw error;
    }
    const without = searchStatement(project, name, search, { withFilters: false });
    const found = await find(client, without, search, options).catch(() => {
      throw error;
    });
    rejected?.add(statement.sent);
    return found;
  }
}

/** Combinations of filters that a server's vector store has rejected. */
export class RejectedFilters {
  readonly #shapes = new Set<string>();

  add(filters: readonly Filter[]): void {
    this.#shapes.add(filterShape(filters));
  }

  has(filters: readonly Filter[]): boolean {
    return this.#shapes.has(filterShape(filters));
  }
}

/** Operators and types of values, on which it depends whether a vector store accepts filters. */
function filterShape(filters: readonly Filter[]): string {
  return JSON.stringify(filters.map(({ operator, value }) => [operator, typeof value]));
}

/**
 * The statement of a search that the server runs, as far as earlier searches have shown: without filters that it has
 * rejected. `left` are those that it lacks.
 */
export function runnableStatement(
  { project, name }: ItemPlace,
  search: Search,
  rejected: RejectedFilters,
): Pick<Statement, "query" | "params" | "left"> {
  const statement = searchStatement(project, name, search);
  const { query, params, sent } = rejected.has(statement.sent)
    ? searchStatement(project, name, search, { withFilters: false })
    : statement;
  // few: the filters of a search that somebody typed.
  return { query, params, left: search.filters.filter((filter) => !sent.includes(filter)) };
}

/** Whether the vector store rejected a filter; a missing column is a different error. */
function isAboutFilters({ kind, message }: AppError): boolean {
  return kind === "sql" && !message.startsWith("Column is not found");
}

async function find(
  client: Client,
  { query, params, left, sent }: Statement,
  { limit }: Search,
  options: CallOptions,
): Promise<Found> {
  const result = await runSql(client, query, {
    limits: responseLimits.rows,
    ...options,
    params,
    cost: "byAction",
  });
  const chunks = (await readChunks(result))
    .filter(({ metadata }) => left.every((filter) => passes(metadata[filter.column], filter)))
    .sort((a, b) => (b.relevance ?? 0) - (a.relevance ?? 0))
    .slice(0, Math.max(1, limit));
  // Filters that were also sent to the server hide nothing, unless the server had more rows.
  // few: the filters of one search.
  const isSent = left.every((filter) => sent.includes(filter));
  return {
    chunks,
    isFilteredHere: !isSent || (left.length > 0 && result.rows.length >= maxChunks),
  };
}

/**
 * Whether servers read a filter as it is meant: a dot in a column's name parts it, a backtick ends it, and whether `true`
 * is a text or not differs from version to version.
 */
function isUnderstood({ column, value }: Filter): boolean {
  return !/[.`]/.test(column) && value !== "true" && value !== "false";
}

/** Whether a filter may go to the server together with a question; see `searchStatement`. */
function isSafeBesideContent({ column, value }: Filter): boolean {
  return !/['`\\]/.test(`${column}${String(value)}`);
}

/** Whether the value contains wildcards of LIKE. */
function hasWildcard({ operator, value }: Filter): boolean {
  return operator === "contains" && /[%_]/.test(String(value));
}

/** Applies a filter to a cell: numbers by value, texts by code units; null never passes. */
function passes(cell: unknown, { operator, value }: Filter): boolean {
  if (cell === null || cell === undefined) return false;
  if (operator === "contains") return asText(cell).includes(String(value));
  const [a, b] = typeof value === "number" ? [Number(cell), value] : [asText(cell), value];
  switch (operator) {
    case "=":
      return a === b;
    case "!=":
      return a !== b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
  }
}

/**
 * The chunks that a statement about a knowledge base found. Throws AppError "badAnswer" for an answer of something else
 * that has its name, like an agent.
 */
export async function readChunks({ columns, rows }: SqlResult): Promise<Chunk[]> {
  if (rows.length > 0 && !columns.includes("chunk_content")) {
    throw new AppError(
      "badAnswer",
      l10n.t(
        "The server sent something other than chunks. The project may have an agent or a view with the same name.",
      ),
    );
  }
  // Parsing a large answer takes long enough alone.
  await setImmediate();
  // The order of the columns depends on the statement and on the version: read by name.
  return readInSlices(rows, (cells) => toChunk(columns.map((column, at) => [column, cells[at]])));
}

/** A chunk of the cells of a row. */
function toChunk(cells: [column: string, value: unknown][]): Chunk {
  const row = new Map(cells);
  const inside = row.get("metadata");
  const metadata = cells.filter(([column]) => !ownColumns.includes(column));
  const internal: [string, unknown][] = [];
  // One pass: a chunk may have thousands of keys, and lists of entries of them are slow to make.
  const keys = isObject(inside) ? inside : {};
  for (const key of Object.keys(keys)) {
    if (!row.has(key)) (key.startsWith("_") ? internal : metadata).push([key, keys[key]]);
  }
  return {
    id: row.get("id"),
    chunkId: asText(row.get("chunk_id")),
    content: asText(row.get("chunk_content")),
    relevance: readNumber(row.get("relevance")),
    distance: readNumber(row.get("distance")),
    metadata: Object.fromEntries(metadata),
    internal: Object.fromEntries(internal),
  };
}
