import type { ServerAccess } from "../../shared/connection.ts";
import { listModels } from "../../mindsdb/models.ts";
import type { Model, ModelVersion } from "../../mindsdb/listItems.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import { listAskedProjects } from "../../mindsdb/projects.ts";
import { findModelJoin, type ModelJoin } from "../notebook/modelJoin.ts";
import type { ModelName } from "../notebook/modelName.ts";
import { AnswerCache, type Known } from "./answerCache.ts";

interface NamedModel {
  project: string;
  model: Model;
}

/** Whether a model exists; "unclear" if the server could not be asked or does not list all models. */
export type ModelState = "exists" | "noProject" | "noModel" | "noVersion" | "unclear";

/** Models by project. */
type ModelLists = Map<string, Model[]>;

/** Not the name of a project. */
const allProjects = "";

/** The models of each connection, for completion and problems. Never shows a dialog. */
export class KnownModels {
  readonly #servers: ServerAccess;
  /** Of all projects (`allProjects`), or of the one that a model was looked for in. */
  readonly #lists: AnswerCache<ModelLists>;

  constructor(servers: ServerAccess, isTrusted: () => boolean) {
    this.#servers = servers;
    this.#lists = new AnswerCache(isTrusted);
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
    for (const key of [allProjects, name.project]) {
      const models = await this.#lists.peek(connectionId, key);
      if (stateIn(models, name) === "exists") return "exists";
    }
    const inProject = await this.#modelsInProject(connectionId, name.project);
    if (stateIn(inProject, name) === "exists") return "exists";
    return stateIn(await this.#models(connectionId), name);
  }

  /** A model's version that requests reach, as far as it is known after `checkModel`. */
  async findKnown(connectionId: string, name: ModelName): Promise<ModelVersion | undefined> {
    const all = await this.#lists.peek(connectionId, allProjects);
    return (
      findVersion(all, name) ??
      findVersion(await this.#lists.peek(connectionId, name.project), name)
    );
  }

  /** The models of a project, as far as they are known now. */
  know(connectionId: string, project: string): Known<Model[]> {
    const { value, ...rest } = this.#lists.know(connectionId, project, () =>
      this.#loadProject(connectionId, project),
    );
    return { ...rest, value: value?.get(project) };
  }

  /** The join of a statement with a model. Requests the models only if the statement joins anything. */
  async findJoin(connectionId: string | undefined, sql: string): Promise<ModelJoin | undefined> {
    const joinsAnything = findModelJoin(sql, () => ({ target: undefined })) !== undefined;
    if (connectionId === undefined || !joinsAnything) return undefined;
    const models = await this.#models(connectionId);
    return findModelJoin(sql, (name) => {
      if (!models || stateIn(models, name) !== "exists") return undefined;
      const found = models.get(name.project)?.find((one) => one.name === name.name);
      return { target: found?.current.target };
    });
  }

  /** Forgets the models of a connection, or of all connections. */
  forget(connectionId?: string): void {
    this.#lists.forget(connectionId);
  }

  #models(connectionId: string): Promise<ModelLists | undefined> {
    return this.#lists.get(connectionId, allProjects, () => this.#load(connectionId));
  }

  #modelsInProject(connectionId: string, project: string): Promise<ModelLists | undefined> {
    return this.#lists.get(connectionId, project, () => this.#loadProject(connectionId, project));
  }

  async #loadProject(connectionId: string, project: string): Promise<ModelLists> {
    const client = await this.#servers.client(connectionId);
    return new Map([[project, await listModels(client, project)]]);
  }

  async #load(connectionId: string): Promise<ModelLists> {
    const client = await this.#servers.client(connectionId);
    const lists = await inParallel(await listAskedProjects(client), async ({ name }) => {
      return [name, await listModels(client, name)] as const;
    });
    return new Map(lists);
  }
}

function stateIn(models: ModelLists | undefined, name: ModelName): ModelState {
  if (!models) return "unclear";
  if (findVersion(models, name)) return "exists";
  if (findVersion(models, { ...name, version: undefined })) return "noVersion";
  return models.has(name.project) ? "noModel" : "noProject";
}

function findVersion(
  models: ModelLists | undefined,
  { project, name, version }: ModelName,
): ModelVersion | undefined {
  const model = models?.get(project)?.find((one) => one.name === name);
  if (version === undefined) return model?.current;
  return model?.versions.find((one) => one.version === version);
}
