import type { Database, TableName } from "../../mindsdb/dataSources.ts";
import type { TableColumn } from "../../mindsdb/tables.ts";
import type {
  KnownColumns,
  KnownDatabase,
  KnownObject,
  KnownObjects,
  ServerNames,
} from "../sqlFile/unknownNames.ts";
import { findDefaultProject, knowledgeBaseColumns } from "./knownNames.ts";
import type { Known } from "./answerCache.ts";
import type { KnownTables } from "./knownTables.ts";

/** Names that the conditions of a search in a knowledge base can use besides its columns (26.1.0 and 25.14.1). */
const searchOptions = ["reranking", "hybrid_search", "hybrid_search_alpha"];

/**
 * Engines whose tables have no columns but those that `*` returns. Sources behind an API take conditions on others, like
 * `query`.
 */
const sqlEngines = new Set(
  (
    "files postgres timescaledb redshift cockroachdb supabase mysql mariadb mssql oracle snowflake bigquery databricks " +
    "clickhouse duckdb sqlite planetscale singlestore tidb trino vertica yugabyte"
  ).split(" "),
);

/** Engines that are PostgreSQL. */
const postgresEngines = new Set(["postgres", "timescaledb", "supabase", "yugabyte"]);

/** Milliseconds after which a list is read again before a name that it lacks is marked. */
const maxMarkAgeMs = 5_000;

/** Data sources and projects whose objects are requested for the checks of one text. */
const maxLists = 20;

/** The names of a connection, for checks: what is known of them now. Lists that are old or missing are requested. */
export class KnownServerNames implements ServerNames {
  readonly #tables: KnownTables;
  readonly #connectionId: string;
  readonly #project: string | undefined;
  #databases: ReadonlyMap<string, KnownDatabase> | undefined;
  /** By database; undefined where the list is not there. */
  readonly #objects = new Map<string, KnownObjects | undefined>();
  readonly #columns = new Map<string, KnownColumns | undefined>();

  /** `project`: that of names without one, if one was chosen. */
  constructor(tables: KnownTables, connectionId: string, project: string | undefined) {
    this.#tables = tables;
    this.#connectionId = connectionId;
    this.#project = project;
  }

  get defaultDatabase(): string {
    return (
      this.#project ??
      findDefaultProject(
        [...(this.databases()?.values() ?? [])].map(({ name, kind }) => {
          return { name, isProject: kind === "project" };
        }),
      )
    );
  }

  /** Requests again what has become old. */
  renew(): void {
    if (!this.databases()) return;
    this.#tables.knowSources(this.#connectionId);
    for (const key of this.#objects.keys()) {
      const database = this.#databases?.get(key);
      if (database) this.#readObjects(database);
    }
  }

  databases(): ReadonlyMap<string, KnownDatabase> | undefined {
    this.#databases ??= this.#readDatabases();
    return this.#databases;
  }

  objects(database: KnownDatabase): KnownObjects | undefined {
    const key = database.name.toLowerCase();
    if (!this.#objects.has(key)) {
      if (this.#objects.size >= maxLists) return undefined;
      this.#objects.set(key, makeOnce(this.#readObjects(database), toKnownObjects));
    }
    return this.#objects.get(key);
  }

  columns(type: string, parts: readonly string[], mayRequest: boolean): KnownColumns | undefined {
    const key = JSON.stringify(parts);
    const known = this.#columns.get(key);
    if (known) return known;
    const columns = this.#readColumns(type, parts, mayRequest);
    this.#columns.set(key, columns);
    return columns;
  }

  isCurrent(list: KnownDatabase | readonly string[] | undefined): boolean {
    const { value, at } = this.#readAgain(list);
    return value !== undefined && Date.now() - at <= maxMarkAgeMs;
  }

  #readAgain(list: KnownDatabase | readonly string[] | undefined): Known<unknown> {
    const id = this.#connectionId;
    if (!list) return this.#tables.knowSources(id, maxMarkAgeMs);
    if (!("kind" in list)) return this.#tables.knowColumns(id, list, maxMarkAgeMs);
    return list.kind === "project"
      ? this.#tables.knowItems(id, list.name, maxMarkAgeMs)
      : this.#tables.knowTables(id, list.name, maxMarkAgeMs);
  }

  #readDatabases(): ReadonlyMap<string, KnownDatabase> | undefined {
    return makeOnce(this.#tables.knowSources(this.#connectionId).value, toKnownDatabases);
  }

  #readObjects({ name, kind }: KnownDatabase): readonly ListedObject[] | undefined {
    return kind === "project"
      ? this.#tables.knowItems(this.#connectionId, name).value
      : this.#tables.knowTables(this.#connectionId, name).value;
  }

  #readColumns(
    type: string,
    parts: readonly string[],
    mayRequest: boolean,
  ): KnownColumns | undefined {
    const id = this.#connectionId;
    if (type !== "knowledge_base") {
      const columns = mayRequest
        ? this.#tables.knowColumns(id, parts).value
        : this.#tables.peekColumns(id, parts);
      return makeOnce(columns, toKnownColumns);
    }
    const [project = "", name] = parts;
    const listed = mayRequest
      ? this.#tables.knowKnowledgeBases(id, project).value
      : this.#tables.peekKnowledgeBases(id, project);
    const found = listed?.find((one) => one.name === name);
    // Without declared columns, any column of what was inserted is one.
    if (!found || found.metadataColumns.length === 0) return undefined;
    const { contentColumns, metadataColumns } = found;
    return makeOnce(found, () =>
      mapNames([...knowledgeBaseColumns, ...searchOptions, ...contentColumns, ...metadataColumns]),
    );
  }
}

/** What was made of a list of the server. Each SQL cell has names of its own, and the lists can be long. */
const made = new WeakMap<object, unknown>();

function makeOnce<Listed extends object, Made>(
  listed: Listed | undefined,
  make: (listed: Listed) => Made,
): Made | undefined {
  if (!listed) return undefined;
  if (!made.has(listed)) made.set(listed, make(listed));
  return made.get(listed) as Made;
}

function mapNames(names: readonly string[]): KnownColumns {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

function toKnownColumns(columns: readonly TableColumn[]): KnownColumns {
  return mapNames(columns.map(({ name }) => name));
}

function toKnownDatabases(sources: readonly Database[]): ReadonlyMap<string, KnownDatabase> {
  return new Map(sources.map((one) => [one.name.toLowerCase(), toKnown(one)]));
}

function toKnown({ name, kind, engine = "" }: Database): KnownDatabase {
  const isListed = kind === "project" || kind === "data";
  return {
    name,
    kind: isListed ? kind : "other",
    hasAllColumns: kind === "project" || sqlEngines.has(engine),
    isPostgres: postgresEngines.has(engine),
  };
}

/** An object of a project, or a table of a data source. */
type ListedObject = KnownObject | TableName;

function toKnownObjects(objects: readonly ListedObject[]): KnownObjects {
  const byName = new Map<string, KnownObject[]>();
  const schemas = new Map<string, string>();
  for (const listed of objects) {
    const object =
      "type" in listed ? listed : { ...listed, type: listed.isView ? "view" : "table" };
    const key = object.name.toLowerCase();
    const same = byName.get(key);
    if (same) same.push(object);
    else byName.set(key, [object]);
    if (object.schema !== undefined) {
      schemas.set(object.schema.toLowerCase(), object.schema);
    }
  }
  return { byName, schemas };
}
