import type { HandlerKind } from "../../mindsdb/handlers.ts";
import type { Database } from "../../mindsdb/dataSources.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { defaultProjectName } from "../../mindsdb/projects.ts";
import type {
  SqlColumn,
  SqlDatabase,
  SqlHandler,
  SqlNames,
  SqlObject,
} from "../completion/queryColumns.ts";
import type { Known } from "./answerCache.ts";
import type { KnownModels } from "./knownModels.ts";
import type { KnownTables } from "./knownTables.ts";

/** Columns that a search in a knowledge base returns or accepts as a condition (seen on 26.1.0 and 25.14.1). */
export const knowledgeBaseColumns = [
  ...["id", "chunk_id", "chunk_content", "metadata", "relevance", "distance", "content"],
];

/** The names of a connection as far as they are known, for one completion. */
export class KnownNames implements SqlNames {
  /** Requests for names that this completion needs. */
  readonly pending: Promise<unknown>[] = [];
  readonly #models: KnownModels;
  readonly #tables: KnownTables;
  readonly #connectionId: string | undefined;
  readonly #project: string | undefined;
  /** By data source: each table of a long FROM looks for its own. */
  readonly #objects = new Map<string, SqlObject[]>();
  /** The items of a list by their names in lower case. */
  readonly #groups = new WeakMap<readonly object[], Map<string, object[]>>();
  #databases: { sources: readonly Database[]; list: SqlDatabase[] } | undefined;

  /** `project`: that of the last USE. */
  constructor(
    models: KnownModels,
    tables: KnownTables,
    connectionId: string | undefined,
    project: string | undefined,
  ) {
    this.#models = models;
    this.#tables = tables;
    this.#connectionId = connectionId;
    this.#project = project;
  }

  get defaultDatabase(): string {
    if (this.#project !== undefined) return this.#project;
    return findDefaultProject(this.databases());
  }

  databases(): SqlDatabase[] {
    const sources = this.#sources();
    // Each table of a long FROM looks for its own.
    if (this.#databases?.sources === sources) return this.#databases.list;
    const list = sources
      .filter(({ kind }) => kind !== "vectors")
      .map(({ name, kind, engine = "", schema }) => ({
        name,
        defaultSchema: schema,
        isProject: kind === "project",
        hasDoubleQuotes: !/mysql|maria|bigquery|bricks|planet|tidb|single|hive/.test(engine),
      }));
    this.#databases = { sources, list };
    return list;
  }

  handlers(kind: HandlerKind): SqlHandler[] {
    if (this.#connectionId === undefined) return [];
    const known = this.#value(this.#tables.knowHandlers(this.#connectionId, kind)) ?? [];
    return known.map(({ name, arguments: declared = [] }) => ({
      name,
      keys: declared.map(({ name: key }) => key),
    }));
  }

  mlEngines(): string[] {
    if (this.#connectionId === undefined) return [];
    const known = this.#value(this.#tables.knowMlEngines(this.#connectionId)) ?? [];
    return known.map(({ name }) => name);
  }

  objects(database: string): SqlObject[] {
    const source = this.#find(database);
    if (!source || this.#connectionId === undefined) return [];
    const known = this.#objects.get(source.name) ?? this.#listObjects(this.#connectionId, source);
    this.#objects.set(source.name, known);
    return known;
  }

  #listObjects(connectionId: string, source: Database): SqlObject[] {
    if (source.kind === "project") {
      return this.#value(this.#tables.knowItems(connectionId, source.name)) ?? [];
    }
    const tables = this.#value(this.#tables.knowTables(connectionId, source.name)) ?? [];
    return tables.map(({ schema, name, isView }) => {
      return { name, schema, type: isView ? "view" : "table" };
    });
  }

  columns([database = "", ...path]: readonly string[]): readonly SqlColumn[] {
    const source = this.#find(database);
    if (!source || this.#connectionId === undefined) return [];
    const objects = this.objects(source.name);
    const [schema, name] = path.length > 1 ? path.slice(-2) : [undefined, path[0]];
    const wanted = source.kind === "project" ? path[0] : name;
    const found = this.#byName(objects, wanted).find(
      (object) =>
        schema === undefined || source.kind === "project" || isSameName(object.schema, schema),
    );
    if (source.kind === "project") return found ? this.#columnsOf(source.name, found) : [];
    // Some data sources do not list their tables.
    if (!found) return objects.length > 0 ? [] : this.#tableColumns([source.name, ...path]);
    const parts = path.length > 1 && found.schema !== undefined ? [found.schema] : [];
    return this.#tableColumns([source.name, ...parts, found.name]);
  }

  #columnsOf(project: string, { name, type }: SqlObject): readonly SqlColumn[] {
    const connectionId = this.#connectionId!;
    switch (type) {
      case "agent":
        return [{ name: "question" }, { name: "answer" }];
      case "model": {
        const models = this.#value(this.#models.know(connectionId, project));
        const target = models?.find((model) => model.name === name)?.current.target;
        return target === undefined ? [] : [{ name: target }];
      }
      case "knowledge_base": {
        const listed = this.#value(this.#tables.knowKnowledgeBases(connectionId, project));
        const own = listed?.find((one) => one.name === name)?.metadataColumns ?? [];
        return [...new Set([...knowledgeBaseColumns, ...own])].map((name) => ({ name }));
      }
      case "view":
      case "table":
        return this.#tableColumns([project, name]);
      default:
        return [];
    }
  }

  #tableColumns(path: readonly string[]): readonly SqlColumn[] {
    return this.#value(this.#tables.knowColumns(this.#connectionId!, path)) ?? [];
  }

  #find(database: string): Database | undefined {
    return this.#byName(this.#sources(), database)[0];
  }

  /** Those of a list with a name, in any case. Each table of a long FROM looks for its own. */
  #byName<Item extends { name: string }>(list: readonly Item[], name = ""): readonly Item[] {
    const groups = (this.#groups.get(list) ?? groupByName(list)) as Map<string, Item[]>;
    this.#groups.set(list, groups);
    return groups.get(name.toLowerCase()) ?? [];
  }

  #sources(): readonly Database[] {
    if (this.#connectionId === undefined) return [];
    return this.#value(this.#tables.knowSources(this.#connectionId)) ?? [];
  }

  #value<T>({ value, pending }: Known<T>): T | undefined {
    if (pending) this.pending.push(pending);
    return value;
  }
}

function groupByName<Item extends { name: string }>(list: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of list) {
    const key = item.name.toLowerCase();
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** The project of names without one, while no other is chosen. */
export function findDefaultProject(
  databases: readonly { name: string; isProject: boolean }[],
): string {
  const projects = databases.filter(({ isProject }) => isProject);
  const usual = projects.find(({ name }) => name === defaultProjectName) ?? projects[0];
  return usual?.name ?? defaultProjectName;
}
