// The draft of a knowledge base, and the requests that create or change it. API keys are never part of a draft, because
// drafts are stored.
import * as v from "valibot";
import { formatEntry, splitEntry } from "../../mindsdb/dataPatterns.ts";
import { isObject, omitUndefined, type JsonObject } from "../../mindsdb/json.ts";
import type { KnowledgeBaseFields } from "../../mindsdb/knowledgeBaseFields.ts";
import { textsIn } from "../../shared/responseFields.ts";
import { splitColumns } from "./columnList.ts";

export type ModelKind = "embedding" | "reranking";

const modelDraft = v.object({
  /** The server's default, a custom model, or (for reranking) none. */
  choice: v.picklist(["default", "own", "none"]),
  provider: v.string(),
  modelName: v.string(),
  /** Empty for the provider's own address. */
  baseUrl: v.string(),
});
export type ModelDraft = v.InferOutput<typeof modelDraft>;

export const knowledgeBaseDraft = v.object({
  project: v.string(),
  name: v.string(),
  embedding: modelDraft,
  reranking: modelDraft,
  /** A data source and a table in it, like `vectors.docs`; empty for the server's default. */
  storage: v.string(),
  /** Column names, separated by commas. */
  contentColumns: v.string(),
  metadataColumns: v.string(),
  idColumn: v.string(),
});
export type KnowledgeBaseDraft = v.InferOutput<typeof knowledgeBaseDraft>;

/** The typed keys; empty if none is typed. */
export type ModelKeys = Readonly<Record<ModelKind, string>>;

export function emptyDraft(project: string): KnowledgeBaseDraft {
  const model = { choice: "default", provider: "openai", modelName: "", baseUrl: "" } as const;
  return {
    project,
    name: "",
    embedding: model,
    reranking: model,
    storage: "",
    contentColumns: "",
    metadataColumns: "",
    idColumn: "",
  };
}

/** The draft for a server whose default embedding model this is; "": without one, only a custom model is possible. */
export function chooseEmbedding(
  draft: KnowledgeBaseDraft,
  serverDefault: string | null | undefined,
): KnowledgeBaseDraft {
  const { embedding } = draft;
  if (serverDefault !== "" || embedding.choice === "own") return draft;
  return { ...draft, embedding: { ...embedding, choice: "own" } };
}

/** Returns the draft for a knowledge base as the server answers. */
export function createDraft(row: JsonObject, project: string): KnowledgeBaseDraft {
  const idColumn = row["id_column"];
  return {
    project,
    name: String(row["name"]),
    embedding: readModel(row["embedding_model"]),
    reranking: readModel(row["reranking_model"]),
    storage: readStorage(row),
    contentColumns: textsIn(row["content_columns"]).join(", "),
    metadataColumns: textsIn(row["metadata_columns"]).join(", "),
    idColumn: typeof idColumn === "string" ? idColumn : "",
  };
}

function readModel(row: unknown): ModelDraft {
  if (!isObject(row) || Object.keys(row).length === 0) {
    return { ...emptyDraft("").reranking, choice: "none" };
  }
  const text = (name: string): string => {
    const value = row[name];
    return typeof value === "string" ? value : "";
  };
  return {
    choice: "own",
    provider: text("provider"),
    modelName: text("model_name"),
    baseUrl: text("base_url"),
  };
}

/** Returns the storage as an entry; empty if the server has chosen it. */
export function readStorage(row: JsonObject): string {
  const { vector_database: source, vector_database_table: table, params } = row;
  const isDefault = isObject(params) && params["default_vector_storage"] === source;
  if (isDefault || typeof source !== "string" || typeof table !== "string") return "";
  return formatEntry([source, table]);
}

/** Returns the fields of the request that creates the knowledge base; its name is not one of them. */
export function buildCreateFields(draft: KnowledgeBaseDraft, keys: ModelKeys): KnowledgeBaseFields {
  const { embedding, reranking, storage } = draft;
  const [database = "", table = ""] = splitEntry(storage);
  const content = splitColumns(draft.contentColumns);
  const metadata = splitColumns(draft.metadataColumns);
  const id = draft.idColumn.trim();
  return omitUndefined({
    embedding_model: embedding.choice === "own" ? buildModel(embedding, keys.embedding) : undefined,
    reranking_model: buildChosenModel(reranking, keys.reranking),
    storage: storage.trim() === "" ? undefined : { database, table },
    content_columns: content.length > 0 ? content : undefined,
    metadata_columns: metadata.length > 0 ? metadata : undefined,
    id_column: id || undefined,
  });
}

/** Returns the fields of the request that changes the knowledge base `before`: only what differs. */
export function buildUpdateFields(
  before: KnowledgeBaseDraft,
  draft: KnowledgeBaseDraft,
  keys: ModelKeys,
): KnowledgeBaseFields {
  const { embedding, reranking } = draft;
  const content = splitColumns(draft.contentColumns);
  const metadata = splitColumns(draft.metadataColumns);
  const id = draft.idColumn.trim();
  const isOther = (name: "contentColumns" | "metadataColumns"): boolean =>
    splitColumns(before[name]).join("\n") !== splitColumns(draft[name]).join("\n");
  const address = changeOfAddress(before.embedding, embedding);
  const model = omitUndefined({ api_key: keys.embedding || undefined, ...address });
  return omitUndefined({
    embedding_model: Object.keys(model).length > 0 ? model : undefined,
    ...changeOfReranking(before.reranking, reranking, keys.reranking),
    content_columns: isOther("contentColumns") ? orNull(content) : undefined,
    metadata_columns: isOther("metadataColumns") ? orNull(metadata) : undefined,
    id_column: id === before.idColumn.trim() ? undefined : id || null,
  });
}

/** Servers merge a model of the same provider into the stored one, with its key. */
function changeOfReranking(
  before: ModelDraft,
  draft: ModelDraft,
  key: string,
): Pick<KnowledgeBaseFields, "reranking_model"> {
  if (draft.choice !== "own") return before.choice === "own" ? { reranking_model: false } : {};
  const isSame =
    before.choice === "own" &&
    before.provider === draft.provider &&
    before.modelName === draft.modelName.trim() &&
    before.baseUrl === draft.baseUrl;
  if (isSame && key === "") return {};
  const isMerged = before.choice === "own" && before.provider === draft.provider;
  const address = isMerged ? changeOfAddress(before, draft) : undefined;
  return { reranking_model: { ...buildModel(draft, key), ...address } };
}

/** An address that was removed is sent as null, because what is left out stays. */
function changeOfAddress(
  before: ModelDraft,
  { baseUrl }: ModelDraft,
): { base_url: string | null } | undefined {
  if (before.baseUrl === baseUrl) return undefined;
  return { base_url: baseUrl === "" ? null : baseUrl };
}

/** False for none, undefined for the server's default. */
function buildChosenModel(model: ModelDraft, key: string): JsonObject | false | undefined {
  if (model.choice === "own") return buildModel(model, key);
  return model.choice === "none" ? false : undefined;
}

function buildModel({ provider, modelName, baseUrl }: ModelDraft, key: string): JsonObject {
  return omitUndefined({
    provider,
    model_name: modelName.trim(),
    api_key: key || undefined,
    base_url: baseUrl || undefined,
  });
}

function orNull(names: string[]): string[] | null {
  return names.length > 0 ? names : null;
}
