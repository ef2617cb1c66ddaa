// Reads a knowledge base from the server's response: every field with its type and notes on empty ones.
import { isObject, type JsonObject } from "../mindsdb/json.ts";
import {
  isEmptyValue,
  readResponseField,
  responseValue,
  textsIn,
} from "../shared/responseFields.ts";
import type { Details, Field, FieldNote } from "./messages.ts";

/** The fields that the API documents, in reading order. */
const knownFields = [
  "id",
  "name",
  "project_id",
  "project_name",
  "vector_database",
  "vector_database_table",
  "created_at",
  "updated_at",
  "query_id",
  "embedding_model",
  "reranking_model",
  "content_columns",
  "metadata_columns",
  "id_column",
  "params",
  "params.created_embedding_model",
];

/** Returns all fields, known ones first. A known field that the server does not send has no value. */
export function readDetails(row: JsonObject): Details {
  const others = Object.keys(row).filter((name) => !knownFields.includes(name));
  return {
    fields: [...knownFields, ...others].map((name) => readField(row, name)),
    embeddingModel: modelName(row["embedding_model"]),
    contentColumns: contentColumnsOf(textsIn(row["content_columns"])),
    metadataColumns: textsIn(row["metadata_columns"]),
  };
}

/** The server stores texts in "content" if no columns are named. */
function contentColumnsOf(given: readonly string[]): string[] {
  return given.length > 0 ? [...given] : ["content"];
}

/** Returns a name like "openai · text-embedding-3-small". The API also allows a plain string. */
function modelName(model: unknown): string {
  if (typeof model === "string") return model;
  const { provider, model_name: name } = isObject(model) ? model : {};
  return textsIn([provider, name]).filter(Boolean).join(" · ");
}

function readField(row: JsonObject, name: string): Field {
  return { ...readResponseField(row, name), notes: listNotes(name, responseValue(row, name)) };
}

function listNotes(name: string, value: unknown): FieldNote[] {
  const notes: FieldNote[] = [];
  const meaning = explainEmptyField(name, value);
  if (meaning) notes.push(meaning);
  else if (value === undefined) notes.push("missing");
  if (isObject(value) && value["api_key"] !== undefined) notes.push("keyMasked");
  return notes;
}

/** Returns what an empty field means; undefined if it is not empty or means nothing. */
function explainEmptyField(name: string, value: unknown): FieldNote | undefined {
  if (name === "reranking_model" && value === false) return "rerankingOff";
  if (!isEmptyValue(value)) return undefined;
  switch (name) {
    case "project_name":
      return "projectNameMissing";
    case "query_id":
      return "noQuery";
    case "reranking_model":
      return "noReranking";
    case "metadata_columns":
      return "noMetadataColumns";
    case "content_columns":
      return "noContentColumns";
    case "id_column":
      return "noIdColumn";
    case "params.created_embedding_model":
      return "noCreatedEmbeddingModel";
    default:
      return undefined;
  }
}
