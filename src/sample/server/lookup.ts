// Finds the project, agent or model of a path and throws a reply if it does not exist.
import { findModel } from "../models/models.ts";
import { problem } from "./replies.ts";
import type { Call } from "./call.ts";
import type { Agent, KnowledgeBase, Model, Project, State } from "./state.ts";

/** Where statements look for names: `database` is the database of names without one. */
export interface NameScope {
  state: State;
  database: string;
}

/** Splits the path of a statement into its database and the name in it, which can include a version (`model.2`). */
export function resolveName(
  { state, database }: NameScope,
  path: string[],
): { owner: string; name: string; project: Project | undefined } {
  const [first = database, ...rest] = path.length > 1 ? path : [database, ...path];
  const owner = first.toLowerCase();
  const project = state.projects.find((candidate) => candidate.name === owner);
  return { owner, name: rest.join("."), project };
}

/** The project of a path; the name is case-insensitive. */
export function lookUpProject({ state, params }: Call): Project {
  const name = params["project"] ?? "";
  const found = state.projects.find((project) => project.name === name.toLowerCase());
  if (found) return found;
  throw problem(404, "Project not found", `Project with name ${name} does not exist`);
}

/** The agent of a path; its name is case-sensitive. */
export function lookUpAgent(call: Call): { project: Project; agent: Agent } {
  const project = lookUpProject(call);
  const name = call.params["agent"] ?? "";
  const agent = project.agents.find((candidate) => candidate.name === name);
  if (agent) return { project, agent };
  throw problem(404, "Agent not found", `Agent with name ${name} does not exist`);
}

/** The knowledge base of a path; its name is case-sensitive. */
export function lookUpKnowledgeBase(call: Call): {
  project: Project;
  knowledgeBase: KnowledgeBase;
} {
  const project = lookUpProject(call);
  const name = call.params["kb"] ?? "";
  const knowledgeBase = project.knowledgeBases.find(({ row }) => row.name === name);
  if (knowledgeBase) return { project, knowledgeBase };
  const detail = `Knowledge Base with name ${name} does not exist`;
  throw problem(404, "Knowledge Base not found", detail);
}

/** The model of a path, in the given version or else the active one. Both names are case-sensitive. */
export function lookUpModel(call: Call): { project: Project; model: Model } {
  const project = lookUpProject(call);
  const name = call.params["model"] ?? "";
  const model = findModel(project, name);
  if (model) return { project, model };
  throw problem(404, "Model not found", `Model with name ${name} not found`);
}
