// Reading, changing and testing a server's default models. Seen on 26.1.0 and 25.14.1.
import * as v from "valibot";
import { deleteAgent } from "./agents.ts";
import { decodeOne } from "./decode.ts";
import type { DefaultModelKind, ServerSettings } from "./defaultModels.ts";
import { AppError } from "./errors.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { isObject, tryParseJson, type JsonObject } from "./json.ts";
import { deleteKnowledgeBase } from "./knowledgeBaseChanges.ts";
import { recordOf } from "./recordOf.ts";

const fieldNames = {
  language: "default_llm",
  embedding: "default_embedding_model",
  reranking: "default_reranking_model",
} as const;

const model = v.fallback(recordOf(v.unknown()), {});
const config = v.looseObject({
  default_llm: model,
  default_embedding_model: model,
  default_reranking_model: model,
});

/** The server's default models with their keys, which servers send in clear; they are remembered for redaction. */
export async function getServerSettings(
  client: Client,
  options: CallOptions = {},
): Promise<ServerSettings> {
  const answer = await client.get("/api/config/", options);
  client.secrets.learn(answer);
  const row = decodeOne(config, answer, client.secrets);
  return {
    language: row.default_llm,
    embedding: row.default_embedding_model,
    reranking: row.default_reranking_model,
  };
}

/** Replaces these models, each as a whole: what is left out of one is gone. An empty object is none. Nothing is tried. */
export async function updateServerSettings(
  client: Client,
  models: Partial<ServerSettings>,
  options: CallOptions = {},
): Promise<void> {
  const entries = Object.entries(models) as [DefaultModelKind, JsonObject][];
  const body = Object.fromEntries(entries.map(([kind, fields]) => [fieldNames[kind], fields]));
  await client.put("/api/config/", body, options);
}

/** The models of a knowledge base to be tested: the server's default where one is absent. */
interface SearchModels {
  embedding?: JsonObject | undefined;
  reranking?: JsonObject | false | undefined;
}

/**
 * Has the server call an embedding model, and then a reranking model, by a knowledge base that it cannot create: it calls
 * the models before it looks for the storage, which does not exist. A model without a key gets that of the stored default
 * of the same provider. Throws the AppError of the model that fails.
 */
export async function testSearchModels(
  client: Client,
  project: string,
  { embedding, reranking }: SearchModels,
  options: CallOptions = {},
): Promise<void> {
  const name = createProbeName();
  const fields = {
    name,
    ...(embedding && { embedding_model: embedding }),
    ...(reranking !== undefined && { reranking_model: reranking }),
    storage: { database: name, table: name },
  };
  const path = apiPath`/api/projects/${project}/knowledge_bases`;
  await expectFailure(
    () => client.post(path, { knowledge_base: fields }, { timeoutMs: 0, ...options }),
    (text) => text.includes(`Unable to find database named ${name}`),
    () => deleteKnowledgeBase(client, { project, name }),
  );
}

/**
 * Has the server ask a language model, by an agent that it cannot create: it asks the model before it looks for the tables,
 * which do not exist. Only for servers that test models so: 25.14.1 would create the agent. Throws the model's AppError.
 */
export async function testLanguageModel(
  client: Client,
  project: string,
  language: JsonObject | undefined,
  options: CallOptions = {},
): Promise<void> {
  const name = createProbeName();
  const fields = {
    name,
    ...(language && { model: language }),
    data: { tables: [`${name}.${name}`] },
  };
  const path = apiPath`/api/projects/${project}/agents`;
  await expectFailure(
    () => client.post(path, { agent: fields }, { timeoutMs: 0, cost: "byAction", ...options }),
    (text) => text.includes(`integration with name '${name}'`) || text.includes("No tables found"),
    () => deleteAgent(client, project, name),
  );
}

/** No server has anything of this name. */
function createProbeName(): string {
  return `workbench_test_${crypto.randomUUID().replaceAll("-", "").slice(0, 12)}`;
}

/** Runs a request that is to fail for this reason, and undoes one that did not fail. Throws other failures. */
async function expectFailure(
  request: () => Promise<unknown>,
  isExpected: (text: string) => boolean,
  undo: () => Promise<unknown>,
): Promise<void> {
  try {
    await request();
  } catch (error) {
    if (!(error instanceof AppError) || !isExpected(textOf(error))) throw error;
    return;
  }
  await undo();
}

function textOf({ message, detail = "" }: AppError): string {
  const body = tryParseJson(detail);
  return `${message}\n${isObject(body) ? String(body["detail"]) : detail}`;
}
