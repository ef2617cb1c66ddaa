// What one server has to connect an agent to. Asks when it is needed, a few requests at a time, and never throws for a
// part that cannot be had: a form is filled in with what is known.
import type { ServerAccess } from "../../connections/connection.ts";
import type { StoredAgent } from "../../mindsdb/agents.ts";
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { isAppError } from "../../mindsdb/errors.ts";
import { isListAbsent } from "../../mindsdb/missingLists.ts";
import { inParallel } from "../../mindsdb/http/inParallel.ts";
import type { KnowledgeBase } from "../../mindsdb/listItems.ts";
import type { Project } from "../../mindsdb/listItems.ts";
import type { AgentDraft } from "../agentDraft.ts";
import {
  entryOf,
  isPattern,
  matches,
  ownerOf,
  partsOf,
  withOwner,
  type Parts,
} from "../../mindsdb/dataPatterns.ts";
import type { DescribedData } from "../draftInstruction.ts";
import type { LoadedData } from "../validation.ts";
import type { Counts } from "../validation.ts";
import { maxConnected } from "../providers.ts";

/** What a data source or a project holds; `items` is undefined where it could not be learned. */
export interface DataSourceItems {
  owner: string;
  items: Parts[] | undefined;
}

/** A database behind the server may take its time; then its tables are not known, and no more than that. */
const patience: CallOptions = { timeoutMs: 10_000 };

export class DataSources {
  readonly connectionId: string;
  readonly #servers: ServerAccess;

  constructor(servers: ServerAccess, connectionId: string) {
    this.#servers = servers;
    this.connectionId = connectionId;
  }

  client(): Promise<Client> {
    return this.#servers.client(this.connectionId);
  }

  /**
   * What a draft needs to know. `except` is the name of the agent that is edited, which may keep its name. `failure` is why
   * the server could not be asked at all.
   */
  async look(
    draft: Pick<AgentDraft, "project" | "tables" | "knowledgeBases">,
    except?: string,
  ): Promise<{ seen: LoadedData; failure?: Error }> {
    const { project, tables, knowledgeBases } = draft;
    const seen: LoadedData = {
      project,
      agents: null,
      projects: null,
      defaultModel: null,
      tables: {},
      knowledgeBases: {},
    };
    try {
      const client = await this.client();
      const [{ listProjects }, { getDefaultModel, listDatabases }, { listAgents }] =
        await Promise.all([
          import("../../mindsdb/projects.ts"),
          import("../../mindsdb/dataSources.ts"),
          import("../../mindsdb/agents.ts"),
        ]);
      const [projects, databases, model, agents] = await Promise.all([
        listProjects(client).catch(nullIfAbsent),
        listDatabases(client).catch(nullIfAbsent),
        // Not every server lets everybody read its configuration.
        getDefaultModel(client).catch(() => null),
        listAgents(client, project).catch(() => null),
      ]);
      seen.projects = projects?.map(({ name }) => name) ?? null;
      seen.agents = agents?.map(({ name }) => name).filter((name) => name !== except) ?? null;
      seen.defaultModel =
        model === null ? null : [model?.provider, model?.modelName].filter(Boolean).join(" · ");
      // Nothing can be counted then, and anything may be right.
      if (!databases) return { seen };
      const defaultProject = defaultOf(projects ?? []) ?? project;
      const kindOf = (owner: string) =>
        databases.find(({ name }) => name.toLowerCase() === owner.toLowerCase());
      seen.tables = await this.#count(tables, (owner) => {
        const database = kindOf(owner);
        // What else than a data source holds tables differs from server to server.
        if (database && database.kind !== "data") return Promise.resolve(undefined);
        return database ? this.#tablesOf(client, database.name) : Promise.resolve([]);
      });
      seen.knowledgeBases = await this.#count(
        knowledgeBases,
        async (owner) => {
          const database = kindOf(owner);
          return database?.kind === "project" ? this.#basesOf(client, database.name) : [];
        },
        defaultProject,
      );
      return { seen };
    } catch (failure) {
      return { seen, failure: failure as Error };
    }
  }

  /** All data sources with their tables. */
  async tables(): Promise<DataSourceItems[]> {
    const client = await this.client();
    const { listDatabases } = await import("../../mindsdb/dataSources.ts");
    const databases = await listDatabases(client, patience);
    const sources = databases.filter(({ kind }) => kind === "data");
    return inParallel(sources, async ({ name: owner }) => {
      return { owner, items: await this.#tablesOf(client, owner) };
    });
  }

  /** All projects with their knowledge bases. */
  async knowledgeBases(): Promise<DataSourceItems[]> {
    const client = await this.client();
    const { listProjects } = await import("../../mindsdb/projects.ts");
    return inParallel(await listProjects(client, patience), async ({ name: owner }) => {
      return { owner, items: await this.#basesOf(client, owner) };
    });
  }

  /** What is connected, with columns, for the draft of an instruction: as many as an agent can cope with. */
  async describe(
    draft: Pick<AgentDraft, "project" | "tables" | "knowledgeBases">,
  ): Promise<DescribedData> {
    const client = await this.client();
    const [{ listColumns }, { listKnowledgeBases }, { listProjects }] = await Promise.all([
      import("../../mindsdb/dataSources.ts"),
      import("../../mindsdb/knowledgeBases.ts"),
      import("../../mindsdb/projects.ts"),
    ]);
    const defaultProject = defaultOf(await listProjects(client, patience)) ?? draft.project;
    const tables = chosenOf(draft.tables, await this.#shelvesFor(draft.tables, "tables"));
    const entries = draft.knowledgeBases.map((entry) => withOwner(entry, defaultProject));
    const bases = chosenOf(entries, await this.#shelvesFor(entries, "knowledgeBases"));
    const room = Math.max(0, maxConnected - tables.length);
    const rows = new Map<string, KnowledgeBase[]>();
    for (const project of new Set(bases.map(([owner = ""]) => owner))) {
      rows.set(project, await listKnowledgeBases(client, project, patience).catch(() => []));
    }
    return {
      tables: await inParallel(tables.slice(0, maxConnected), async (parts) => {
        return {
          name: entryOf(parts),
          columns: await listColumns(client, parts, patience).catch(() => []),
        };
      }),
      knowledgeBases: bases.slice(0, room).map((parts) => {
        const row = rows.get(parts[0] ?? "")?.find(({ name }) => name === parts[1]);
        return {
          name: entryOf(parts),
          contentColumns: row?.contentColumns ?? [],
          metadataColumns: row?.metadataColumns ?? [],
        };
      }),
      others: Math.max(0, tables.length - maxConnected) + Math.max(0, bases.length - room),
    };
  }

  /** Throws AppError "notFound" if the agent is not there. */
  async agent(project: string, name: string, signal?: AbortSignal): Promise<StoredAgent> {
    const client = await this.client();
    const { getAgent } = await import("../../mindsdb/agents.ts");
    return getAgent(client, project, name, { signal });
  }

  async #shelvesFor(
    entries: readonly string[],
    of: "tables" | "knowledgeBases",
  ): Promise<DataSourceItems[]> {
    const client = await this.client();
    return inParallel(ownersOf(entries), async (owner) => {
      const items = of === "tables" ? this.#tablesOf(client, owner) : this.#basesOf(client, owner);
      return { owner, items: await items };
    });
  }

  async #count(
    entries: readonly string[],
    itemsOf: (owner: string) => Promise<Parts[] | undefined>,
    defaultOwner?: string,
  ): Promise<Counts> {
    const whole = (entry: string) => (defaultOwner ? withOwner(entry, defaultOwner) : entry);
    const shelves = await inParallel(ownersOf(entries.map(whole)), async (owner) => {
      return { owner, items: await itemsOf(owner) };
    });
    return Object.fromEntries(entries.map((entry) => [entry, countOf(whole(entry), shelves)]));
  }

  async #tablesOf(client: Client, source: string): Promise<Parts[] | undefined> {
    const { listTables } = await import("../../mindsdb/dataSources.ts");
    const tables = await listTables(client, source, patience).catch(unlessSignedOut);
    return tables?.map(({ schema, name }) =>
      schema === undefined ? [source, name] : [source, schema, name],
    );
  }

  async #basesOf(client: Client, project: string): Promise<Parts[] | undefined> {
    const { listKnowledgeBases } = await import("../../mindsdb/knowledgeBases.ts");
    const bases = await listKnowledgeBases(client, project, patience).catch(unlessSignedOut);
    return bases?.map(({ name }) => [project, name]);
  }
}

/** Some servers have no such list: then nothing is known of it. */
function nullIfAbsent(error: unknown): null {
  if (isListAbsent(error)) return null;
  throw error;
}

function defaultOf(projects: readonly Project[]): string | undefined {
  return projects.find(({ isDefault }) => isDefault)?.name;
}

/** How many things on the shelves an entry means; null where that cannot be told. */
export function countOf(entry: string, shelves: readonly DataSourceItems[]): number | null {
  const owner = ownerOf(entry)?.toLowerCase();
  const shelf = shelves.find((one) => one.owner.toLowerCase() === owner);
  if (!shelf?.items) return null;
  return shelf.items.filter((parts) => matches(entry, parts)).length;
}

/** The things that the entries mean; an entry whose shelf is not known stands for itself, unless it is a pattern. */
function chosenOf(entries: readonly string[], shelves: readonly DataSourceItems[]): Parts[] {
  const found = new Map<string, Parts>();
  for (const entry of entries) {
    const owner = ownerOf(entry)?.toLowerCase();
    const shelf = shelves.find((one) => one.owner.toLowerCase() === owner);
    const items = shelf?.items?.filter((parts) => matches(entry, parts));
    for (const parts of items ?? (isPattern(entry) ? [] : [partsOf(entry)])) {
      found.set(entryOf(parts), parts);
    }
  }
  return [...found.values()];
}

function ownersOf(entries: readonly string[]): string[] {
  return [...new Set(entries.flatMap((entry) => ownerOf(entry) ?? []))];
}

/** One list that fails hides nothing else; a missing login is the same for all of them. */
function unlessSignedOut(error: unknown): undefined {
  if (isAppError(error, "signInNeeded")) throw error;
  return undefined;
}
