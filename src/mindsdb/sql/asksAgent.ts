import { listAgents } from "../agents.ts";
import { isAppError, isCancelled } from "../errors.ts";
import type { CallOptions, Client } from "../http/client.ts";
import type { CostConsent } from "../http/costConsent.ts";
import { isSameName } from "../nameOrder.ts";
import { defaultProjectName, listProjects } from "../projects.ts";
import { listingUse } from "./listingUse.ts";
import { findTables, kindOfSql } from "./statementKind.ts";
import { isFreeTable } from "./tableName.ts";
import { listViews } from "./views.ts";

/** Maximum views that are followed; more count as an agent. */
const maxViews = 20;

type ProjectLists = Map<string, Promise<ProjectTables>>;

/** The lists that a run has read, so that its pages and counts ask for none again. */
const listsOfRuns = new WeakMap<CostConsent, ProjectLists>();

/**
 * Whether a statement may cost money: by its text, or because it may read from an agent. Throws if the server cannot be
 * reached, so that the error is the one that the statement would have.
 */
export async function mayCost(
  client: Client,
  sql: string,
  { signal, consent }: { signal?: AbortSignal | undefined; consent?: CostConsent | undefined } = {},
): Promise<boolean> {
  if (kindOfSql(sql) === "costsMoney") return true;
  const lists: ProjectLists =
    (consent && listsOfRuns.get(consent)) ?? new Map<string, Promise<ProjectTables>>();
  if (consent) listsOfRuns.set(consent, lists);
  try {
    return await new AgentSearch(client, { signal }, lists).mayAsk(sql);
  } catch (error) {
    if (isCancelled(error) || isAppError(error, "unreachable", "signInNeeded")) throw error;
    return true;
  }
}

/**
 * Whether a statement may read from an agent, itself or through a view. That costs money without a question, too: 26.1.0
 * asks an agent whatever the condition is about, and both versions ask one that is joined once for each row. Also true
 * where that is not known: for text that the server may read in another way, and if its lists cannot be read.
 */
export async function asksAgent(
  client: Client,
  sql: string,
  options: CallOptions = {},
): Promise<boolean> {
  try {
    return await new AgentSearch(client, options).mayAsk(sql);
  } catch (error) {
    if (isCancelled(error)) throw error;
    return true;
  }
}

/**
 * Whether a statement may read a listing of the server's objects through a view, however many views are between. Also
 * true where that is not known.
 */
export async function readsListingByView(
  client: Client,
  sql: string,
  options: CallOptions = {},
): Promise<boolean> {
  try {
    return await new AgentSearch(client, options).mayReadListing(sql);
  } catch (error) {
    if (isCancelled(error)) throw error;
    return true;
  }
}

/** Looks tables up in the lists of their projects. Two requests for each project, and one for the default one's name. */
class AgentSearch {
  readonly #client: Client;
  readonly #options: CallOptions;
  readonly #projects: ProjectLists;
  readonly #views = new Set<string>();
  #defaultProject: Promise<string> | undefined;

  constructor(client: Client, options: CallOptions, projects: ProjectLists = new Map()) {
    this.#projects = projects;
    this.#client = client;
    this.#options = options;
  }

  async mayAsk(sql: string): Promise<boolean> {
    const { tables, isSure } = findTables(sql);
    if (!isSure) return true;
    const paths = tables.filter((table) => !isFreeTable(table)).flatMap((table) => table.readings);
    for (const path of paths) if (await this.#isAgent(path)) return true;
    return false;
  }

  async mayReadListing(sql: string): Promise<boolean> {
    const { tables, isSure } = findTables(sql);
    if (!isSure) return true;
    const paths = tables.filter((table) => !isFreeTable(table)).flatMap((table) => table.readings);
    for (const path of paths) {
      const views = await this.#findNewViews(path);
      if (this.#views.size > maxViews) return true;
      for (const { query } of views) {
        if (listingUse(query) !== "none" || (await this.mayReadListing(query))) return true;
      }
    }
    return false;
  }

  async #isAgent(path: string[]): Promise<boolean> {
    const lists = await this.#readLists(path);
    const name = path.at(-1) ?? "";
    if (lists?.agents.some((agent) => isSameName(agent, name))) return true;
    for (const { query } of await this.#findNewViews(path)) {
      if (this.#views.size > maxViews || (await this.mayAsk(query))) return true;
    }
    return false;
  }

  /** The views of a name that were not followed before. */
  async #findNewViews(path: string[]): Promise<ProjectTables["views"]> {
    const lists = await this.#readLists(path);
    const found = (lists?.views ?? []).filter(({ name }) => isSameName(name, path.at(-1) ?? ""));
    return found.filter(({ name, query }) => {
      const key = JSON.stringify([path.slice(0, -1).join().toLowerCase(), name, query]);
      const isNew = !this.#views.has(key);
      this.#views.add(key);
      return isNew;
    });
  }

  /** The lists of the project that a name is in, if it may be in one. */
  async #readLists(path: string[]): Promise<ProjectTables | undefined> {
    if (path.length > 2) return undefined;
    const [project = ""] = path.length === 2 ? path : [await this.#readDefaultProject()];
    const key = project.toLowerCase();
    const lists = this.#projects.get(key) ?? readProject(this.#client, key, this.#options);
    this.#projects.set(key, lists);
    // Read again by the next statement.
    lists.catch(() => this.#projects.delete(key));
    return lists;
  }

  /** The project of names without one. */
  #readDefaultProject(): Promise<string> {
    this.#defaultProject ??= listProjects(this.#client, this.#options).then(
      (projects) => projects.find(({ isDefault }) => isDefault)?.name ?? defaultProjectName,
    );
    return this.#defaultProject;
  }
}

interface ProjectTables {
  agents: string[];
  views: { name: string; query: string }[];
}

/** Empty if there is no such project: the name may be a data source's. */
async function readProject(
  client: Client,
  project: string,
  options: CallOptions,
): Promise<ProjectTables> {
  try {
    const [agents, views] = await Promise.all([
      listAgents(client, project, options),
      listViews(client, project, options),
    ]);
    return { agents: agents.map(({ name }) => name), views };
  } catch (error) {
    if (isAppError(error, "notFound")) return { agents: [], views: [] };
    throw error;
  }
}
