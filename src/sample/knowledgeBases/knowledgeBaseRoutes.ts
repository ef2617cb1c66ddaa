// Handlers that create, fill and delete knowledge bases. Embeddings are computed here, so no model is called.
import { createHash } from "node:crypto";
import type { Call } from "../server/call.ts";
import { lookUpProject } from "../server/lookup.ts";
import { maskKeys } from "../server/maskKeys.ts";
import { crash, formatNames, json, problem } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import { Index } from "./retrieval.ts";
import type { Document } from "./retrieval.ts";
import { filter } from "../sql/select.ts";
import type { Condition } from "../sql/sql.ts";
import { formatValue, formatTimestamp } from "../server/state.ts";
import type { KnowledgeBase, Project, State } from "../server/state.ts";

type Given = Record<string, unknown>;

/** Lower ids are reserved for the seed, including later versions of it, because changes are stored by id. */
const firstUserKnowledgeBaseId = 101;

const providers = "openai azure_openai bedrock gemini google ollama snowflake sample".split(" ");

/** `POST …/knowledge_bases`. Real servers report every invalid value under the same misleading title. */
export function createKnowledgeBase(call: Call): Reply {
  const given = readFields(call, "POST");
  const { name } = given;
  if (typeof name !== "string" || name === "") {
    throw problem(400, "Missing parameter", 'Must provide "name" parameter in POST body');
  }
  const project = lookUpProject(call);
  if (project.knowledgeBases.some(({ row }) => row.name === name)) {
    const detail = `Knowledge Base with name ${name} already exists`;
    throw problem(409, "Knowledge Base already exists", detail);
  }
  const { defaultEmbeddingModel: standard } = call.state;
  const embeddingModel = given["embedding_model"] ?? standard;
  checkEmbeddingModel(embeddingModel);
  checkReranker(given["reranking_model"]);
  const now = formatTimestamp();
  const { database: store, table } = readStorage(call, given["storage"], name);
  const row: KnowledgeBase["row"] = {
    id: nextId(call.state),
    name,
    project_id: project.id,
    vector_database: store,
    vector_database_table: table,
    updated_at: now,
    created_at: now,
    query_id: null,
    embedding_model: maskKeys(embeddingModel),
    reranking_model: maskKeys(given["reranking_model"] ?? {}),
    metadata_columns: given["metadata_columns"] ?? null,
    content_columns: given["content_columns"] ?? null,
    id_column: given["id_column"] ?? null,
    params: { ...("storage" in given ? {} : { default_vector_storage: store }), version: 2 },
  };
  project.knowledgeBases.push({ row, index: new Index([]) });
  return json(row, 201);
}

/**
 * `PUT …/knowledge_bases/{kb}` with rows. They replace documents of the same key. Real servers answer without counts,
 * whatever they left out.
 */
export function insertRows(call: Call, keyOf = ({ id }: Document): string => id): Reply {
  const { project, knowledgeBase } = findKnowledgeBase(call);
  const given = readFields(call, "PUT");
  if ("rows" in given) {
    const added = readDocuments(knowledgeBase, given["rows"]);
    replace(project, knowledgeBase, merge(knowledgeBase.index.documents, added, keyOf));
  }
  if (isObject(given["params"])) {
    change(project, findKnowledgeBase(call).knowledgeBase, given["params"]);
  }
  return json("");
}

/** What ALTER KNOWLEDGE_BASE changes. Models are merged into the stored ones of the same provider. */
function change(project: Project, knowledgeBase: KnowledgeBase, params: Given): void {
  const { row } = knowledgeBase;
  const columns = Object.fromEntries(
    Object.entries(params).filter(([name]) =>
      /^(content_columns|metadata_columns|id_column)$/.test(name),
    ),
  );
  const given = { embedding: params["embedding_model"], reranking: params["reranking_model"] };
  const embedding = mergeModel(row["embedding_model"], given.embedding);
  checkFixed(row["embedding_model"], embedding);
  checkEmbeddingModel(embedding);
  checkReranker(given.reranking);
  const reranking =
    given.reranking === false ? {} : mergeModel(row["reranking_model"], given.reranking);
  const now = {
    ...row,
    ...columns,
    embedding_model: maskKeys(embedding),
    reranking_model: maskKeys(reranking),
    updated_at: formatTimestamp(),
  };
  const { index } = knowledgeBase;
  project.knowledgeBases[project.knowledgeBases.indexOf(knowledgeBase)] = { row: now, index };
}

function mergeModel(stored: unknown, given: unknown): unknown {
  if (!isObject(given)) return stored;
  const isSame =
    isObject(stored) && (given["provider"] ?? stored["provider"]) === stored["provider"];
  return isSame ? { ...stored, ...given } : given;
}

function checkFixed(stored: unknown, model: unknown): void {
  for (const name of ["provider", "model_name"]) {
    if (!isObject(stored) || !isObject(model) || stored[name] === model[name]) continue;
    const detail = `Error during preprocessing and insertion: You can't update '${name}' setting`;
    throw problem(400, "Preprocessing Error", detail);
  }
}

/** The server's own store is called like the knowledge base. */
function readStorage(
  { state }: Call,
  given: unknown,
  name: string,
): { database: string; table: string } {
  if (given === undefined) return { database: `store_${name}`, table: name };
  const { database, table } = isObject(given) ? given : {};
  if (typeof database !== "string" || typeof table !== "string") {
    const detail = 'Must provide "database" and "table" field in "storage" param';
    throw problem(400, "Missing parameter", detail);
  }
  const stores = state.projects.flatMap(({ knowledgeBases }) =>
    knowledgeBases.map(({ row }) => row.vector_database),
  );
  if (stores.includes(database)) return { database, table };
  const detail = `Unable to find database named ${database}, please make sure ${database} is defined`;
  throw problem(400, "Invalid preprocessing configuration", detail);
}

/** `DELETE …/knowledge_bases/{kb}`. */
export function deleteKnowledgeBase(call: Call): Reply {
  const { project, knowledgeBase } = findKnowledgeBase(call);
  project.knowledgeBases.splice(project.knowledgeBases.indexOf(knowledgeBase), 1);
  return { status: 204, type: "application/json", body: "" };
}

/** `DELETE FROM knowledge base WHERE …`: deletes the documents with a chunk that meets the conditions. */
export function deleteDocuments(
  project: Project,
  knowledgeBase: KnowledgeBase,
  conditions: Condition[],
): void {
  const { documents } = knowledgeBase.index;
  const columns = [...new Set(documents.flatMap(({ metadata }) => Object.keys(metadata)))];
  const rows = documents.map(({ id, content, metadata }, at) => [
    at,
    id,
    `${id}:content:1of1:0to${content.length}`,
    ...columns.map((column) => metadata[column] ?? null),
  ]);
  const met = filter({ columns: ["", "id", "chunk_id", ...columns], rows }, conditions);
  const gone = new Set(met.rows.map(([at]) => at));
  replace(
    project,
    knowledgeBase,
    documents.filter((_, at) => !gone.has(at)),
  );
}

/** Knowledge bases are replaced and never changed, so that a changed one can be told from the seed's. */
function replace(project: Project, before: KnowledgeBase, documents: Document[]): void {
  const now = { ...before.row, updated_at: formatTimestamp() };
  project.knowledgeBases[project.knowledgeBases.indexOf(before)] = {
    row: now,
    index: new Index(documents),
  };
}

function findKnowledgeBase(call: Call): { project: Project; knowledgeBase: KnowledgeBase } {
  const project = lookUpProject(call);
  const name = call.params["kb"] ?? "";
  const knowledgeBase = project.knowledgeBases.find(({ row }) => row.name === name);
  if (knowledgeBase) return { project, knowledgeBase };
  const detail = `Knowledge Base with name ${name} does not exist`;
  throw problem(404, "Knowledge Base not found", detail);
}

function readFields(call: Call, method: string): Given {
  const body = call.json();
  if (isObject(body) && isObject(body["knowledge_base"])) return body["knowledge_base"];
  const detail = `Must provide "knowledge_base" parameter in ${method} body`;
  throw problem(400, "Missing parameter", detail);
}

function checkEmbeddingModel(model: unknown): void {
  const title = "Invalid preprocessing configuration";
  if (!isObject(model) || Object.keys(model).length === 0) {
    throw problem(400, title, "No embedding model parameters provided");
  }
  const provider = String(model["provider"]);
  if (!providers.includes(provider)) {
    const known = formatNames(providers);
    throw problem(
      400,
      title,
      `Wrong embedding provider: ${provider}. Available providers: ${known}`,
    );
  }
  checkKey(model, "Problem with embedding model config: ");
}

function checkReranker(model: unknown): void {
  if (isObject(model)) checkKey(model, "Problem with reranker config: Error during reranking: ");
}

/** Real servers call the model; here keys that start with `bad` are rejected. */
function checkKey({ api_key: key }: Given, what: string): void {
  if (typeof key !== "string" || !/^(sk-)?bad\b/.test(key)) return;
  const body = `Error code: 401 - {'error': {'message': 'Incorrect API key provided: ${key}.'}}`;
  throw crash("RuntimeError", what + body);
}

/** Reads rows as real servers do: ids as texts, rows without content and repeated ids left out. */
function readDocuments({ row }: KnowledgeBase, given: unknown): Document[] {
  const title = "Preprocessing Error";
  if (!Array.isArray(given)) {
    throw problem(400, title, "DataFrame constructor not properly called!");
  }
  const rows = given as unknown[];
  if (!rows.every(isObject)) {
    throw problem(400, title, "'int' object has no attribute 'lower'");
  }
  if (rows.length === 0) return [];
  const listed = readTexts(row["content_columns"]);
  const contentColumns = listed.length > 0 ? listed : ["content"];
  const present = new Set(rows.flatMap((one) => Object.keys(one)));
  if (!contentColumns.some((column) => present.has(column))) {
    const detail = `Content columns ${listed.length > 0 ? formatNames(listed) : "None"} not found in dataset: ${formatNames([...present])}`;
    throw problem(400, title, `Error during preprocessing: ${detail}`);
  }
  const idColumn = present.has(formatValue(row["id_column"]))
    ? formatValue(row["id_column"])
    : "id";
  const metadataColumns = readTexts(row["metadata_columns"]);
  const documents: Document[] = [];
  const seen = new Set<string>();
  for (const one of rows) {
    const ownId = formatValue(one[idColumn]);
    if (ownId !== "" && seen.has(ownId)) continue;
    seen.add(ownId);
    const metadata = Object.fromEntries(
      Object.entries(one).filter(([name, value]) => {
        if (name === idColumn || contentColumns.includes(name) || value === null) return false;
        return metadataColumns.length === 0 || metadataColumns.includes(name);
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

/** Adds documents to others and replaces those with the same key. */
function merge(
  before: Document[],
  added: Document[],
  keyOf: (document: Document) => string,
): Document[] {
  const replaced = new Set(added.map(keyOf));
  return [...before.filter((document) => !replaced.has(keyOf(document))), ...added];
}

function nextId(state: State): number {
  const ids = state.projects.flatMap(({ knowledgeBases }) =>
    knowledgeBases.map(({ row }) => row.id + 1),
  );
  return Math.max(firstUserKnowledgeBaseId, ...ids);
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(formatValue) : [];
}

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
