// Checks the models and the storage of knowledge bases as real servers do, which report every invalid value under the same
// misleading title.
import {
  createKnowledgeBase,
  updateKnowledgeBase,
} from "../../src/sample/knowledgeBases/knowledgeBaseRoutes.ts";
import { Index } from "../../src/sample/knowledgeBases/retrieval.ts";
import type { Call } from "../../src/sample/server/call.ts";
import { isObject, readFields } from "../../src/sample/server/fields.ts";
import type { Fields } from "../../src/sample/server/fields.ts";
import { lookUpKnowledgeBase, lookUpProject } from "../../src/sample/server/lookup.ts";
import { crash, formatNames, problem } from "../../src/sample/server/replies.ts";
import type { Reply } from "../../src/sample/server/replies.ts";
import type { Dialect } from "./routes.ts";

const providers = "openai azure_openai bedrock gemini google ollama snowflake sample".split(" ");
const title = "Invalid preprocessing configuration";

/** `POST …/knowledge_bases`. What does not pass the checks is not created. */
export function createKnowledgeBaseExactly(call: Call): Reply {
  const given = readFields(call, "knowledge_base");
  const isNew = lookUpProject(call).knowledgeBases.every(({ row }) => row.name !== given["name"]);
  if (isNew) {
    checkEmbeddingModel(given["embedding_model"] ?? call.state.defaultEmbeddingModel);
    checkReranker(given["reranking_model"]);
  }
  return createKnowledgeBase(call);
}

/** `PUT …/knowledge_bases/{kb}`. 25.x keeps the old chunks of a document unless the new ones are as long. */
export function updateKnowledgeBaseExactly(dialect: Dialect, call: Call): Reply {
  const { project, knowledgeBase: before } = lookUpKnowledgeBase(call);
  const { rows = [], params } = readFields(call, "knowledge_base");
  if (!Array.isArray(rows) || !rows.every(isObject)) {
    throw problem(400, "Preprocessing Error", "The rows must be a list of objects.");
  }
  const at = project.knowledgeBases.indexOf(before);
  const reply = updateKnowledgeBase(call);
  const changed = project.knowledgeBases[at] ?? before;
  try {
    if (isObject(params)) checkChanges(before.row["embedding_model"], params);
  } catch (error) {
    project.knowledgeBases[at] = before;
    throw error;
  }
  if (dialect === "25") {
    const { documents } = changed.index;
    const kept = before.index.documents.filter(({ id, content }) =>
      documents.some((one) => one.id === id && one.content.length !== content.length),
    );
    const index = new Index([...kept, ...documents]);
    project.knowledgeBases[at] = { ...changed, index };
  }
  return reply;
}

function checkChanges(stored: unknown, { embedding_model: model, reranking_model }: Fields): void {
  if (isObject(model)) {
    const merged = { ...(isObject(stored) ? stored : {}), ...model };
    checkFixed(stored, merged);
    checkEmbeddingModel(merged);
  }
  checkReranker(reranking_model);
}

function checkFixed(stored: unknown, model: unknown): void {
  for (const name of ["provider", "model_name"]) {
    if (!isObject(stored) || !isObject(model) || stored[name] === model[name]) continue;
    const detail = `Error during preprocessing and insertion: You can't update '${name}' setting`;
    throw problem(400, "Preprocessing Error", detail);
  }
}

function checkEmbeddingModel(model: unknown): void {
  if (!isObject(model) || Object.keys(model).length === 0) {
    throw problem(400, title, "No embedding model parameters provided");
  }
  const provider = String(model["provider"]);
  if (!providers.includes(provider)) {
    const known = formatNames(providers);
    const detail = `Wrong embedding provider: ${provider}. Available providers: ${known}`;
    throw problem(400, title, detail);
  }
  checkKey(model, "Problem with embedding model config: ");
}

function checkReranker(model: unknown): void {
  if (isObject(model)) checkKey(model, "Problem with reranker config: Error during reranking: ");
}

/** Real servers call the model; here keys that start with `bad` are rejected. */
function checkKey({ api_key: key }: Fields, what: string): void {
  if (typeof key !== "string" || !/^(sk-)?bad\b/.test(key)) return;
  const body = `Error code: 401 - {'error': {'message': 'Incorrect API key provided: ${key}.'}}`;
  throw crash("RuntimeError", what + body);
}
