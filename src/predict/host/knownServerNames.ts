import type { Database, TableName } from "../../mindsdb/dataSources.ts";
import type { KnowledgeBase, View } from "../../mindsdb/listItems.ts";
import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import type { TableColumn } from "../../mindsdb/tables.ts";
import { rowsOfKnowledgeBase } from "../sqlFile/serverNames.ts";
import type {
  KnownColumns,
  KnownDatabase,
  KnownObject,
  KnownObjects,
  ServerNames,
} from "../sqlFile/serverNames.ts";
import { findViewClause } from "../notebook/clauseMisreadings.ts";
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

/** Milliseconds after which a list is read again before a name that it lacks is marked. */
const maxMarkAgeMs = 5_000;

/** Characters of a view's query; of a longer one, no clauses are found. */
const maxViewQuery = 20_000;

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
      this.#objects.set(key, toKnownObjects(this.#readObjects(database)));
    }
    return this.#objects.get(key);
  }

  columns(type: string, parts: readonly string[], mayRequest: boolean): KnownColumns | undefined {
    const key = JSON.stringify([type, ...parts]);
    const known = this.#columns.get(key);
    if (known) return known;
    const columns = this.#readColumns(type, parts, mayRequest);
    this.#columns.set(key, columns);
    return columns;
  }

  types(parts: readonly string[]): ReadonlyMap<string, string> {
    const columns = this.#tables.peekColumns(this.#connectionId, parts);
    return toTypes(columns) ?? new Map<string, string>();
  }

  lateClause([project = "", name]: readonly string[], mayRequest: boolean): string | undefined {
    const id = this.#connectionId;
    const views = mayRequest
      ? this.#tables.knowViews(id, project).value
      : this.#tables.peekViews(id, project);
    return findLateClause(views?.find((view) => view.name === name));
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
    return toKnownDatabases(this.#tables.knowSources(this.#connectionId).value);
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
    if (type !== "knowledge_base" && type !== rowsOfKnowledgeBase) {
      const columns = mayRequest
        ? this.#tables.knowColumns(id, parts).value
        : this.#tables.peekColumns(id, parts);
      return toKnownColumns(columns);
    }
    const [project = "", name] = parts;
    const listed = mayRequest
      ? this.#tables.knowKnowledgeBases(id, project).value
      : this.#tables.peekKnowledgeBases(id, project);
    const found = listed?.find((one) => one.name === name);
    // Without declared columns, any column of what was inserted is one.
    if (!found || found.metadataColumns.length === 0) return undefined;
    return type === rowsOfKnowledgeBase ? rowColumnsOf(found) : contentColumnsOf(found);
  }
}

/** Makes something of a list of the server once. Each SQL cell has names of its own, and the lists can be long. */
function makeOnce<Listed extends object, Made>(
  make: (listed: Listed) => Made,
): (listed: Listed | undefined) => Made | undefined {
  const made = new WeakMap<Listed, Made>();
  return (listed) => {
    if (!listed) return undefined;
    if (!made.has(listed)) made.set(listed, make(listed));
    return made.get(listed);
  };
}

function mapNames(names: readonly string[]): KnownColumns {
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

const toKnownColumns = makeOnce((columns: readonly TableColumn[]) =>
  mapNames(columns.map(({ name }) => name)),
);

const contentColumnsOf = makeOnce(({ contentColumns, metadataColumns }: KnowledgeBase) =>
  mapNames([...knowledgeBaseColumns, ...searchOptions, ...contentColumns, ...metadataColumns]),
);

const rowColumnsOf = makeOnce(
  ({ idColumn = "id", contentColumns, metadataColumns }: KnowledgeBase) =>
    mapNames([...knowledgeBaseColumns, idColumn, ...contentColumns, ...metadataColumns]),
);

const toTypes = makeOnce(
  (columns: readonly TableColumn[]): ReadonlyMap<string, string> =>
    new Map(columns.map(({ name, type = "" }) => [name.toLowerCase(), type.toLowerCase()])),
);

const findLateClause = makeOnce(({ query }: View): string | undefined => {
  if (query.length > maxViewQuery) return undefined;
  const select = parseSql(query).tree?.children[0];
  return select?.kind === "select" ? findViewClause(select)?.name : undefined;
});

const toKnownDatabases = makeOnce(
  (sources: readonly Database[]): ReadonlyMap<string, KnownDatabase> =>
    new Map(sources.map((one) => [one.name.toLowerCase(), toKnown(one)])),
);

function toKnown({ name, kind, engine = "", schema }: Database): KnownDatabase {
  const isListed = kind === "project" || kind === "data";
  return {
    name,
    kind: isListed ? kind : "other",
    hasAllColumns: kind === "project" || sqlEngines.has(engine),
    isPostgres: schema !== undefined,
    defaultSchema: schema,
  };
}

/** An object of a project, or a table of a data source. */
type ListedObject = KnownObject | TableName;

const toKnownObjects = makeOnce((objects: readonly ListedObject[]): KnownObjects => {
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
});
