// Reads an agent as the server gives it: what one wants to know first, and every field with what it means that it is empty.
import { isObject, type JsonObject } from "../mindsdb/json.ts";
import {
  isEmptyValue,
  readResponseField,
  responseValue,
  textsIn,
  type ResponseField,
} from "../shared/responseFields.ts";

/** Why a field is empty, or what its value means. */
export type AgentFieldNote =
  "defaultModel" | "noData" | "noInstruction" | "noSkills" | "noParams" | "keyMasked" | "missing";

export interface AgentField extends ResponseField {
  notes: AgentFieldNote[];
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

/** The fields that servers are known to send, in the order in which people read them. */
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

/** Everything that the server says, known fields first; one that it does not send is there without a value. */
export function readAgentDetails(row: JsonObject): AgentDetails {
  const others = Object.keys(row).filter((name) => !knownFields.includes(name));
  const data = objectIn(row, "data");
  return {
    fields: [...knownFields, ...others].map((name) => ({
      ...readResponseField(row, name),
      notes: notesOn(row, name),
    })),
    model: modelName(row),
    created: textIn(row["created_at"]),
    updated: textIn(row["updated_at"]),
    tables: textsIn(data["tables"]),
    knowledgeBases: textsIn(data["knowledge_bases"]),
    instruction: textIn(partOf(row, "prompt_template")),
  };
}

/** Some servers keep everything in `params` (seen on 25.14.1). */
function partOf(row: JsonObject, name: string): unknown {
  return row[name] ?? responseValue(row, `params.${name}`);
}

function objectIn(row: JsonObject, name: string): JsonObject {
  const value = partOf(row, name);
  return isObject(value) ? value : {};
}

/** Older servers carry provider and name of the model beside the agent's name; the API's text allows a plain text too. */
function modelName(row: JsonObject): string {
  const model = partOf(row, "model");
  if (typeof model === "string") return model;
  const { provider, model_name: name } = isObject(model) ? model : row;
  return [provider, name].filter((part) => typeof part === "string" && part !== "").join(" · ");
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function notesOn(row: JsonObject, name: string): AgentFieldNote[] {
  const value = row[name];
  if (name === "model" && isObject(value) && "api_key" in value) return ["keyMasked"];
  if (!isEmptyValue(value)) return [];
  const meaning = emptyMeaning(row, name);
  if (meaning) return [meaning];
  return value === undefined ? ["missing"] : [];
}

/** What an empty field means; undefined for one that says nothing by it, or whose content stands elsewhere. */
function emptyMeaning(row: JsonObject, name: string): AgentFieldNote | undefined {
  switch (name) {
    case "model":
      return modelName(row) === "" ? "defaultModel" : undefined;
    case "data":
      return isEmptyValue(partOf(row, "data")) ? "noData" : undefined;
    case "prompt_template":
      return isEmptyValue(partOf(row, "prompt_template")) ? "noInstruction" : undefined;
    case "skills":
      return "noSkills";
    case "params":
      return "noParams";
    default:
      return undefined;
  }
}
