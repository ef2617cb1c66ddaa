// Handlers that create, update and delete agents.
import { lookUpAgent, lookUpProject } from "../server/lookup.ts";
import { isObject, readFields } from "../server/fields.ts";
import type { Fields } from "../server/fields.ts";
import { maskKeys } from "../server/maskKeys.ts";
import { crash, json, problem } from "../server/replies.ts";
import type { Reply } from "../server/replies.ts";
import type { Call } from "../server/call.ts";
import { createId, filesSource, formatTimestamp } from "../server/state.ts";
import type { Agent, Project, State } from "../server/state.ts";

/** `POST …/agents`. */
export function createAgent(call: Call): Reply {
  const given = readFields(call, "agent");
  const { name } = given;
  if (typeof name !== "string" || name === "") {
    throw problem(400, "Missing field", 'Missing "name" field for agent');
  }
  const project = lookUpProject(call);
  checkNameIsFree(project, name);
  // Older servers check nothing.
  if (!call.state.version.startsWith("25.")) checkSources(call.state, given);
  const now = formatTimestamp();
  const id = createId(call.state.projects.flatMap(({ agents }) => agents.map((one) => one.id)));
  const base = { id, name, project_id: project.id, updated_at: now, created_at: now };
  const agent = applyFields(call.state, base, given);
  project.agents.push(agent);
  return json(agent, 201);
}

/** `PUT …/agents/{agent}`: merges the given fields. */
export function updateAgent(call: Call): Reply {
  const given = readFields(call, "agent");
  const project = lookUpProject(call);
  const agent = project.agents.find((candidate) => candidate.name === call.params["agent"]);
  if (!agent) {
    const detail = "Creation of an agent using the PUT method is not allowed.";
    throw problem(400, "Creation is not allowed", detail);
  }
  const name = typeof given["name"] === "string" ? given["name"] || agent.name : agent.name;
  if (name !== agent.name) checkNameIsFree(project, name);
  const renamed = { ...agent, name, updated_at: formatTimestamp() };
  const changed = applyFields(call.state, renamed, given);
  project.agents[project.agents.indexOf(agent)] = changed;
  return json(changed);
}

/** `DELETE …/agents/{agent}`. */
export function deleteAgent(call: Call): Reply {
  const { project, agent } = lookUpAgent(call);
  project.agents.splice(project.agents.indexOf(agent), 1);
  return { status: 204, type: "application/json", body: "" };
}

function checkSources({ dataSources, projects }: State, { data }: Fields): void {
  const tables = isObject(data) && Array.isArray(data["tables"]) ? data["tables"] : [];
  const known = new Set([filesSource, ...[...dataSources, ...projects].map(({ name }) => name)]);
  for (const table of tables) {
    const [source = ""] = String(table).split(".");
    if (known.has(source)) continue;
    throw crash("EntityNotExistsError", `There is no integration with name '${source}': unknown`);
  }
}

function checkNameIsFree(project: Project, name: string): void {
  if (!project.agents.some((agent) => agent.name === name)) return;
  const detail = `Agent with name ${name} already exists. Please choose a different one.`;
  throw problem(409, "Agent already exists", detail);
}

/**
 * The agent with the given fields merged in and keys masked. Empty values change nothing; a null prompt in `params` clears
 * it. Agents are replaced, never changed, so that those of the seed stay as they are.
 */
function applyFields(state: State, agent: Agent, given: Fields): Agent {
  const { data, model, prompt_template: prompt, params: ownParams, ...base } = agent;
  const { prompt_template: cleared, ...params } = isObject(given["params"]) ? given["params"] : {};
  const template = given["prompt_template"] || (cleared === null ? undefined : prompt);
  const hasData = isObject(given["data"]) && Object.keys(given["data"]).length > 0;
  const allParams = { ...ownParams, ...params };
  // Real servers return these fields in this order and omit empty ones.
  const fields = {
    data: hasData ? given["data"] : data,
    model: isObject(given["model"]) ? given["model"] : model,
    prompt_template: typeof template === "string" ? template : undefined,
    params: Object.keys(allParams).length > 0 ? allParams : undefined,
  };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const all = Object.fromEntries(present);
  return { ...base, ...(state.unguarded ? all : (maskKeys(all) as Partial<Agent>)) };
}
