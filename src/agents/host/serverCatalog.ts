// The tables and knowledge bases of one server, for agent forms. A part that cannot be read is left out, not thrown.
import type { PlannedChange, ServerAccess } from "../../shared/connection.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { nullIfAbsent } from "../../mindsdb/isListAbsent.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import type { KnowledgeBase, Project, ProjectItem } from "../../mindsdb/listItems.ts";
import type { AgentDraft } from "../agentDraft.ts";
import {
  formatEntry,
  isPattern,
  matches,
  findOwner,
  splitEntry,
  withOwner,
  type Parts,
} from "../../mindsdb/dataPatterns.ts";
import type { DescribedData } from "../draftInstruction.ts";
import type { Counts, LoadedData } from "../validation.ts";
import { maxConnected } from "../modelProviders.ts";

/** The tables of a data source, or the knowledge bases of a project; `items` is undefined if they could not be read. */
export interface DataSourceItems {
  owner: string;
  items: Parts[] | undefined;
}

/** A database behind the server may be slow; then only its tables are unknown. */
const requestOptions: CallOptions = { timeoutMs: 10_000 };

export class ServerCatalog {
  readonly connectionId: string;
  readonly #servers: ServerAccess;

  constructor(servers: ServerAccess, connectionId: string) {
    this.#servers = servers;
    this.connectionId = connectionId;
  }

  client(): Promise<Client> {
    return this.#servers.client(this.connectionId);
  }

  allowWrite(change: PlannedChange): Promise<boolean> {
    return this.#servers.allowWrite(this.connectionId, change);
  }

  /**
   * Reads the data that a draft is checked against. `except` is the name of the edited agent, which may keep its name.
   * `failure` is set if the server could not be asked at all.
   */
  async load(
    draft: Pick<AgentDraft, "project" | "tables" | "knowledgeBases">,
    except?: string,
  ): Promise<{ seen: LoadedData; failure?: Error }> {
    const { project, tables, knowledgeBases } = draft;
    const seen: LoadedData = {
      project,
      items: null,
      projects: null,
      defaultModel: null,
      tables: {},
      knowledgeBases: {},
    };
    try {
      const client = await this.client();
      const [{ listProjects }, { getDefaultModels, listDatabases }] = await Promise.all([
        import("../../mindsdb/projects.ts"),
        import("../../mindsdb/dataSources.ts"),
      ]);
      const [projects, databases, models, items] = await Promise.all([
        listProjects(client).catch(nullIfAbsent),
        listDatabases(client).catch(nullIfAbsent),
        // Reading the configuration may be forbidden.
        getDefaultModels(client).catch(() => null),
        this.listItems(project).catch(() => null),
      ]);
      seen.projects = projects?.map(({ name }) => name) ?? null;
      seen.items = items?.filter(({ name }) => name !== except) ?? null;
      seen.defaultModel =
        models &&
        [models.language?.provider, models.language?.modelName].filter(Boolean).join(" · ");
      // Without the list of databases nothing can be counted.
      if (!databases) return { seen };
      const defaultProject = findDefaultProject(projects ?? []) ?? project;
      const byName = new Map(databases.map((one) => [one.name.toLowerCase(), one]));
      seen.tables = await this.#count(tables, (owner) => {
        const database = byName.get(owner.toLowerCase());
        // Servers differ in which databases other than data sources have tables.
        if (database && database.kind !== "data") return Promise.resolve(undefined);
        return database ? this.#listTables(client, database.name) : Promise.resolve([]);
      });
      seen.knowledgeBases = await this.#count(
        knowledgeBases,
        async (owner) => {
          const database = byName.get(owner.toLowerCase());
          return database?.kind === "project"
            ? this.#listKnowledgeBases(client, database.name)
            : [];
        },
        defaultProject,
      );
      return { seen };
    } catch (failure) {
      return { seen, failure: failure as Error };
    }
  }

  /** Everything in a project, whose names a new agent cannot have. */
  async listItems(project: string, signal?: AbortSignal): Promise<ProjectItem[]> {
    const { listProjectItems } = await import("../../mindsdb/projectItems.ts");
    return listProjectItems(await this.client(), project, { ...requestOptions, signal });
  }

  async listTables(): Promise<DataSourceItems[]> {
    const client = await this.client();
    const { listDatabases } = await import("../../mindsdb/dataSources.ts");
    const databases = await listDatabases(client, requestOptions);
    const sources = databases.filter(({ kind }) => kind === "data");
    return inParallel(sources, async ({ name: owner }) => {
      return { owner, items: await this.#listTables(client, owner) };
    });
  }

  async listKnowledgeBases(): Promise<DataSourceItems[]> {
    const client = await this.client();
    const { listProjects } = await import("../../mindsdb/projects.ts");
    return inParallel(await listProjects(client, requestOptions), async ({ name: owner }) => {
      return { owner, items: await this.#listKnowledgeBases(client, owner) };
    });
  }

  /** Reads the columns of the connected data for a drafted instruction; at most `maxConnected` items. */
  async describe(
    draft: Pick<AgentDraft, "project" | "tables" | "knowledgeBases">,
  ): Promise<DescribedData> {
    const client = await this.client();
    const [{ readFirstRows }, { listKnowledgeBases }, { listProjects }] = await Promise.all([
      import("../../mindsdb/tables.ts"),
      import("../../mindsdb/knowledgeBases.ts"),
      import("../../mindsdb/projects.ts"),
    ]);
    const defaultProject =
      findDefaultProject(await listProjects(client, requestOptions)) ?? draft.project;
    const tables = resolveEntries(draft.tables, await this.#listEntryItems(draft.tables, "tables"));
    const entries = draft.knowledgeBases.map((entry) => withOwner(entry, defaultProject));
    const bases = resolveEntries(entries, await this.#listEntryItems(entries, "knowledgeBases"));
    const room = Math.max(0, maxConnected - tables.length);
    const rows = new Map<string, KnowledgeBase[]>();
    for (const project of new Set(bases.map(([owner = ""]) => owner))) {
      rows.set(project, await listKnowledgeBases(client, project, requestOptions).catch(() => []));
    }
    return {
      tables: await inParallel(tables.slice(0, maxConnected), async (parts) => {
        const { columns } = await readFirstRows(client, parts, 1, requestOptions).catch(() => ({
          columns: [],
        }));
        return { name: formatEntry(parts), columns };
      }),
      knowledgeBases: bases.slice(0, room).map((parts) => {
        // few: the knowledge bases that a new agent is connected to.
        const row = rows.get(parts[0] ?? "")?.find(({ name }) => name === parts[1]);
        return {
          name: formatEntry(parts),
          contentColumns: row?.contentColumns ?? [],
          metadataColumns: row?.metadataColumns ?? [],
        };
      }),
      others: Math.max(0, tables.length - maxConnected) + Math.max(0, bases.length - room),
    };
  }

  /** Throws AppError "notFound" if the agent does not exist. */
  async readAgent(project: string, name: string, signal?: AbortSignal): Promise<StoredAgent> {
    const client = await this.client();
    const { getAgent } = await import("../../mindsdb/agents.ts");
    return getAgent(client, project, name, { signal });
  }

  async #listEntryItems(
    entries: readonly string[],
    of: "tables" | "knowledgeBases",
  ): Promise<DataSourceItems[]> {
    const client = await this.client();
    return inParallel(listOwners(entries), async (owner) => {
      const items =
        of === "tables" ? this.#listTables(client, owner) : this.#listKnowledgeBases(client, owner);
      return { owner, items: await items };
    });
  }

  async #count(
    entries: readonly string[],
    itemsOf: (owner: string) => Promise<Parts[] | undefined>,
    defaultOwner?: string,
  ): Promise<Counts> {
    const whole = (entry: string) => (defaultOwner ? withOwner(entry, defaultOwner) : entry);
    const sources = await inParallel(listOwners(entries.map(whole)), async (owner) => {
      return { owner, items: await itemsOf(owner) };
    });
    const find = createFinder(sources);
    return Object.fromEntries(entries.map((entry) => [entry, find(whole(entry))?.length ?? null]));
  }

  async #listTables(client: Client, source: string): Promise<Parts[] | undefined> {
    const { listTables } = await import("../../mindsdb/dataSources.ts");
    const tables = await listTables(client, source, requestOptions).catch(unlessSignedOut);
    return tables?.map(({ schema, name }) =>
      schema === undefined ? [source, name] : [source, schema, name],
    );
  }

  async #listKnowledgeBases(client: Client, project: string): Promise<Parts[] | undefined> {
    const { listKnowledgeBases } = await import("../../mindsdb/knowledgeBases.ts");
    const bases = await listKnowledgeBases(client, project, requestOptions).catch(unlessSignedOut);
    return bases?.map(({ name }) => [project, name]);
  }
}

function findDefaultProject(projects: readonly Project[]): string | undefined {
  return projects.find(({ isDefault }) => isDefault)?.name;
}

/** Characters of all entries that are compared with names: half a second. */
const maxCompared = 4_000_000;

/**
 * Returns a function that finds the items that an entry matches: undefined if its owner's items are unknown, or if too much
 * was compared.
 */
export function createFinder(
  sources: readonly DataSourceItems[],
): (entry: string) => Parts[] | undefined {
  const byOwner = new Map<string, { items: Parts[] | undefined; byName: Map<string, Parts[]> }>();
  for (const { owner, items } of sources) {
    const byName = new Map<string, Parts[]>();
    for (const parts of items ?? []) {
      const same = byName.get(nameOf(parts)) ?? [];
      same.push(parts);
      byName.set(nameOf(parts), same);
    }
    byOwner.set(owner.toLowerCase(), { items, byName });
  }
  let left = maxCompared;
  return (entry) => {
    const { items, byName } = byOwner.get(findOwner(entry)?.toLowerCase() ?? "") ?? {};
    if (!items) return undefined;
    const candidates = isPattern(entry) ? items : (byName?.get(nameOf(splitEntry(entry))) ?? []);
    left -= entry.length * candidates.length;
    return left < 0 ? undefined : candidates.filter((parts) => matches(entry, parts));
  };
}

function nameOf(parts: Parts): string {
  return parts.at(-1)?.toLowerCase() ?? "";
}

/** Returns the items that the entries match. A pattern whose matches are unknown matches nothing. */
function resolveEntries(entries: readonly string[], sources: readonly DataSourceItems[]): Parts[] {
  const found = new Map<string, Parts>();
  const find = createFinder(sources);
  for (const entry of entries) {
    for (const parts of find(entry) ?? (isPattern(entry) ? [] : [splitEntry(entry)])) {
      found.set(formatEntry(parts), parts);
    }
  }
  return [...found.values()];
}

function listOwners(entries: readonly string[]): string[] {
  return [...new Set(entries.flatMap((entry) => findOwner(entry) ?? []))];
}

/** A failed list does not affect the others, but a missing login affects all of them. */
function unlessSignedOut(error: unknown): undefined {
  if (isAppError(error, "signInNeeded")) throw error;
  return undefined;
}
