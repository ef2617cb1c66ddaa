// Data sources, their tables, and the server's default models.
import * as v from "valibot";
import { responseLimits } from "./http/responseBody.ts";
import { apiPath, type CallOptions, type Client } from "./http/client.ts";
import { decodeList, decodeOne, itemName, optionalText } from "./decode.ts";
import { compareNames } from "./nameOrder.ts";

export interface TableName {
  /** Where the data source has schemas. */
  schema?: string;
  name: string;
  isView?: true;
}

export interface DefaultModel {
  provider?: string;
  modelName?: string;
}

/** A namespace of tables: the part before the dot of a table's name. */
export interface Database {
  name: string;
  /** `vectors`: the storage of knowledge bases, without tables of the user. */
  kind: "project" | "data" | "vectors" | "system";
  /** The engine of a data source, like `postgres`. */
  engine?: string;
  /** Of a PostgreSQL: the schema of names without one, which 26.1.0 puts before `public` in the search path. */
  schema?: string;
}

const databaseRow = v.looseObject({
  name: itemName,
  type: v.picklist(["project", "data", "system"]),
  engine: optionalText,
  connection_data: v.fallback(v.looseObject({ schema: optionalText }), {}),
});

/** Engines that are PostgreSQL. */
const postgresEngines = new Set(["postgres", "timescaledb", "supabase", "yugabyte"]);

const vectorStores = ["duckdb_faiss", "chromadb"];

/** All databases, by name. One request. Rows hold their passwords in clear, which are remembered for redaction. */
export async function listDatabases(
  client: Client,
  options: CallOptions = {},
): Promise<Database[]> {
  const answer = await client.get("/api/databases/", {
    limits: responseLimits.listing,
    ...options,
  });
  await client.secrets.learnList(answer);
  return decodeList(databaseRow, answer, client.secrets)
    .map(({ name, type, engine = "", connection_data: { schema } }): Database => {
      if (vectorStores.includes(engine)) return { name, kind: "vectors", engine };
      const isPostgres = type === "data" && postgresEngines.has(engine);
      return { name, kind: type, engine, ...(isPostgres ? { schema: schema || "public" } : {}) };
    })
    .sort((a, b) => compareNames(a.name, b.name));
}

const tableRow = v.looseObject({
  name: itemName,
  class: v.optional(v.string()),
  type: optionalText,
});
const branchRow = v.looseObject({
  ...tableRow.entries,
  children: v.fallback(v.optional(v.array(tableRow)), undefined),
});

/**
 * A data source's tables and views, with their schemas where it has any: 25.14.1 lists only the default schema's unless
 * all are asked for. One request, which may reach the database.
 */
export async function listTables(
  client: Client,
  source: string,
  options: CallOptions = {},
): Promise<TableName[]> {
  const answer = await client.get(apiPath`/api/tree/${source}?all_schemas=true`, {
    limits: responseLimits.listing,
    ...options,
  });
  return decodeList(branchRow, answer, client.secrets)
    .flatMap(({ children, ...row }): TableName[] =>
      row.class === "schema"
        ? (children ?? []).map((table) => ({ schema: row.name, ...tableName(table) }))
        : [tableName(row)],
    )
    .sort((a, b) => compareNames(a.schema ?? "", b.schema ?? "") || compareNames(a.name, b.name));
}

function tableName({ name, type }: v.InferOutput<typeof tableRow>): TableName {
  return { name, ...(type === "view" ? { isView: true } : {}) };
}

const defaultModel = v.fallback(
  v.optional(v.nullable(v.looseObject({ provider: optionalText, model_name: optionalText }))),
  undefined,
);
const config = v.looseObject({
  default_llm: defaultModel,
  default_embedding_model: defaultModel,
  default_reranking_model: defaultModel,
});

/** The models that a server uses where none is given; undefined where it has none. */
interface DefaultModels {
  /** For agents. */
  language: DefaultModel | undefined;
  /** For knowledge bases. */
  embedding: DefaultModel | undefined;
  reranking: DefaultModel | undefined;
}

/** The server's default models. Their keys, sent in clear, are remembered for redaction. */
export async function getDefaultModels(
  client: Client,
  options: CallOptions = {},
): Promise<DefaultModels> {
  const answer = await client.get("/api/config/", options);
  client.secrets.learn(answer);
  const row = decodeOne(config, answer, client.secrets);
  return {
    language: toDefaultModel(row.default_llm),
    embedding: toDefaultModel(row.default_embedding_model),
    reranking: toDefaultModel(row.default_reranking_model),
  };
}

function toDefaultModel(row: v.InferOutput<typeof defaultModel>): DefaultModel | undefined {
  const { provider, model_name: modelName } = row ?? {};
  if (provider === undefined && modelName === undefined) return undefined;
  return { provider, modelName };
}
