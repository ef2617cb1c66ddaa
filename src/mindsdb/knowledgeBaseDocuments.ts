// The documents that a knowledge base holds: their ids with numbers of chunks, and their chunks.
import * as l10n from "@vscode/l10n";
import { AppError } from "./errors.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { asText } from "./json.ts";
import { deleteDocuments, formatTable, matchIds } from "./knowledgeBaseContent.ts";
import type { ItemPlace } from "./references.ts";
import { readChunks, type Chunk } from "./searchKnowledgeBase.ts";
import { formatCount } from "./sql/quoteName.ts";
import { runSql } from "./sql/runSql.ts";

export interface DocumentSummary {
  /** As text: servers answer with numbers for documents that were inserted with numbers. */
  id: string;
  chunks: number;
}

/**
 * All documents, in one request: with LIMIT and OFFSET servers return too few rows (seen on 26.1.0 and 25.14.1). An answer
 * for a hundred thousand documents is about 3 MB. Throws AppError.
 */
export async function listDocuments(
  client: Client,
  knowledgeBase: ItemPlace,
  options: CallOptions = {},
): Promise<DocumentSummary[]> {
  const query = `SELECT id, count(*) AS chunks FROM ${formatTable(knowledgeBase)} GROUP BY id`;
  const { rows } = await runSql(client, query, {
    limits: responseLimits.rows,
    ...options,
    cost: "free",
  });
  return rows.map(([id, chunks]) => ({ id: asText(id), chunks: Number(chunks) }));
}

/**
 * The chunks of documents by id, in the order of the text; documents that are gone are left out. At most `limit` chunks
 * are read, of any of the documents. Throws AppError.
 */
export async function readDocuments(
  client: Client,
  knowledgeBase: ItemPlace,
  ids: readonly string[],
  limit: number,
  options: CallOptions = {},
): Promise<Map<string, Chunk[]>> {
  const found = new Map<string, Chunk[]>();
  const read = async (some: readonly (string | number)[]): Promise<void> => {
    for (const chunk of await findChunks(client, knowledgeBase, some, limit, options)) {
      const id = asText(chunk.id);
      const chunks = found.get(id);
      if (chunks) chunks.push(chunk);
      else found.set(id, [chunk]);
    }
  };
  await read(ids);
  // On 25.14.1 documents that were inserted with numbers as ids are found by numbers only.
  await read(ids.filter((id) => !found.has(id)).flatMap((id) => toNumber(id) ?? []));
  for (const chunks of found.values()) chunks.sort(compareChunks);
  return found;
}

/**
 * Deletes one document with all of its chunks. Servers report success also for what they have not deleted, so it is
 * looked for afterwards. Throws AppError.
 */
export async function deleteDocument(
  client: Client,
  knowledgeBase: ItemPlace,
  id: string,
  options: CallOptions = {},
): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await readDocuments(client, knowledgeBase, [id], 1, options)).size > 0;
  await deleteDocuments(client, knowledgeBase, [id], options);
  if (!(await isThere())) return;
  const number = toNumber(id);
  if (number !== undefined) {
    await deleteDocuments(client, knowledgeBase, [number], options);
    if (!(await isThere())) return;
  }
  throw new AppError("refused", l10n.t("The server did not delete the document {0}.", id));
}

async function findChunks(
  client: Client,
  knowledgeBase: ItemPlace,
  ids: readonly (string | number)[],
  limit: number,
  options: CallOptions,
): Promise<Chunk[]> {
  if (ids.length === 0) return [];
  const { condition, params } = matchIds(ids);
  const from = `FROM ${formatTable(knowledgeBase)} WHERE ${condition}`;
  // The columns of metadata differ: on 25.14.1 it is an error to select one that the rows found do not have.
  const query = `SELECT * ${from} LIMIT ${formatCount(limit)}`;
  const result = await runSql(client, query, {
    limits: responseLimits.rows,
    ...options,
    params,
    cost: "free",
  });
  return readChunks(result);
}

/** The number that a server writes as this text; undefined if there is none. */
function toNumber(id: string): number | undefined {
  const number = Number(id);
  return String(number) === id && Number.isFinite(number) ? number : undefined;
}

/** By content column and the place in its text. Servers answer in any order. */
function compareChunks(a: Chunk, b: Chunk): number {
  const [column, other] = [a, b].map(({ internal }) => asText(internal["_content_column"]));
  if (column !== other) return String(column) < String(other) ? -1 : 1;
  return startOf(a) - startOf(b);
}

function startOf({ internal }: Chunk): number {
  const start = Number(internal["_start_char"] ?? NaN);
  return Number.isNaN(start) ? 0 : start;
}
