// The models of each connection, for what helps while a recipe is written: asked for once in a while, and never with a dialog.
import type { ServerAccess } from "../../connections/connection.ts";
import { listModels, type Model } from "../../mindsdb/models.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import type { ModelName } from "../notebook/modelName.ts";

/** A server's models are asked for once in this time, in ms. */
const maxAgeMs = 30_000;

export interface NamedModel {
  project: string;
  model: Model;
}

/** Whether there is such a model; "unclear" where the server could not be asked, or does not list all there is. */
export type ModelState = "there" | "noProject" | "noModel" | "noVersion" | "unclear";

interface ModelLists {
  at: number;
  /** Undefined where the lists could not be had. */
  models: Promise<Map<string, Model[]> | undefined>;
}

export class KnownModels {
  readonly #servers: ServerAccess;
  readonly #lists = new Map<string, ModelLists>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** All models of a connection. A server that cannot be asked has none here; a run will say why. */
  async list(connectionId: string | undefined): Promise<NamedModel[]> {
    if (connectionId === undefined) return [];
    const models = [...((await this.#models(connectionId)) ?? [])];
    return models.flatMap(([project, list]) => list.map((model) => ({ project, model })));
  }

  /** Asks the server again only for what is not in a list that is no longer fresh. */
  async stateOf(connectionId: string | undefined, name: ModelName): Promise<ModelState> {
    if (connectionId === undefined) return "unclear";
    const kept = this.#lists.get(connectionId);
    if (kept && stateIn(await kept.models, name) === "there") return "there";
    return stateIn(await this.#models(connectionId), name);
  }

  /** What is known of a connection may be different now; of all of them without an id. */
  forget(connectionId?: string): void {
    if (connectionId === undefined) this.#lists.clear();
    else this.#lists.delete(connectionId);
  }

  #models(connectionId: string): ModelLists["models"] {
    const kept = this.#lists.get(connectionId);
    if (kept && Date.now() - kept.at < maxAgeMs) return kept.models;
    const models = this.#load(connectionId).catch(() => undefined);
    this.#lists.set(connectionId, { at: Date.now(), models });
    return models;
  }

  async #load(connectionId: string): Promise<Map<string, Model[]>> {
    const client = await this.#servers.client(connectionId);
    const projects = await listProjects(client);
    const lists = await Promise.all(
      projects.map(async ({ name }) => [name, await listModels(client, name)] as const),
    );
    return new Map(lists);
  }
}

function stateIn(models: Map<string, Model[]> | undefined, name: ModelName): ModelState {
  if (!models) return "unclear";
  const model = models.get(name.project)?.find((one) => one.name === name.name);
  if (!model) return models.has(name.project) ? "noModel" : "noProject";
  const hasVersion =
    name.version === undefined || model.versions.some(({ version }) => version === name.version);
  return hasVersion ? "there" : "noVersion";
}
