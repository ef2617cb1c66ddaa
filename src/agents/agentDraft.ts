// An agent that is being written: the draft, the request that makes the agent, and the one that changes it. An API key
// is never part of a draft, since drafts are kept.
import type { AgentFields } from "../mindsdb/agentFields.ts";
import { isSecretKey } from "../mindsdb/redact/secretNames.ts";

export interface ModelDraft {
  /** True for a model of the agent's own, false for the server's default. */
  own: boolean;
  provider: string;
  modelName: string;
  /** Empty for the provider's own address. */
  baseUrl: string;
}

export interface AgentDraft {
  project: string;
  name: string;
  model: ModelDraft;
  tables: string[];
  knowledgeBases: string[];
  /** The prompt template. */
  instruction: string;
  /** What the form does not show, like the `mode` of the agent that this one is made from. */
  params?: Record<string, unknown> | undefined;
}

/** A draft with nothing written yet. */
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

/** An agent as the server has it, as a draft. */
export function draftOf(
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

/** True if the server has a key of the agent's own and gives it back, so that it need not be typed again. */
export function hasStoredKey(model: Record<string, unknown> = {}): boolean {
  return Object.entries(model).some(
    ([name, value]) => isSecretKey(name) && typeof value === "string" && !isMasked(value),
  );
}

/** The names of what a server keeps of an agent's model beside what the form shows, like `temperature`. */
export function settingsOf(model: Record<string, unknown> = {}): string[] {
  const shown = ["provider", "model_name", ...addressNames];
  return Object.keys(model).filter((name) => !shown.includes(name) && !isSecretKey(name));
}

/** What MindsDB's SQL takes for a word of its own, behind a project's name too (its parser in 26.1.0 and 25.14.1). */
const sqlWords = (
  "alter and as asc between case character collate convert cross delete desc describe distinct drop else end except " +
  "explain false for from full having in inner insert intersect into is join left like limit not null on or outer over " +
  "persist_only read right select set show then true union update use using values when where window with write"
).split(" ");

/**
 * A name that SQL can write without quotes, close to the one given. Real servers keep a name's case over HTTP but
 * look it up exactly, while SQL lower-cases it: only lower-case names are found by both (seen on 26.1.0 and 25.14.1).
 */
export function plainName(name: string): string {
  const plain = name
    .trim()
    // Letters without their accents.
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\s.-]+/g, "_")
    .replace(/[^a-z0-9_]/g, "")
    .replace(/^[0-9]+/, "");
  return sqlWords.includes(plain) ? `${plain}_agent` : plain;
}

/** A name that none of the taken ones equals: `agent`, `agent_2`, `agent_3`. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const isTaken = (name: string) => taken.some((other) => other.toLowerCase() === name);
  let name = wanted;
  for (let number = 2; isTaken(name); number++) name = `${wanted}_${String(number)}`;
  return name;
}

/** The request that makes the agent. `stored` is the model of the agent that it was duplicated from. */
export function creationOf(
  draft: AgentDraft,
  apiKey: string,
  stored: Record<string, unknown> = {},
): AgentFields {
  const { model, tables, knowledgeBases, params } = draft;
  const instruction = draft.instruction.trim();
  return {
    name: draft.name,
    ...(model.own ? { model: modelFields(model, apiKey, stored) } : {}),
    ...(tables.length + knowledgeBases.length > 0 ? { data: dataOf(draft) } : {}),
    ...(instruction === "" ? {} : { prompt_template: instruction }),
    ...(params ? { params } : {}),
  };
}

/**
 * The request that turns the agent `before` into the draft: only what differs. `stored` is the model as the server
 * keeps it; a request replaces it as a whole, so what the form does not show, the key among it, goes along.
 */
export function changeOf(
  before: AgentDraft,
  draft: AgentDraft,
  apiKey: string,
  stored: Record<string, unknown> = {},
): AgentFields {
  const change: AgentFields = {};
  const params: Record<string, null> = {};
  const instruction = draft.instruction.trim();
  if (draft.model.own && (apiKey !== "" || differ(before.model, draft.model))) {
    change.model = modelFields(draft.model, apiKey, before.model.own ? stored : {});
  }
  if (!draft.model.own && before.model.own) params["model"] = null;
  if (differ(listsOf(before), listsOf(draft))) change.data = { ...dataOf(draft, true) };
  if (instruction !== before.instruction.trim()) {
    if (instruction === "") params["prompt_template"] = null;
    else change.prompt_template = instruction;
  }
  if (draft.name !== before.name) {
    // A new name that comes alone is lost on real servers; the instruction again is a change that changes nothing.
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

function modelFields(
  { provider, modelName, baseUrl }: ModelDraft,
  apiKey: string,
  stored: Record<string, unknown>,
): Record<string, unknown> {
  // Another provider has no use for the key and the settings of the last one.
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

/** The names under which servers take the base URL. */
const addressNames = ["base_url", "openai_api_base"];

/** Some answers hold `******` where the key is: to send that back would make it the key. */
function isMasked(value: unknown): boolean {
  return typeof value === "string" && /^\**$/.test(value);
}

/** Lists that are empty are left out, except where they have to say that nothing is left. */
function dataOf(
  { tables, knowledgeBases }: AgentDraft,
  withEmpty = false,
): NonNullable<AgentFields["data"]> {
  return {
    ...(withEmpty || tables.length > 0 ? { tables } : {}),
    ...(withEmpty || knowledgeBases.length > 0 ? { knowledge_bases: knowledgeBases } : {}),
  };
}

function listsOf({ tables, knowledgeBases }: AgentDraft): string[][] {
  return [[...tables].sort(), [...knowledgeBases].sort()];
}

function differ(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
