// Finds the project, agent or model of a path and throws the errors of real servers if it does not exist.
import { findModel } from "./models.ts";
import { crash, problem } from "./replies.ts";
import type { Call } from "./call.ts";
import type { Agent, Model, Project } from "./state.ts";

/** The project of a path; the name is case-insensitive. `words` starts the error message, which differs between routes. */
export function projectOf({ state, params }: Call, words = "Project with name"): Project {
  const name = params["project"] ?? "";
  const found = state.projects.find((project) => project.name === name.toLowerCase());
  if (found) return found;
  throw problem(404, "Project not found", `${words} ${name} does not exist`);
}

/** Whether the path has the project's name in the right case. With another case, real servers return empty lists. */
export function isExact({ params }: Call, project: Project): boolean {
  return params["project"] === project.name;
}

/** The agent of a path; its name is case-sensitive. */
export function agentOf(call: Call): { project: Project; agent: Agent } {
  const project = projectOf(call);
  const name = call.params["agent"] ?? "";
  const agent = project.agents.find((candidate) => candidate.name === name);
  if (agent) return { project, agent };
  throw problem(404, "Agent not found", `Agent with name ${name} does not exist`);
}

/** The model of a path, in the given version or else the active one. Both names are case-sensitive. */
export function modelOf(call: Call, words = "Project name"): { project: Project; model: Model } {
  const project = projectOf(call, words);
  if (!isExact(call, project)) {
    throw crash("AttributeError", "'NoneType' object has no attribute 'data'");
  }
  const name = call.params["model"] ?? "";
  const model = findModel(project, name);
  if (model) return { project, model };
  throw problem(404, "Model not found", `Model with name ${name} not found`);
}
