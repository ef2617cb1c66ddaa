// Handlers that create, fill and delete knowledge bases. Embeddings are computed here, so no model is called.
import { createHash } from "node:crypto";
import type { Call } from "../server/call.ts";
import { isObject, readFields } from "../server/fields.ts";
import type { Fields } from "../server/fields.ts";
import { lookUpKnowledgeBase, lookUpProject } from "../server/lookup.ts";
import { maskKeys } from "../server/maskKeys.ts";
import { formatNames, json, problem } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import { Index } from "./retrieval.ts";
import { readChunks } from "./search.ts";
import type { Document } from "./retrieval.ts";
import { filter } from "../sql/select.ts";
import type { Condition } from "../sql/statements.ts";
import { createId, formatValue, formatTimestamp } from "../server/state.ts";
import type { KnowledgeBase, Project, State } from "../server/state.ts";

/** `POST …/knowledge_bases`. */
export function createKnowledgeBase(call: Call): Reply {
  const given = readFields(call, "knowledge_base");
  const { name } = given;
  if (typeof name !== "string" || name === "") {
    throw problem(400, "Missing parameter", 'Must provide "name" parameter in POST body');
  }
  const project = lookUpProject(call);
  if (project.knowledgeBases.some(({ row }) => row.name === name)) {
    const detail = `Knowledge Base with name ${name} already exists`;
    throw problem(409, "Knowledge Base already exists", detail);
  }
  const all = call.state.projects.flatMap(({ knowledgeBases }) => knowledgeBases);
  if ("storage" in given) checkStorage(call.state, all, given["storage"]);
  const row = createRow(createId(all.map((one) => one.row.id)), project.id, name, {
    embedding_model: call.state.defaultEmbeddingModel,
    ...(maskKeys(given) as Fields),
  });
  project.knowledgeBases.push({ row, index: new Index([]) });
  return json(row, 201);
}

function checkStorage(state: State, all: readonly KnowledgeBase[], storage: unknown): void {
  const { database, table } = isObject(storage) ? storage : {};
  if (typeof database !== "string" || typeof table !== "string") {
    const detail = 'Must provide "database" and "table" field in "storage" param';
    throw problem(400, "Missing parameter", detail);
  }
  const stores = all.map(({ row }) => row.vector_database);
  if ([...stores, ...state.dataSources.map(({ name }) => name)].includes(database)) return;
  const detail = `Unable to find database named ${database}, please make sure ${database} is defined`;
  throw problem(400, "Invalid preprocessing configuration", detail);
}

/** A knowledge base as the API returns it. The server's own store is called like the knowledge base. */
export function createRow(
  id: number,
  projectId: number,
  name: string,
  given: Fields,
): KnowledgeBase["row"] {
  const now = formatTimestamp();
  const own = { database: `store_${name}`, table: name };
  const { database, table } = isObject(given["storage"]) ? given["storage"] : own;
  const store = String(database);
  return {
    id,
    name,
    project_id: projectId,
    vector_database: store,
    vector_database_table: table,
    updated_at: now,
    created_at: now,
    query_id: null,
    embedding_model: given["embedding_model"],
    reranking_model: given["reranking_model"] ?? {},
    metadata_columns: given["metadata_columns"] ?? null,
    content_columns: given["content_columns"] ?? null,
    id_column: given["id_column"] ?? null,
    params: { ...("storage" in given ? {} : { default_vector_storage: store }), version: 2 },
  };
}

/**
 * `PUT …/knowledge_bases/{kb}` with rows or changes. Rows replace documents of the same key. Real servers answer without
 * counts, whatever they left out.
 */
export function updateKnowledgeBase(call: Call): Reply {
  const { project, knowledgeBase } = lookUpKnowledgeBase(call);
  const { row, index } = knowledgeBase;
  const { rows = [], params } = readFields(call, "knowledge_base");
  const changes = isObject(params) ? readChanges(row, params) : {};
  const added = readDocuments(row, rows as Fields[]);
  const replaced = new Set(added.map(({ id }) => id));
  const kept = index.documents.filter(({ id }) => !replaced.has(id));
  replace(project, knowledgeBase, [...kept, ...added], maskKeys(changes) as Fields);
  return json("");
}

/** The changes of an ALTER KNOWLEDGE_BASE. Models are merged into the stored ones of the same provider. */
function readChanges(row: KnowledgeBase["row"], params: Fields): Fields {
  const columns = Object.entries(params).filter(([name]) =>
    /^(content_columns|metadata_columns|id_column)$/.test(name),
  );
  const { embedding_model: embedding, reranking_model: reranking } = params;
  return {
    ...Object.fromEntries(columns),
    embedding_model: mergeModel(row["embedding_model"], embedding),
    reranking_model: reranking === false ? {} : mergeModel(row["reranking_model"], reranking),
  };
}

function mergeModel(stored: unknown, given: unknown): unknown {
  if (!isObject(given)) return stored;
  const isSame =
    isObject(stored) && (given["provider"] ?? stored["provider"]) === stored["provider"];
  return isSame ? { ...stored, ...given } : given;
}

/** `DELETE …/knowledge_bases/{kb}`. */
export function deleteKnowledgeBase(call: Call): Reply {
  const { project, knowledgeBase } = lookUpKnowledgeBase(call);
  project.knowledgeBases.splice(project.knowledgeBases.indexOf(knowledgeBase), 1);
  return { status: 204, type: "application/json", body: "" };
}

/** `DELETE FROM knowledge base WHERE …`: deletes the documents with a chunk that meets the conditions. */
export function deleteDocuments(
  project: Project,
  knowledgeBase: KnowledgeBase,
  conditions: Condition[],
): void {
  const met = new Set(filter(readChunks(knowledgeBase), conditions).rows.map(([id]) => id));
  const kept = knowledgeBase.index.documents.filter(({ id }) => !met.has(id));
  replace(project, knowledgeBase, kept);
}

/** Knowledge bases are replaced and never changed, so that a changed one can be told from the seed's. */
function replace(
  project: Project,
  before: KnowledgeBase,
  documents: Document[],
  changes: Fields = {},
): void {
  const row = { ...before.row, ...changes, updated_at: formatTimestamp() };
  const changed = { row, index: new Index(documents) };
  project.knowledgeBases[project.knowledgeBases.indexOf(before)] = changed;
}

/** Reads rows as real servers do: ids as texts, rows without content and repeated ids left out. */
function readDocuments(row: KnowledgeBase["row"], rows: Fields[]): Document[] {
  const listed = readTexts(row["content_columns"]);
  const contentColumns = listed.length > 0 ? listed : ["content"];
  const present = new Set(rows.flatMap((one) => Object.keys(one)));
  if (rows.length > 0 && !contentColumns.some((column) => present.has(column))) {
    const detail = `Content columns ${formatNames(contentColumns)} not found in dataset: ${formatNames([...present])}`;
    throw problem(400, "Preprocessing Error", `Error during preprocessing: ${detail}`);
  }
  const idColumn = present.has(formatValue(row["id_column"]))
    ? formatValue(row["id_column"])
    : "id";
  const metadataColumns = new Set(readTexts(row["metadata_columns"]));
  const others = new Set([idColumn, ...contentColumns]);
  const documents: Document[] = [];
  const seen = new Set<string>();
  for (const one of rows) {
    const ownId = formatValue(one[idColumn]);
    if (ownId !== "" && seen.has(ownId)) continue;
    seen.add(ownId);
    const metadata = Object.fromEntries(
      Object.entries(one).filter(([name, value]) => {
        if (others.has(name) || value === null) return false;
        return metadataColumns.size === 0 || metadataColumns.has(name);
      }),
    ) as Document["metadata"];
    for (const column of contentColumns) {
      const content = formatValue(one[column]);
      if (content.trim() === "") continue;
      const id = ownId || createHash("md5").update(content).digest("hex").slice(0, 16);
      documents.push({ id, content, metadata });
    }
  }
  return documents;
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(formatValue) : [];
}
