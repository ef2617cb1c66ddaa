// Knowledge bases.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import {
  badAnswer,
  decodeList,
  decodeOne,
  itemName,
  optionalText,
  optionalTexts,
} from "./decode.ts";
import { isAppError } from "./errors.ts";
import { sortedByName } from "./nameOrder.ts";
import type { Secrets } from "./redact/redact.ts";
import { isAboutBusyIndex, quotePath, runSql } from "./sql/runSql.ts";
import type { KnowledgeBase } from "./listItems.ts";
import { recordOf } from "./recordOf.ts";
import { readInSlices } from "./readInSlices.ts";

/** An object, or a string as the published API declares; `{}`, `false` and null mean none. */
const embeddingModel = v.fallback(
  v.union([v.string(), v.looseObject({ provider: optionalText, model_name: optionalText })]),
  {},
);

const knowledgeBaseRow = v.looseObject({
  name: itemName,
  embedding_model: embeddingModel,
  content_columns: optionalTexts,
  metadata_columns: optionalTexts,
  id_column: optionalText,
  vector_database: optionalText,
  vector_database_table: optionalText,
  created_at: optionalText,
});

/** A project's knowledge bases, by name. One request. Keys of their models are remembered for redaction. */
export async function listKnowledgeBases(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<KnowledgeBase[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/knowledge_bases`, {
    limits: responseLimits.listing,
    ...options,
  });
  await client.secrets.learnList(answer);
  const rows = decodeList(knowledgeBaseRow, answer, client.secrets);
  const items = sortedByName(
    await readInSlices(rows, (row) => toKnowledgeBase(row, client.secrets)),
  );
  client.observe({ kind: "listed", list: "knowledgeBases", project, items });
  return items;
}

/** One knowledge base, decoded as in the list. Throws AppError. */
export async function findKnowledgeBase(
  client: Client,
  project: string,
  name: string,
  options: CallOptions = {},
): Promise<KnowledgeBase> {
  const path = apiPath`/api/projects/${project}/knowledge_bases/${name}`;
  const answer = await client.get(path, options);
  client.secrets.learn(answer);
  const row = decodeOne(knowledgeBaseRow, answer, client.secrets);
  return toKnowledgeBase(row, client.secrets);
}

function toKnowledgeBase(
  row: v.InferOutput<typeof knowledgeBaseRow>,
  secrets: Secrets,
): KnowledgeBase {
  const storage = [row.vector_database, row.vector_database_table].filter(Boolean).join(".");
  return {
    name: row.name,
    contentColumns: row.content_columns ?? [],
    metadataColumns: row.metadata_columns ?? [],
    idColumn: row.id_column,
    embeddingModel: modelName(row.embedding_model, secrets) || undefined,
    storage: storage || undefined,
    createdAt: row.created_at,
  };
}

/** A string may contain a key. */
function modelName(model: v.InferOutput<typeof embeddingModel>, secrets: Secrets): string {
  if (typeof model === "string") return secrets.redact(model);
  return [model.provider, model.model_name].filter(Boolean).join(" · ");
}

/** A knowledge base as the server gives it, field by field; keys are masked. Throws AppError. */
export async function getKnowledgeBase(
  client: Client,
  project: string,
  name: string,
  options: CallOptions = {},
): Promise<Record<string, unknown>> {
  const path = apiPath`/api/projects/${project}/knowledge_bases/${name}`;
  const answer = await client.get(path, options);
  client.secrets.learn(answer);
  const row = decodeOne(recordOf(v.unknown()), answer, client.secrets);
  return client.secrets.redactValue(row) as Record<string, unknown>;
}

/** The number of chunks, and of the documents they come from if the server can count them. */
interface ContentCount {
  chunks: number;
  documents?: number;
}

export async function countContent(
  client: Client,
  project: string,
  name: string,
  options: CallOptions = {},
): Promise<ContentCount> {
  // Aliases, because default column names differ between versions. The chunks of a document share its id.
  const from = quotePath([project, name]);
  const chunksOnly = "SELECT count(*) AS chunks";
  const both = `${chunksOnly}, count(DISTINCT id) AS documents FROM ${from}`;
  const { rows } = await runSql(client, both, { ...options, cost: "free" }).catch(
    (error: unknown) => {
      // Some vector stores do not support DISTINCT.
      if (isAppError(error, "sql") && !isAboutBusyIndex(error.message)) {
        return runSql(client, `${chunksOnly} FROM ${from}`, { ...options, cost: "free" });
      }
      throw error;
    },
  );
  const [chunks, documents] = rows[0] ?? [];
  if (typeof chunks === "number") {
    return typeof documents === "number" ? { chunks, documents } : { chunks };
  }
  throw badAnswer(l10n.t("The server sent an invalid row count."), rows, client.secrets);
}
