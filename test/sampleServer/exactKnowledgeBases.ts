// Checks the models and the storage of knowledge bases as real servers do, which report every invalid value under the same
// misleading title.
import type { KnowledgeBaseCheck } from "../../src/sample/knowledgeBases/knowledgeBaseRoutes.ts";
import { isObject } from "../../src/sample/server/fields.ts";
import type { Fields } from "../../src/sample/server/fields.ts";
import { crash, formatNames, problem } from "../../src/sample/server/replies.ts";
import type { State } from "../../src/sample/server/state.ts";

const providers = "openai azure_openai bedrock gemini google ollama snowflake sample".split(" ");
const title = "Invalid preprocessing configuration";

/** Creates the check of the knowledge bases of a server. */
export function createKnowledgeBaseCheck(state: State): KnowledgeBaseCheck {
  return (given, stored) => {
    if (stored) checkFixed(stored["embedding_model"], given["embedding_model"]);
    checkEmbeddingModel(given["embedding_model"]);
    checkReranker(given["reranking_model"]);
    if ("storage" in given) checkStorage(state, given["storage"]);
  };
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

function checkStorage(state: State, given: unknown): void {
  const { database, table } = isObject(given) ? given : {};
  if (typeof database !== "string" || typeof table !== "string") {
    const detail = 'Must provide "database" and "table" field in "storage" param';
    throw problem(400, "Missing parameter", detail);
  }
  const stores = state.projects.flatMap(({ knowledgeBases }) =>
    knowledgeBases.map(({ row }) => row.vector_database),
  );
  if (stores.includes(database)) return;
  const detail = `Unable to find database named ${database}, please make sure ${database} is defined`;
  throw problem(400, title, detail);
}
