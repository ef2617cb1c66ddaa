// Reads a knowledge base as the server gives it: every field with its type, and what it means that one is empty.
import { isObject, type JsonObject } from "../mindsdb/json.ts";
import {
  isEmptyValue,
  readResponseField,
  responseValue,
  textsIn,
} from "../shared/responseFields.ts";
import type { Details, Field, FieldNote } from "./messages.ts";

/** The fields that the API promises, in the order in which people read them. */
const promised = [
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

/** Everything that the server says, what it promises first; what it does not send is there without a value. */
export function readDetails(row: JsonObject): Details {
  const others = Object.keys(row).filter((name) => !promised.includes(name));
  return {
    fields: [...promised, ...others].map((name) => readField(row, name)),
    embeddingModel: modelName(row["embedding_model"]),
    contentColumns: textsIn(row["content_columns"]),
    metadataColumns: textsIn(row["metadata_columns"]),
  };
}

/** Like "openai · text-embedding-3-small"; a text, which the API promises too, as it is. */
function modelName(model: unknown): string {
  if (typeof model === "string") return model;
  const { provider, model_name: name } = isObject(model) ? model : {};
  return textsIn([provider, name]).filter(Boolean).join(" · ");
}

function readField(row: JsonObject, name: string): Field {
  return { ...readResponseField(row, name), notes: notesOn(name, responseValue(row, name)) };
}

function notesOn(name: string, value: unknown): FieldNote[] {
  const notes: FieldNote[] = [];
  const meaning = emptyMeaning(name, value);
  if (meaning) notes.push(meaning);
  else if (value === undefined) notes.push("missing");
  if (isObject(value) && value["api_key"] !== undefined) notes.push("keyMasked");
  return notes;
}

/** What an empty field means; undefined for one that is not empty, or that says nothing by it. */
function emptyMeaning(name: string, value: unknown): FieldNote | undefined {
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
