import type { ServerAccess } from "../../connections/connection.ts";
import { listModels } from "../../mindsdb/models.ts";
import type { Model } from "../../mindsdb/listItems.ts";
import { listProjects } from "../../mindsdb/projects.ts";
import type { ModelName } from "../notebook/modelName.ts";

/** Milliseconds for which a list of models is used. */
const maxAgeMs = 30_000;

export interface NamedModel {
  project: string;
  model: Model;
}

/** Whether a model exists; "unclear" if the server could not be asked or does not list all models. */
export type ModelState = "exists" | "noProject" | "noModel" | "noVersion" | "unclear";

interface ModelLists {
  at: number;
  /** Undefined if the request failed. */
  models: Promise<Map<string, Model[]> | undefined>;
}

/** The models of each connection, for completion and problems. Never shows a dialog. */
export class KnownModels {
  readonly #servers: ServerAccess;
  readonly #lists = new Map<string, ModelLists>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** All models of a connection; none if the request fails. A run will show the error. */
  async list(connectionId: string | undefined): Promise<NamedModel[]> {
    if (connectionId === undefined) return [];
    const models = [...((await this.#models(connectionId)) ?? [])];
    return models.flatMap(([project, list]) => list.map((model) => ({ project, model })));
  }

  /** Whether a model exists. Requests the list again only if it is old and lacks the model. */
  async checkModel(connectionId: string | undefined, name: ModelName): Promise<ModelState> {
    if (connectionId === undefined) return "unclear";
    const kept = this.#lists.get(connectionId);
    if (kept && stateIn(await kept.models, name) === "exists") return "exists";
    return stateIn(await this.#models(connectionId), name);
  }

  /** Forgets the models of a connection, or of all connections. */
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
  return hasVersion ? "exists" : "noVersion";
}
