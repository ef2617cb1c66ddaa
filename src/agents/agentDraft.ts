// The draft of an agent, and the requests that create or update it. An API key is never part of a draft, because drafts
// are stored.
import * as v from "valibot";
import type { AgentFields } from "../mindsdb/agentFields.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";
import { recordOf } from "../mindsdb/recordOf.ts";

const modelDraft = v.object({
  /** True for a custom model, false for the server's default. */
  own: v.boolean(),
  provider: v.string(),
  modelName: v.string(),
  /** Empty for the provider's own address. */
  baseUrl: v.string(),
});
export type ModelDraft = v.InferOutput<typeof modelDraft>;

export const agentDraft = v.object({
  project: v.string(),
  name: v.string(),
  model: modelDraft,
  tables: v.array(v.string()),
  knowledgeBases: v.array(v.string()),
  /** The prompt template. */
  instruction: v.string(),
  /** Settings that the form does not show, like the `mode` of the duplicated agent. */
  params: v.optional(recordOf(v.unknown())),
});
export type AgentDraft = v.InferOutput<typeof agentDraft>;

export function emptyDraft(project: string): AgentDraft {
  return {
    project,
    name: "",
    model: { own: false, provider: "openai", modelName: "", baseUrl: "" },
    tables: [],
    knowledgeBases: [],
    instruction: "",
  };
}

/** Returns the draft for an agent as the server stores it. */
export function createDraft(
  agent: {
    name: string;
    model?: Record<string, unknown>;
    tables: readonly string[];
    knowledgeBases: readonly string[];
    promptTemplate?: string;
    params?: Record<string, unknown>;
  },
  project: string,
): AgentDraft {
  const empty = emptyDraft(project);
  const text = (name: string): string => {
    const value = agent.model?.[name];
    return typeof value === "string" ? value : "";
  };
  const model = {
    own: true,
    provider: text("provider"),
    modelName: text("model_name"),
    baseUrl: addressNames.map(text).find((address) => address !== "") ?? "",
  };
  return {
    project,
    name: agent.name,
    model: agent.model ? model : empty.model,
    tables: [...agent.tables],
    knowledgeBases: [...agent.knowledgeBases],
    instruction: agent.promptTemplate ?? "",
    ...(agent.params ? { params: agent.params } : {}),
  };
}

/** True if the server returns the agent's own API key, so that it need not be typed again. */
export function hasStoredKey(model: Record<string, unknown> = {}): boolean {
  return Object.entries(model).some(
    ([name, value]) => isSecretKey(name) && typeof value === "string" && !isMasked(value),
  );
}

/** Returns the names of the model settings that the form does not show, like `temperature`. */
export function listHiddenSettings(model: Record<string, unknown> = {}): string[] {
  const shown = ["provider", "model_name", ...addressNames];
  return Object.keys(model).filter((name) => !shown.includes(name) && !isSecretKey(name));
}

/** Returns the first name that is not taken: `agent`, `agent_2`, `agent_3`. */
export function findFreeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${wanted}_${String(number)}`;
  return name;
}

/** Returns the fields of the request that creates the agent. `stored` is the model of the duplicated agent. */
export function buildCreateFields(
  draft: AgentDraft,
  apiKey: string,
  stored: Record<string, unknown> = {},
): AgentFields {
  const { model, tables, knowledgeBases, params } = draft;
  const instruction = draft.instruction.trim();
  return {
    name: draft.name,
    ...(model.own ? { model: buildModelFields(model, apiKey, stored) } : {}),
    ...(tables.length + knowledgeBases.length > 0 ? { data: buildData(draft) } : {}),
    ...(instruction === "" ? {} : { prompt_template: instruction }),
    ...(params ? { params } : {}),
  };
}

/**
 * Returns the fields of the request that updates the agent `before`: only what differs. `stored` is the model on the
 * server; a request replaces all of it, so settings that the form does not show, and the key, are sent again.
 */
export function buildUpdateFields(
  before: AgentDraft,
  draft: AgentDraft,
  apiKey: string,
  stored: Record<string, unknown> = {},
): AgentFields {
  const change: AgentFields = {};
  const params: Record<string, null> = {};
  const instruction = draft.instruction.trim();
  if (draft.model.own && (apiKey !== "" || isDifferent(before.model, draft.model))) {
    change.model = buildModelFields(draft.model, apiKey, before.model.own ? stored : {});
  }
  if (!draft.model.own && before.model.own) params["model"] = null;
  if (isDifferent(sortLists(before), sortLists(draft))) change.data = { ...buildData(draft, true) };
  if (instruction !== before.instruction.trim()) {
    if (instruction === "") params["prompt_template"] = null;
    else change.prompt_template = instruction;
  }
  if (draft.name !== before.name) {
    // Real servers lose a new name that is sent alone, so the unchanged instruction is sent with it.
    const isAlone = Object.keys(change).length + Object.keys(params).length === 0;
    if (isAlone && instruction === "") params["prompt_template"] = null;
    else if (isAlone) change.prompt_template = instruction;
    change.name = draft.name;
  }
  if (Object.keys(params).length > 0) change.params = params;
  return change;
}

/** True if the request would change nothing. */
export function isUnchanged(change: AgentFields): boolean {
  return Object.keys(change).length === 0;
}

function buildModelFields(
  { provider, modelName, baseUrl }: ModelDraft,
  apiKey: string,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  // Key and settings are of no use to another provider.
  const kept = Object.entries((stored["provider"] ?? "") === provider ? stored : {}).filter(
    ([name, value]) =>
      !addressNames.includes(name) && !(isSecretKey(name) && (apiKey !== "" || isMasked(value))),
  );
  return {
    ...Object.fromEntries(kept),
    ...(provider === "" ? {} : { provider }),
    ...(modelName.trim() === "" ? {} : { model_name: modelName.trim() }),
    ...(apiKey === "" ? {} : { api_key: apiKey }),
    ...(baseUrl === "" ? {} : { base_url: baseUrl }),
  };
}

/** The names that servers use for the base URL. */
const addressNames = ["base_url", "openai_api_base"];

/** Some responses contain `******` in place of the key; sent back, it would become the key. */
function isMasked(value: unknown): boolean {
  return typeof value === "string" && /^\**$/.test(value);
}

/** Leaves out empty lists, unless an empty list has to clear the one on the server. */
function buildData(
  { tables, knowledgeBases }: AgentDraft,
  withEmpty = false,
): NonNullable<AgentFields["data"]> {
  return {
    ...(withEmpty || tables.length > 0 ? { tables } : {}),
    ...(withEmpty || knowledgeBases.length > 0 ? { knowledge_bases: knowledgeBases } : {}),
  };
}

function sortLists({ tables, knowledgeBases }: AgentDraft): string[][] {
  return [[...tables].sort(), [...knowledgeBases].sort()];
}

function isDifferent(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
