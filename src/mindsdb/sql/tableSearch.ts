// Looks up on the server what the names in a statement are: agents, hosted models, views, listings, or tables of data
// sources.
import { listAgents } from "../agents.ts";
import { listDatabases } from "../dataSources.ts";
import { isAppError, isCancelled, type AppErrorKind } from "../errors.ts";
import type { CallOptions, Client } from "../http/client.ts";
import type { CostConsent } from "../http/costConsent.ts";
import { hostedEngines } from "../hostedEngines.ts";
import type { Project, View } from "../listItems.ts";
import { findVersion, listModels } from "../models.ts";
import { isSameName } from "../nameOrder.ts";
import { defaultProjectName, listProjects } from "../projects.ts";
import { listMlEngines } from "../mlEngines.ts";
import { listingUse, type ListingUse } from "./listingUse.ts";
import { findTables, kindOfSql, type NamedTables } from "./statementKind.ts";
import { isColumnList, isFreeTable } from "./tableName.ts";
import { listViews } from "./views.ts";

/** Maximum views that are followed, and characters of their queries, which take 50 ms; more count as an agent and a listing. */
const maxViews = 20;
const maxViewText = 100_000;

export interface SearchOptions {
  signal?: AbortSignal | undefined;
  /** The project or data source of names without one, if it is not the default project. */
  database?: string | undefined;
  /** That of the run, so that its pages and counts read no list again. */
  consent?: CostConsent | undefined;
}

/** Lists of a server, read when they are first needed. A list that could not be read is read again. */
class ServerLists {
  readonly #lists = new Map<string, Promise<unknown>>();

  read<T>(name: string, read: () => Promise<T>): Promise<T> {
    const list = (this.#lists.get(name) as Promise<T> | undefined) ?? read();
    this.#lists.set(name, list);
    list.catch(() => this.#lists.delete(name));
    return list;
  }
}

/** Where a table, an agent or a view may be: the project in lower case, and the name. */
interface Path {
  project: string;
  name: string;
}

const listsOfRuns = new WeakMap<CostConsent, ServerLists>();

/** A search for the tables of one statement. */
export function searchTables(client: Client, options: SearchOptions): TableSearch {
  return new TableSearch(client, options);
}

/** At most three requests for each project that a statement names, one for each model, and three for the server. */
class TableSearch {
  readonly #client: Client;
  readonly #options: CallOptions;
  readonly #lists: ServerLists;
  /** Where names without a project may be too; also those of a view, which may be in either. */
  readonly #databases: string[];
  readonly #views = new Set<string>();
  #viewText = 0;

  constructor(client: Client, { signal, consent, database }: SearchOptions) {
    this.#databases = database === undefined ? [] : [database];
    this.#client = client;
    this.#options = { signal };
    this.#lists = (consent && listsOfRuns.get(consent)) ?? new ServerLists();
    if (consent) listsOfRuns.set(consent, this.#lists);
  }

  /** Whether a statement may read from an agent or a hosted model, itself or through views. */
  async mayAsk(sql: string): Promise<boolean> {
    const { isSure, ...named } = findTables(sql);
    if (!isSure) return true;
    for (const path of await this.#findPaths(named)) {
      const agents = await this.#lists.read(`agents of ${path.project}`, () =>
        orEmpty(listAgents(this.#client, path.project, this.#options)),
      );
      if (agents.some(({ name }) => isSameName(name, path.name))) return true;
      if (await this.#isHostedModel(path)) return true;
      if (await this.#mayViewsAsk(await this.#findNewViews(path))) return true;
    }
    for (const project of await this.#findDescribedProjects(sql, named)) {
      if (await this.#mayViewsAsk(await this.#findNewViews({ project }))) return true;
    }
    return false;
  }

  async #mayViewsAsk(views: readonly View[]): Promise<boolean> {
    for (const { query } of views) {
      if (this.#isTooMuch(query) || kindOfSql(query) !== "read") return true;
      if (await this.mayAsk(query)) return true;
    }
    return false;
  }

  /**
   * The projects whose views the server may run because a statement reads the columns of their tables: the default project,
   * and those that a condition names, which is a text unless it comes from elsewhere.
   */
  async #findDescribedProjects(
    sql: string,
    { tables }: Omit<NamedTables, "isSure">,
  ): Promise<string[]> {
    if (!tables.some(isColumnList)) return [];
    const projects = await this.#readProjects();
    const text = sql.toLowerCase();
    const isNamedHere = tables.length === 1 && !/[:?@]/.test(text);
    return projects
      .filter(({ name, isDefault }) => {
        // Others may be written with escapes.
        const isPlain = /^[\w -]+$/.test(name);
        return isDefault || !isNamedHere || !isPlain || text.includes(name.toLowerCase());
      })
      .map(({ name }) => name.toLowerCase());
  }

  /** Whether a provider runs the model at a path. Also true where its engine is not told. */
  async #isHostedModel({ project, name }: Path): Promise<boolean> {
    const models = await this.#lists.read(`models of ${project}`, () =>
      orEmpty(listModels(this.#client, project, this.#options)),
    );
    const model = models.find((one) => isSameName(one.name, name));
    if (!model) return false;
    const found = await this.#lists.read(`engine of ${project}.${model.name}`, () =>
      findVersion(this.#client, { project, name: model.name }, this.#options),
    );
    const engine = found?.engine;
    if (engine === undefined) return true;
    const engines = await this.#lists.read("engines", () =>
      listMlEngines(this.#client, this.#options),
    );
    return hostedEngines.has(engines.find((one) => one.name === engine)?.handler ?? engine);
  }

  /** How a statement uses listings of the server's objects: "derived" through views, "none" in data sources' tables. */
  async listingUse(sql: string): Promise<ListingUse> {
    const use = await this.#ownListingUse(sql);
    if (use !== "none") return use;
    for (const path of await this.#findPaths(findTables(sql))) {
      for (const { query } of await this.#findNewViews(path)) {
        if (this.#isTooMuch(query) || (await this.listingUse(query)) !== "none") {
          return "derived";
        }
      }
    }
    return "none";
  }

  /** Whether a statement may read from one of these databases (in lower case), itself or through views. */
  async mayReadFrom(sql: string, databases: ReadonlySet<string>): Promise<boolean> {
    const named = findTables(sql);
    const owners = [
      ...named.natives.flatMap(({ readings }) => readings.map(([owner]) => owner)),
      ...named.tables.flatMap(({ readings }) =>
        readings.flatMap(([owner, ...name]) => (name.length > 0 ? [owner] : this.#databases)),
      ),
    ];
    if (owners.some((owner = "") => databases.has(owner.toLowerCase()))) return true;
    for (const path of await this.#findPaths(named)) {
      for (const { query } of await this.#findNewViews(path)) {
        if (this.#isTooMuch(query) || (await this.mayReadFrom(query, databases))) return true;
      }
    }
    return false;
  }

  /** Whether this query of a view is not read, after those that were. */
  #isTooMuch(query: string): boolean {
    this.#viewText += query.length;
    return this.#views.size > maxViews || this.#viewText > maxViewText;
  }

  async #ownListingUse(sql: string): Promise<ListingUse> {
    const use = listingUse(sql);
    // Whether a name is a data source's is asked only where it matters.
    if (use === "none" || listingUse(sql, () => true) === use) return use;
    const databases = await this.#lists.read("databases", () =>
      listDatabases(this.#client, this.#options),
    );
    return listingUse(sql, (schema) => {
      const named = databases.filter(({ name }) => isSameName(name, schema));
      return named.length > 0 && named.every(({ kind }) => kind === "data" || kind === "vectors");
    });
  }

  /** The views at a path, or all of a project, that were not followed before. */
  async #findNewViews({
    project,
    name: wanted,
  }: Partial<Path> & Pick<Path, "project">): Promise<View[]> {
    const views = await this.#lists.read(`views of ${project}`, () =>
      listViews(this.#client, project, this.#options),
    );
    const found = views.filter(({ name }) => wanted === undefined || isSameName(name, wanted));
    return found.filter(({ name, query }) => {
      const key = JSON.stringify([project, name, query.length > maxViewText ? "" : query]);
      const isNew = !this.#views.has(key);
      this.#views.add(key);
      return isNew;
    });
  }

  /** Where in projects the named tables may be. */
  async #findPaths({ tables, natives }: Omit<NamedTables, "isSure">): Promise<Path[]> {
    const runners = natives.flatMap(({ readings }) => readings.map((parts) => parts.join(".")));
    const readings = tables.filter((table) => !isFreeTable(table)).flatMap((one) => one.readings);
    const paths: Path[] = [];
    for (const parts of readings) {
      const name = parts.at(-1) ?? "";
      // Of longer names, EXPLAIN and SHOW COLUMNS read the first part and the last.
      const projects =
        parts.length > 1
          ? [parts[0]!]
          : [await this.#readDefaultProject(), ...this.#databases, ...runners];
      paths.push(...projects.map((project) => ({ project: project.toLowerCase(), name })));
    }
    return paths;
  }

  /** The project of names without one. */
  async #readDefaultProject(): Promise<string> {
    const projects = await this.#readProjects();
    return projects.find(({ isDefault }) => isDefault)?.name ?? defaultProjectName;
  }

  #readProjects(): Promise<Project[]> {
    return this.#lists.read("projects", () => listProjects(this.#client, this.#options));
  }
}

/** The agents; none if there is no such project: the name may be a data source's. */
async function orEmpty<T>(list: Promise<T[]>): Promise<T[]> {
  try {
    return await list;
  } catch (error) {
    if (isAppError(error, "notFound")) return [];
    throw error;
  }
}

/**
 * Returns the result of a search, or `unknown` if the server's lists cannot be read. Rethrows cancellation and errors
 * of the kinds in `thrown`.
 */
export async function orUnknown<T>(
  found: Promise<T>,
  unknown: T,
  thrown: readonly AppErrorKind[] = [],
): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (isCancelled(error) || isAppError(error, ...thrown)) throw error;
    return unknown;
  }
}

/** The errors that the statement itself would have. */
export const errorsOfStatement: readonly AppErrorKind[] = ["unreachable", "signInNeeded"];
