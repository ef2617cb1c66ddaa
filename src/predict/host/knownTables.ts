import type { ServerAccess } from "../../shared/connection.ts";
import { listDatabases, listTables } from "../../mindsdb/dataSources.ts";
import type { Database, TableName } from "../../mindsdb/dataSources.ts";
import { listHandlers, type Handler, type HandlerKind } from "../../mindsdb/handlers.ts";
import { listMlEngines } from "../../mindsdb/mlEngines.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { listTableColumns, type TableColumn } from "../../mindsdb/tables.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { formatName } from "../notebook/modelName.ts";
import type { KnowledgeBase, MlEngine, ProjectItem, View } from "../../mindsdb/listItems.ts";
import { listViews } from "../../mindsdb/sql/views.ts";
import { listKnowledgeBases } from "../../mindsdb/knowledgeBases.ts";
import { listProjectItems } from "../../mindsdb/projectItems.ts";
import { AnswerCache, type Known } from "./answerCache.ts";

/** In ms: a server takes seconds to list its handlers, which change with its packages only. */
const handlersAgeMs = 3_600_000;

/** Whether a table exists; "unclear" if the server could not be asked or does not list all tables. */
type TableState = "exists" | "noSource" | "noTable" | "unclear";

/** The tables of each connection, for completion and problems. Never shows a dialog. */
export class KnownTables {
  readonly #servers: ServerAccess;
  readonly #sources: AnswerCache<Database[]>;
  readonly #tables: AnswerCache<TableName[]>;
  readonly #columns: AnswerCache<TableColumn[]>;
  readonly #items: AnswerCache<ProjectItem[]>;
  readonly #knowledgeBases: AnswerCache<KnowledgeBase[]>;
  readonly #views: AnswerCache<View[]>;
  readonly #handlers: AnswerCache<Handler[]>;
  readonly #mlEngines: AnswerCache<MlEngine[]>;
  readonly #listeners = new Set<() => void>();

  constructor(servers: ServerAccess, isTrusted: () => boolean) {
    this.#servers = servers;
    const onLearn = (): void => this.#tellListeners();
    this.#sources = new AnswerCache(isTrusted, onLearn);
    this.#tables = new AnswerCache(isTrusted, onLearn);
    this.#columns = new AnswerCache(isTrusted, onLearn);
    this.#items = new AnswerCache(isTrusted, onLearn);
    this.#knowledgeBases = new AnswerCache(isTrusted, onLearn);
    this.#views = new AnswerCache(isTrusted, onLearn);
    this.#handlers = new AnswerCache(isTrusted, onLearn);
    this.#mlEngines = new AnswerCache(isTrusted, onLearn);
  }

  /**
   * Names for recipes: the tables of uploaded files and of the source that is being written, and the other sources. Only
   * these two are asked for tables, because that reaches the databases behind them.
   */
  async list(connectionId: string | undefined, written: string): Promise<string[]> {
    if (connectionId === undefined) return [];
    const sources = (await this.#listSources(connectionId)) ?? [];
    const data = sources.filter(({ kind }) => kind === "data").map(({ name }) => name);
    const isListed = (source: string): boolean =>
      source === filesSource || written.startsWith(`${formatName([source])}.`);
    const names = data.map(async (source) => {
      if (!isListed(source)) return [`${formatName([source])}.`];
      const tables = (await this.#listTables(connectionId, source)) ?? [];
      return tables.map(({ schema, name }) =>
        formatName([source, ...(schema === undefined ? [] : [schema]), name]),
      );
    });
    return (await Promise.all(names)).flat();
  }

  async checkTable(connectionId: string, parts: readonly string[]): Promise<TableState> {
    const [source = "", ...path] = parts;
    const sources = await this.#listSources(connectionId);
    if (!sources) return "unclear";
    const found = sources.find(({ name }) => isSameName(name, source));
    if (!found) return "noSource";
    // Projects hold views and knowledge bases; some data sources do not list their tables.
    const tables = found.kind === "data" ? await this.#listTables(connectionId, found.name) : [];
    if (!tables || tables.length === 0) return "unclear";
    const hasTable = tables.some(
      ({ schema, name }) =>
        isSameName(name, path.at(-1)) && (path.length === 1 || isSameName(schema, path[0])),
    );
    return hasTable ? "exists" : "noTable";
  }

  /** The columns of a table; undefined if the server does not tell. */
  columns(connectionId: string, parts: readonly string[]): Promise<TableColumn[] | undefined> {
    return this.#columns.get(connectionId, JSON.stringify(parts), () =>
      this.#loadColumns(connectionId, parts),
    );
  }

  /** Calls `listener` after each answer of a server, and when something is forgotten. */
  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Forgets the tables of a connection, or of all connections. */
  forget(connectionId?: string): void {
    this.#sources.forget(connectionId);
    this.#tables.forget(connectionId);
    this.#columns.forget(connectionId);
    this.#items.forget(connectionId);
    this.#knowledgeBases.forget(connectionId);
    this.#views.forget(connectionId);
    this.#mlEngines.forget(connectionId);
    this.#tellListeners();
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  /**
   * The projects and data sources, as far as they are known now, requested again if they are older than `maxAge` in ms; the
   * same holds for all that is known.
   */
  knowSources(connectionId: string, maxAge?: number): Known<Database[]> {
    return this.#sources.know(connectionId, "", () => this.#loadSources(connectionId), maxAge);
  }

  knowTables(connectionId: string, source: string, maxAge?: number): Known<TableName[]> {
    const load = () => this.#loadTables(connectionId, source);
    return this.#tables.know(connectionId, source, load, maxAge);
  }

  knowColumns(
    connectionId: string,
    parts: readonly string[],
    maxAge?: number,
  ): Known<TableColumn[]> {
    const load = () => this.#loadColumns(connectionId, parts);
    return this.#columns.know(connectionId, JSON.stringify(parts), load, maxAge);
  }

  knowItems(connectionId: string, project: string, maxAge?: number): Known<ProjectItem[]> {
    const load = async () => listProjectItems(await this.#servers.client(connectionId), project);
    return this.#items.know(connectionId, project, load, maxAge);
  }

  knowKnowledgeBases(connectionId: string, project: string): Known<KnowledgeBase[]> {
    return this.#knowledgeBases.know(connectionId, project, async () =>
      listKnowledgeBases(await this.#servers.client(connectionId), project),
    );
  }

  knowViews(connectionId: string, project: string): Known<View[]> {
    const load = async () => listViews(await this.#servers.client(connectionId), project);
    return this.#views.know(connectionId, project, load);
  }

  knowHandlers(connectionId: string, kind: HandlerKind): Known<Handler[]> {
    const load = async () => listHandlers(await this.#servers.client(connectionId), { kind });
    return this.#handlers.know(connectionId, kind, load, handlersAgeMs);
  }

  knowMlEngines(connectionId: string): Known<MlEngine[]> {
    const load = async () => listMlEngines(await this.#servers.client(connectionId));
    return this.#mlEngines.know(connectionId, "", load);
  }

  /** The columns that were requested before; the same holds for the next. */
  peekColumns(connectionId: string, parts: readonly string[]): TableColumn[] | undefined {
    return this.#columns.peekValue(connectionId, JSON.stringify(parts));
  }

  peekKnowledgeBases(connectionId: string, project: string): KnowledgeBase[] | undefined {
    return this.#knowledgeBases.peekValue(connectionId, project);
  }

  peekViews(connectionId: string, project: string): View[] | undefined {
    return this.#views.peekValue(connectionId, project);
  }

  #listSources(connectionId: string): Promise<Database[] | undefined> {
    return this.#sources.get(connectionId, "", () => this.#loadSources(connectionId));
  }

  #listTables(connectionId: string, source: string): Promise<TableName[] | undefined> {
    return this.#tables.get(connectionId, source, () => this.#loadTables(connectionId, source));
  }

  async #loadSources(connectionId: string): Promise<Database[]> {
    return listDatabases(await this.#servers.client(connectionId));
  }

  async #loadTables(connectionId: string, source: string): Promise<TableName[]> {
    return listTables(await this.#servers.client(connectionId), source);
  }

  async #loadColumns(connectionId: string, parts: readonly string[]): Promise<TableColumn[]> {
    return listTableColumns(await this.#servers.client(connectionId), parts);
  }
}
