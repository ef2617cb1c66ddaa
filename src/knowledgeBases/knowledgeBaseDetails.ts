// Reads a knowledge base from the server's response: every field with its type and notes on empty ones.
import * as l10n from "@vscode/l10n";
import { isObject, type JsonObject } from "../mindsdb/json.ts";
import {
  isEmptyValue,
  readResponseField,
  responseValue,
  textsIn,
  type ResponseField,
} from "../shared/responseFields.ts";

interface KnowledgeBaseField extends ResponseField {
  /** Why it is empty, or what its value means. */
  notes: string[];
}

export interface KnowledgeBaseDetails {
  fields: KnowledgeBaseField[];
  /** Like "openai · text-embedding-3-small"; empty if the server names none. */
  embeddingModel: string;
  contentColumns: string[];
  metadataColumns: string[];
}

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
export function readDetails(row: JsonObject, project: string): KnowledgeBaseDetails {
  const others = Object.keys(row).filter((name) => !knownFields.includes(name));
  return {
    fields: [...knownFields, ...others].map((name) => ({
      ...readResponseField(row, name),
      notes: listNotes(name, responseValue(row, name), project),
    })),
    embeddingModel: modelName(row["embedding_model"]),
    contentColumns: contentColumnsOf(textsIn(row["content_columns"])),
    metadataColumns: textsIn(row["metadata_columns"]),
  };
}

/** False: searches use the server's default reranking model, if it has one. */
export function hasOwnReranking({ reranking_model: model }: JsonObject): boolean {
  return isObject(model) && Object.keys(model).length > 0;
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

function listNotes(name: string, value: unknown, project: string): string[] {
  const notes: string[] = [];
  const meaning = explainEmptyField(name, value, project);
  if (meaning !== undefined) notes.push(meaning);
  else if (value === undefined) notes.push(l10n.t("This server does not send this field."));
  if (isObject(value) && value["api_key"] !== undefined) {
    notes.push(l10n.t("Servers do not return the key."));
  }
  return notes;
}

/** Returns what an empty field means; undefined if it is not empty or means nothing. */
function explainEmptyField(name: string, value: unknown, project: string): string | undefined {
  if (name === "reranking_model" && value === false) {
    return l10n.t("Reranking is turned off. Results are sorted by distance.");
  }
  if (!isEmptyValue(value)) return undefined;
  switch (name) {
    case "project_name":
      return l10n.t(
        "Servers return this field only when they list knowledge bases. The project is {0}.",
        project,
      );
    case "query_id":
      return l10n.t("No query on the server is linked to it.");
    case "reranking_model":
      return l10n.t("No model reranks the results. They are sorted by distance.");
    case "metadata_columns":
      return l10n.t("None are set, so searches can't be filtered.");
    case "content_columns":
      return l10n.t("None are set, so the server uses the column content.");
    case "id_column":
      return l10n.t("Not set, so the server generates the IDs.");
    case "params.created_embedding_model":
      return l10n.t("Only some older servers create a separate embedding model.");
    default:
      return undefined;
  }
}
