// Handlers that create, update and delete agents, with the behavior of both server generations.
import { scopeOf } from "./agent.ts";
import { agentOf, projectOf } from "./lookup.ts";
import { maskKeys } from "./maskKeys.ts";
import { crash, json, problem, pythonRepr } from "./replies.ts";
import type { Reply } from "./replies.ts";
import type { Call } from "./call.ts";
import { timestamp } from "./state.ts";
import type { Agent, Project, State } from "./state.ts";

/** `POST …/agents`. 26.x answers every invalid agent with the same 404, which contains the API key. */
export function createAgent(call: Call): Reply {
  const given = readFields(call);
  const { name } = given;
  if (typeof name !== "string") {
    throw problem(400, "Missing field", 'Missing "name" field for agent');
  }
  const project = projectOf(call);
  checkNameIsFree(project, name);
  const model = readModel(given);
  if (call.state.dialect === "26" && findProblems(call.state, given, model).length > 0) {
    const detail = `The model "${pythonRepr(model)}" does not exist. Please ensure that the name is correct and try again.`;
    throw problem(404, "Resource not found", detail);
  }
  if (call.state.dialect === "26") tryModel(model);
  const now = timestamp();
  const agent: Agent = {
    id: call.state.nextAgentId++,
    name,
    project_id: project.id,
    updated_at: now,
    created_at: now,
  };
  applyFields(call.state, agent, given, model);
  project.agents.push(agent);
  return json(agent, 201);
}

/** `PUT …/agents/{agent}`: merges the given fields. 26.x does not store a new name if it is the only field. */
export function updateAgent(call: Call): Reply {
  const given = readFields(call);
  const project = projectOf(call);
  const agent = project.agents.find((candidate) => candidate.name === call.params["agent"]);
  if (!agent) {
    const detail = "Creation of an agent using the PUT method is not allowed.";
    throw problem(400, "Creation is not allowed", detail);
  }
  const name = typeof given["name"] === "string" ? given["name"] : agent.name;
  if (name !== agent.name) checkNameIsFree(project, name);
  const model = readModel(given);
  if (call.state.dialect === "26") {
    const [cause] = findProblems(call.state, given, model ?? agent.model);
    if (cause !== undefined) throw problem(400, "Wrong arguments", cause);
    if (model) tryModel(model);
  }
  const now = timestamp();
  const isBareRename = Object.keys(given).every((key) => key === "name");
  if (isBareRename && call.state.dialect === "26") return json({ ...agent, name, updated_at: now });
  applyFields(call.state, agent, given, model);
  agent.name = name;
  agent.updated_at = now;
  return json(agent);
}

/** `DELETE …/agents/{agent}`. */
export function deleteAgent(call: Call): Reply {
  const { project, agent } = agentOf(call);
  project.agents.splice(project.agents.indexOf(agent), 1);
  return { status: 204, type: "application/json", body: "" };
}

type Given = Record<string, unknown>;

function isObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readFields(call: Call): Given {
  const body = call.json();
  if (isObject(body) && isObject(body["agent"])) return body["agent"];
  throw problem(400, "Missing parameter", 'Must provide "agent" parameter in POST body');
}

function checkNameIsFree(project: Project, name: string): void {
  if (!project.agents.some((agent) => agent.name === name)) return;
  const detail = `Agent with name ${name} already exists. Please choose a different one.`;
  throw problem(409, "Agent already exists", detail);
}

/** The model in the request, or in the older form with `model_name` and `provider` at the top level. */
function readModel(given: Given): Given | undefined {
  if (isObject(given["model"])) return given["model"];
  if (!("model_name" in given)) return undefined;
  return { model_name: given["model_name"], provider: given["provider"] };
}

/** Merges the given fields into the agent and masks keys. Empty values change nothing; a null prompt in `params` clears it. */
function applyFields(state: State, agent: Agent, given: Given, model: Given | undefined): void {
  const masked = <T>(value: T): T => (state.unguarded ? value : (maskKeys(value) as T));
  const { prompt_template: cleared, ...params } = isObject(given["params"]) ? given["params"] : {};
  const template = given["prompt_template"];
  const hasData = isObject(given["data"]) && Object.keys(given["data"]).length > 0;
  const data = hasData ? (given["data"] as NonNullable<Agent["data"]>) : agent.data;
  const kept = cleared === null ? undefined : agent.prompt_template;
  const prompt = typeof template === "string" && template !== "" ? template : kept;
  const wholeModel = model ?? agent.model;
  const allParams = { ...agent.params, ...params };
  for (const key of ["data", "model", "prompt_template", "params"] as const) delete agent[key];
  // Real servers return these fields in this order and omit empty ones.
  if (data) agent.data = masked(data);
  if (wholeModel) agent.model = masked(wholeModel);
  if (prompt !== undefined) agent.prompt_template = prompt;
  if (Object.keys(allParams).length > 0) agent.params = masked(allParams);
}

const providers = "openai vllm anthropic google ollama nvidia_nim litellm sample".split(" ");

/** The reasons for which 26.x rejects an agent. It reports the reason only when an agent is updated. */
function findProblems(state: State, given: Given, model: Given | undefined): string[] {
  const used = model ?? state.defaultModel;
  const found: string[] = [];
  if (!used || !providers.includes(String(used["provider"]))) {
    found.push(`Unknown provider: ${String(used?.["provider"])}`);
  }
  for (const key of ["temperature", "max_tokens", "top_p", "top_k"]) {
    if (used && key in used) found.push(`Unexpected keyword argument: ${key}`);
  }
  for (const key of Object.keys(isObject(given["params"]) ? given["params"] : {})) {
    const isKnown = ["mode", "timeout", "prompt_template"].includes(key);
    if (!isKnown) found.push(`Unknown parameter: ${key}`);
  }
  const data: NonNullable<Agent["data"]> = isObject(given["data"]) ? given["data"] : {};
  const scope = scopeOf(state, data);
  if (data.tables?.length && scope.tables.length === 0) {
    found.push(`No tables found: ${pythonRepr(data.tables)}`);
  }
  if (data.knowledge_bases?.length && scope.knowledgeBases.length === 0) {
    found.push(`No knowledge bases found: ${pythonRepr(data.knowledge_bases)}`);
  }
  return found;
}

/** 26.x calls the model when an agent is created. Here no model is called; keys that start with `bad` are rejected. */
function tryModel(model: Given | undefined): void {
  const key = model?.["api_key"];
  if (typeof key !== "string" || !/^(sk-)?bad\b/.test(key)) return;
  const body = {
    message: `Incorrect API key provided: ${key}.`,
    type: "invalid_request_error",
    param: null,
    code: "invalid_api_key",
  };
  const name = String(model?.["model_name"]);
  throw crash("ModelHTTPError", `status_code: 401, model_name: ${name}, body: ${pythonRepr(body)}`);
}
