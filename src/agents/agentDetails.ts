// Reads an agent from the server's response: the most useful facts, and every field with notes on empty ones.
import * as l10n from "@vscode/l10n";
import { isObject, type JsonObject } from "../mindsdb/json.ts";
import {
  isEmptyValue,
  readResponseField,
  responseValue,
  textsIn,
  type ResponseField,
} from "../shared/responseFields.ts";

interface AgentField extends ResponseField {
  /** Why it is empty, or what its value means. */
  notes: string[];
}

export interface AgentDetails {
  fields: AgentField[];
  /** Like "openai · gpt-4o"; empty for the server's default model. */
  model: string;
  created: string;
  updated: string;
  tables: string[];
  knowledgeBases: string[];
  instruction: string;
}

/** The fields that servers are known to send, in reading order. */
const knownFields = [
  "id",
  "name",
  "project_id",
  "created_at",
  "updated_at",
  "model",
  "data",
  "prompt_template",
  "skills",
  "params",
];

/** Returns all fields, known ones first. A known field that the server does not send has no value. */
export function readAgentDetails(row: JsonObject): AgentDetails {
  const others = Object.keys(row).filter((name) => !knownFields.includes(name));
  const data = readObject(row, "data");
  return {
    fields: [...knownFields, ...others].map((name) => ({
      ...readResponseField(row, name),
      notes: listNotes(row, name),
    })),
    model: modelName(row),
    created: readText(row["created_at"]),
    updated: readText(row["updated_at"]),
    tables: textsIn(data["tables"]),
    knowledgeBases: textsIn(data["knowledge_bases"]),
    instruction: readText(readPart(row, "prompt_template")),
  };
}

/** Some servers keep everything in `params` (seen on 25.14.1). */
function readPart(row: JsonObject, name: string): unknown {
  return row[name] ?? responseValue(row, `params.${name}`);
}

function readObject(row: JsonObject, name: string): JsonObject {
  const value = readPart(row, name);
  return isObject(value) ? value : {};
}

/** Older servers send the model's provider and name as fields of the agent; the API also allows a plain string. */
function modelName(row: JsonObject): string {
  const model = readPart(row, "model");
  if (typeof model === "string") return model;
  const { provider, model_name: name } = isObject(model) ? model : row;
  return [provider, name].filter((part) => typeof part === "string" && part !== "").join(" · ");
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function listNotes(row: JsonObject, name: string): string[] {
  const value = row[name];
  if (name === "model" && isObject(value) && "api_key" in value) {
    return [l10n.t("API keys are masked.")];
  }
  if (!isEmptyValue(value)) return [];
  const meaning = explainEmptyField(row, name);
  if (meaning) return [meaning];
  return value === undefined ? [l10n.t("This server does not send this field.")] : [];
}

/** Returns what an empty field means; undefined if it means nothing or its content is in another field. */
function explainEmptyField(row: JsonObject, name: string): string | undefined {
  switch (name) {
    case "model":
      return modelName(row) === ""
        ? l10n.t("The agent uses the server's default model.")
        : undefined;
    case "data":
      return isEmptyValue(readPart(row, "data"))
        ? l10n.t("The agent has no tables or knowledge bases.")
        : undefined;
    case "prompt_template":
      return isEmptyValue(readPart(row, "prompt_template"))
        ? l10n.t("The agent has no instruction.")
        : undefined;
    case "skills":
      return l10n.t("Only older servers send skills.");
    case "params":
      return l10n.t("The agent has no other settings.");
    default:
      return undefined;
  }
}
