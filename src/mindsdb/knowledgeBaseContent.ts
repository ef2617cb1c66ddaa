// Writes, lists and deletes the documents of a knowledge base.
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import type { JsonObject } from "./json.ts";
import type { ItemPlace } from "./references.ts";
import { quotePath, runSql } from "./sql/runSql.ts";

/**
 * Inserts rows. Servers store all rows of a request or none, answer without counts, leave out rows without content, and
 * carry on if the connection breaks (seen on 26.1.0 and 25.14.1). One request at a time: on 25.14.1 two writers destroy
 * the store. Throws AppError.
 */
export async function insertRows(
  client: Client,
  { project, name }: ItemPlace,
  rows: JsonObject[],
  options: CallOptions = {},
): Promise<void> {
  const path = apiPath`/api/projects/${project}/knowledge_bases/${name}`;
  await client.put(path, { knowledge_base: { rows } }, { ...options, isQuiet: true });
}

/** The ids of all documents, as texts: some servers answer with numbers. Throws AppError. */
export async function listDocumentIds(
  client: Client,
  knowledgeBase: ItemPlace,
  options: CallOptions = {},
): Promise<Set<string>> {
  const query = `SELECT DISTINCT id FROM ${formatTable(knowledgeBase)}`;
  const { rows } = await runSql(client, query, {
    limits: responseLimits.rows,
    ...options,
    cost: "free",
  });
  return new Set(rows.map(([id]) => String(id)));
}

/**
 * Whether the ids were inserted as numbers. On 25.14.1 documents that are then inserted with texts as ids are not found
 * afterwards. Throws AppError.
 */
export async function hasNumericIds(client: Client, knowledgeBase: ItemPlace): Promise<boolean> {
  const { rows } = await runSql(client, `SELECT id FROM ${formatTable(knowledgeBase)} LIMIT 1`, {
    cost: "free",
  });
  return typeof rows[0]?.[0] === "number";
}

/** Deletes documents with all of their chunks; ids that are not there are ignored. Throws AppError. */
export async function deleteDocuments(
  client: Client,
  knowledgeBase: ItemPlace,
  ids: readonly (string | number)[],
  options: CallOptions = {},
): Promise<void> {
  if (ids.length === 0) return;
  const { condition, params } = matchIds(ids);
  const query = `DELETE FROM ${formatTable(knowledgeBase)} WHERE ${condition}`;
  await runSql(client, query, { ...options, params, cost: "free" });
}

/** The condition that a document has one of some ids. On 25.14.1 DELETE takes no list of one id. */
export function matchIds(ids: readonly (string | number)[]): {
  condition: string;
  params: Record<string, string | number>;
} {
  const params = Object.fromEntries(ids.map((id, at) => [`id_${String(at)}`, id]));
  const names = Object.keys(params).map((name) => `:${name}`);
  const condition = names.length === 1 ? `id = ${names.join()}` : `id IN (${names.join(", ")})`;
  return { condition, params };
}

export function formatTable({ project, name }: ItemPlace): string {
  return quotePath([project, name]);
}
