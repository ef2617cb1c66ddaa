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

interface KeptLists {
  at: number;
  /** The models by project. Undefined if a request failed. */
  models: Promise<Map<string, Model[]> | undefined>;
}

/** The models of each connection, for completion and problems. Never shows a dialog. */
export class KnownModels {
  readonly #servers: ServerAccess;
  /** By connection: all projects, or only the one that a model was looked for in. */
  readonly #lists = new Map<string, KeptLists>();
  readonly #projectLists = new Map<string, Map<string, KeptLists>>();

  constructor(servers: ServerAccess) {
    this.#servers = servers;
  }

  /** All models of a connection; none if the request fails. A run will show the error. */
  async list(connectionId: string | undefined): Promise<NamedModel[]> {
    if (connectionId === undefined) return [];
    const models = [...((await this.#models(connectionId)) ?? [])];
    return models.flatMap(([project, list]) => list.map((model) => ({ project, model })));
  }

  /**
   * Whether a model exists. Requests a list again only if it is old and lacks the model. Asks for the model's own project
   * first: a server that has just started needs seconds to list its projects (26.1.0), and the cell may run meanwhile.
   */
  async checkModel(connectionId: string | undefined, name: ModelName): Promise<ModelState> {
    if (connectionId === undefined) return "unclear";
    const kept = [
      this.#lists.get(connectionId),
      this.#projectLists.get(connectionId)?.get(name.project),
    ];
    for (const lists of kept) {
      if (lists && stateIn(await lists.models, name) === "exists") return "exists";
    }
    const inProject = await this.#modelsInProject(connectionId, name.project);
    if (stateIn(inProject, name) === "exists") return "exists";
    return stateIn(await this.#models(connectionId), name);
  }

  /** Forgets the models of a connection, or of all connections. */
  forget(connectionId?: string): void {
    for (const lists of [this.#lists, this.#projectLists]) {
      if (connectionId === undefined) lists.clear();
      else lists.delete(connectionId);
    }
  }

  #models(connectionId: string): KeptLists["models"] {
    return keep(this.#lists, connectionId, () => this.#load(connectionId));
  }

  #modelsInProject(connectionId: string, project: string): KeptLists["models"] {
    let lists = this.#projectLists.get(connectionId);
    if (!lists) this.#projectLists.set(connectionId, (lists = new Map<string, KeptLists>()));
    return keep(lists, project, async () => {
      const client = await this.#servers.client(connectionId);
      return new Map([[project, await listModels(client, project)]]);
    });
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

/** Returns the lists of a key, requested again if they are old. */
function keep(
  all: Map<string, KeptLists>,
  key: string,
  load: () => Promise<Map<string, Model[]>>,
): KeptLists["models"] {
  const kept = all.get(key);
  if (kept && Date.now() - kept.at < maxAgeMs) return kept.models;
  const models = load().catch(() => undefined);
  all.set(key, { at: Date.now(), models });
  return models;
}

function stateIn(models: Map<string, Model[]> | undefined, name: ModelName): ModelState {
  if (!models) return "unclear";
  const model = models.get(name.project)?.find((one) => one.name === name.name);
  if (!model) return models.has(name.project) ? "noModel" : "noProject";
  const hasVersion =
    name.version === undefined || model.versions.some(({ version }) => version === name.version);
  return hasVersion ? "exists" : "noVersion";
}
