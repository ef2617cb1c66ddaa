// Creates, changes and deletes knowledge bases.
import { deleteItem } from "./deleteItem.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import type { KnowledgeBaseFields } from "./knowledgeBaseFields.ts";
import type { ItemPlace } from "./references.ts";

/**
 * Creates a knowledge base. Servers call its models first, and try unreachable ones for 20 s and more, so there is no
 * time limit. After an abort it may still come into being. Throws AppError.
 */
export async function createKnowledgeBase(
  client: Client,
  { project, name }: ItemPlace,
  fields: KnowledgeBaseFields,
  options: CallOptions = {},
): Promise<void> {
  const path = apiPath`/api/projects/${project}/knowledge_bases`;
  await client.post(path, { knowledge_base: { name, ...fields } }, { timeoutMs: 0, ...options });
}

/**
 * Changes what ALTER KNOWLEDGE_BASE can change, without an API key in a statement. Models are called first. Rows that are
 * already in it stay as they are. `hadReranking`: it has a reranking model now. Throws AppError.
 */
export async function updateKnowledgeBase(
  client: Client,
  { project, name }: ItemPlace,
  fields: Omit<KnowledgeBaseFields, "storage">,
  { hadReranking = true, ...options }: CallOptions & { hadReranking?: boolean } = {},
): Promise<void> {
  const path = apiPath`/api/projects/${project}/knowledge_bases/${name}`;
  const put = (params: typeof fields) =>
    client.put(path, { knowledge_base: { params } }, { timeoutMs: 0, ...options });
  // 26.1.0 stores a false of the creation, to which it can add no model; one of a change it stores as an empty object.
  if (!hadReranking && fields.reranking_model) await put({ reranking_model: false });
  await put(fields);
}

/** Deletes a knowledge base, and its content if the server had chosen the storage. Throws AppError. */
export async function deleteKnowledgeBase(
  client: Client,
  { project, name }: ItemPlace,
): Promise<void> {
  const path = apiPath`/api/projects/${project}/knowledge_bases/${name}`;
  await deleteItem(client, path, "KNOWLEDGE_BASE", project, name);
}
