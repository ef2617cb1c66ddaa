// Finds what names in a statement mean on the server, as far as its lists are known: databases, objects, and columns.
import * as l10n from "@vscode/l10n";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { listings } from "../../mindsdb/sql/tableName.ts";
import type { NamePart, NamePath } from "../notebook/namePath.ts";
import type { Span } from "../notebook/recipe.ts";
import { rowsOfKnowledgeBase } from "./serverNames.ts";
import type {
  KnownColumns,
  KnownDatabase,
  KnownObject,
  KnownObjects,
  ServerNames,
} from "./serverNames.ts";
import type { QueryScope, QueryTable, StatementNames } from "./statementNames.ts";

export interface NameProblem extends Span {
  /** Unless the name is unknown. */
  code?: "ignoredInput" | "earlyFilter" | "earlyLimit" | "calculation" | "emptyText" | "lostData";
  /** The name without quotes. */
  text: string;
  message: string;
  /** It is known if a statement before creates one of these, in lower case. */
  dependsOn: string[];
  /** The name that may have been meant. */
  candidates: () => Iterable<string>;
  /** The few names that are possible there, as SQL: offered even if they are not similar. */
  choices?: readonly string[];
  /** Whether the lists without it were read within the last seconds. Requests them otherwise. */
  isCurrent: () => boolean;
}

export interface NameContext {
  server: ServerNames;
  /** Databases that USE chooses somewhere: a name without a database may be in any. */
  used: readonly string[];
  mayRequest: boolean;
}

/** Of one query; more make its columns unknown. */
export const maxTables = 100;
export const maxDepth = 50;
/** Databases that USE chooses; with more, a name without a database may be in any. */
export const maxUsed = 20;
/** Of one statement. */
export const maxUnknown = 100;
/** Lists of columns in which the columns of one statement are looked for, and tables of the same name. */
const maxLookUps = 200_000;

/** Databases of the server's own, whose tables are not listed. */
export const ownDatabases = new Set([
  "information_schema",
  "log",
  "pg_catalog",
  "performance_schema",
]);
/** Tables that every project has. */
const ownTables = new Set([...listings, "dual", "table_delta"]);
/** Tables that data sources have but do not list. */
const systemTables = /^(pg_|sqlite_|duckdb_|sys|svv_|stl_|stv_|svl_|all_|dba_|user_|v\$|dual$)/i;

interface ResolvedObject {
  kind: "object";
  type: string;
  /** The parts of its name, which begin with the database. */
  parts: readonly string[];
  database: KnownDatabase;
}

export type Resolved =
  ResolvedObject | { kind: "unknown"; problem: NameProblem } | { kind: "unclear" };

export const unclear: Resolved = { kind: "unclear" };

/** Looks nothing up twice, and never throws. */
export class NameResolver {
  readonly databases: ReadonlyMap<string, KnownDatabase> | undefined;
  readonly #names: StatementNames;
  readonly #context: NameContext;
  /** The columns of queries in queries; undefined while they are looked for. */
  readonly #outputs = new Map<QueryScope, readonly KnownColumns[] | undefined>();
  readonly #tables = new Map<QueryTable, readonly KnownColumns[] | undefined>();
  readonly #resolved = new Map<NamePath, Resolved>();
  #chosen: readonly (KnownDatabase | undefined)[] | undefined;
  #lookUpsLeft = maxLookUps;

  constructor(names: StatementNames, context: NameContext) {
    this.#names = names;
    this.#context = context;
    this.databases = context.server.databases();
  }

  /** Whether so much was looked up that nothing more is. */
  get isSpent(): boolean {
    return this.#lookUpsLeft < 0;
  }

  lookUp(count: number): void {
    this.#lookUpsLeft -= count;
  }

  resolve(path: NamePath): Resolved {
    const known = this.#resolved.get(path) ?? this.#find(path);
    this.#resolved.set(path, known);
    return known;
  }

  #find(path: NamePath): Resolved {
    const first = path[0]!;
    if (this.isNamed(path)) return unclear;
    const key = first.text.toLowerCase();
    const database = path.length > 1 ? this.databases!.get(key) : undefined;
    if (database) return this.#resolveIn(database, path.slice(1), path);
    if (path.length > 1 && ownDatabases.has(key)) return unclear;
    const { used } = this.#context;
    if (used.length > maxUsed) return unclear;
    let problem: NameProblem | undefined;
    for (const chosen of this.#chosenDatabases()) {
      const found = chosen ? this.#resolveWithout(chosen, path) : unclear;
      if (found.kind !== "unknown") return found;
      problem ??= found.problem;
    }
    return problem ? { kind: "unknown", problem } : unclear;
  }

  /** Those that a name without a database may be in; undefined for one that is not listed. */
  #chosenDatabases(): readonly (KnownDatabase | undefined)[] {
    const { server, used } = this.#context;
    this.#chosen ??= [...new Set([server.defaultDatabase, ...used])].map((name) =>
      this.databases!.get(name.toLowerCase()),
    );
    return this.#chosen;
  }

  /** A name without its database. */
  #resolveWithout(chosen: KnownDatabase, path: NamePath): Resolved {
    const isVersion = path.length === 2 && isNumber(path[1]!);
    if (chosen.kind === "project" && path.length > 1 && !isVersion) {
      return { kind: "unknown", problem: this.unknownDatabase(path[0]!) };
    }
    return this.#resolveIn(chosen, path, path);
  }

  #resolveIn(database: KnownDatabase, rest: NamePath, path: NamePath): Resolved {
    if (database.kind === "other") return unclear;
    const objects = this.#context.server.objects(database);
    if (!objects || objects.byName.size === 0) return unclear;
    const found = ({ type }: KnownObject, parts: readonly string[]): Resolved => {
      return { kind: "object", type, parts, database };
    };
    if (database.kind === "project") {
      // The last part may be the number of a model's version.
      if (rest.length > 1 && !(rest.length === 2 && isNumber(rest[1]!))) return unclear;
      const [object] = objects.byName.get(rest[0]!.text.toLowerCase()) ?? [];
      if (object) return found(object, [database.name, object.name]);
      if (ownTables.has(rest[0]!.text.toLowerCase())) return unclear;
      return this.#unknownObject(database, objects, rest[0]!, undefined, path);
    }
    if (rest.length > 2) return unclear;
    const schema = rest.length > 1 ? rest[0]!.text.toLowerCase() : undefined;
    const part = rest.at(-1)!;
    if (schema !== undefined && !objects.schemas.has(schema)) {
      return this.#resolveSchema(database, objects, rest[0]!, path);
    }
    const ofName = objects.byName.get(part.text.toLowerCase()) ?? [];
    this.#lookUpsLeft -= ofName.length;
    if (this.#lookUpsLeft < 0) return unclear;
    const inSchema = (wanted: string | undefined) =>
      ofName.filter((one) => one.schema?.toLowerCase() === wanted);
    const ofDefault = schema === undefined ? inSchema(database.defaultSchema?.toLowerCase()) : [];
    const named = schema === undefined ? ofName : inSchema(schema);
    const [object, ...others] = ofDefault.length > 0 ? ofDefault : named;
    if (others.length > 0) return unclear;
    if (object) {
      const parts = schema === undefined ? [] : [object.schema!];
      return found(object, [database.name, ...parts, object.name]);
    }
    // Paths of files, and what data sources do not list.
    if (/[^\p{L}\p{N}_ -]/u.test(part.text) || systemTables.test(part.text)) return unclear;
    return this.#unknownObject(database, objects, part, schema, path);
  }

  /** A schema that is not listed. Many sources list the default one alone, so one does not tell which others there are. */
  #resolveSchema(
    database: KnownDatabase,
    { schemas }: KnownObjects,
    part: NamePart,
    path: NamePath,
  ): Resolved {
    const { name, isPostgres } = database;
    const isListed = schemas.size > 1 || (schemas.size === 1 && isPostgres === true);
    const key = part.text.toLowerCase();
    if (!isListed || systemTables.test(key) || ownDatabases.has(key)) return unclear;
    const others = part === path[0] ? [...this.databases!.values()] : [];
    const problem: NameProblem = {
      start: part.start,
      end: part.end,
      text: part.text,
      message: l10n.t("{0} has no schema {1}.", name, part.text),
      isCurrent: () => this.#context.server.isCurrent(database),
      dependsOn: path.map(({ text }) => text.toLowerCase()),
      candidates: () => [...schemas.values(), ...others.map((one) => one.name)],
    };
    return { kind: "unknown", problem };
  }

  unknownDatabase(part: NamePart): NameProblem {
    return {
      start: part.start,
      end: part.end,
      text: part.text,
      message: l10n.t("No project or data source is named {0}.", part.text),
      isCurrent: () => this.#context.server.isCurrent(undefined),
      dependsOn: [part.text.toLowerCase()],
      candidates: () =>
        [...this.databases!.values()].flatMap(({ kind, name }) => (kind === "other" ? [] : [name])),
    };
  }

  #unknownObject(
    database: KnownDatabase,
    { byName }: KnownObjects,
    part: NamePart,
    schema: string | undefined,
    path: NamePath,
  ): Resolved {
    const { name, kind } = database;
    const message =
      kind === "project"
        ? l10n.t("Project {0} has nothing named {1}.", name, part.text)
        : l10n.t("{0} has no table {1}.", name, part.text);
    const problem: NameProblem = {
      start: part.start,
      end: part.end,
      text: part.text,
      message,
      isCurrent: () => this.#context.server.isCurrent(database),
      dependsOn: path.map(({ text }) => text.toLowerCase()),
      *candidates() {
        for (const object of [...byName.values()].flat()) {
          if (schema === undefined || object.schema?.toLowerCase() === schema) yield object.name;
        }
      },
    };
    return { kind: "unknown", problem };
  }

  databaseOf(path: NamePath): KnownDatabase | undefined {
    const key = path[0]!.text.toLowerCase();
    const known = path.length > 1 ? this.databases!.get(key) : undefined;
    if (known || (path.length > 1 && ownDatabases.has(key))) return known;
    const [only, ...others] = this.#chosenDatabases();
    if (others.length === 0) return only;
    const found = new Set<KnownDatabase>();
    for (const chosen of [only, ...others].slice(0, maxUsed)) {
      const table = chosen ? this.#resolveWithout(chosen, path) : unclear;
      if (chosen && table.kind === "object") found.add(chosen);
    }
    const [database, ...more] = found;
    return more.length === 0 ? database : undefined;
  }

  isNamed(path: NamePath): boolean {
    return path.length === 1 && this.#names.named.has(path[0]!.text.toLowerCase());
  }

  /** A table of PostgreSQL; undefined for anything else. */
  postgresTable(path: NamePath | undefined): ResolvedObject | undefined {
    const found = path ? this.resolve(path) : unclear;
    return found.kind === "object" && found.database.isPostgres === true ? found : undefined;
  }

  /** The query in place of a table, also one that WITH defines. */
  queryOf({ path, query }: QueryTable): QueryScope | undefined {
    const isNamed = path !== undefined && this.isNamed(path);
    return (
      query ?? (isNamed ? this.#names.named.get(path[0]!.text.toLowerCase())?.query : undefined)
    );
  }

  isKnowledgeBase({ path }: Pick<QueryTable, "path">): boolean {
    const found = path && this.resolve(path);
    return found?.kind === "object" && found.type === "knowledge_base";
  }

  isModel({ path }: QueryTable): boolean {
    const found = path && this.resolve(path);
    return found?.kind === "object" && found.type === "model";
  }

  /** The table of a query, or of those around it, that a name begins with. Undefined also once too much was looked up. */
  findTable(
    scope: QueryScope,
    qualifier: NamePath,
  ): { table: QueryTable; query: QueryScope } | undefined {
    const end = qualifier.map(({ text }) => text);
    let depth = 0;
    for (let outer: QueryScope | undefined = scope; outer; outer = outer.parent) {
      if (outer.tables.length > maxTables || depth++ > maxDepth) return undefined;
      this.#lookUpsLeft -= outer.tables.length;
      if (this.#lookUpsLeft < 0) return undefined;
      // few: at most maxTables.
      const table = outer.tables.find(({ alias, path = [] }) => {
        if (alias !== undefined) return end.length === 1 && isSameName(alias, end[0]);
        const from = path.length - end.length;
        return from >= 0 && end.every((part, at) => isSameName(path[from + at]?.text, part));
      });
      if (table) return { table, query: outer };
    }
    return undefined;
  }

  /** Also once too much was looked up. */
  hasColumn(columns: readonly KnownColumns[], key: string): boolean {
    this.#lookUpsLeft -= columns.length;
    return this.#lookUpsLeft < 0 || columns.some((one) => one.has(key));
  }

  /** Of tables; queries in their place are followed no further. */
  hasCurrentColumns(tables: readonly QueryTable[]): boolean {
    const lists = tables.flatMap(({ path }) => {
      const found = path && !this.isNamed(path) ? this.resolve(path) : unclear;
      return found.kind === "object" && found.type !== "knowledge_base" ? [found.parts] : [];
    });
    // Each is requested, also after one that is old.
    return lists.map((parts) => this.#context.server.isCurrent(parts)).every(Boolean);
  }

  columnsOf(table: QueryTable, depth: number): readonly KnownColumns[] | undefined {
    if (this.#tables.has(table)) return this.#tables.get(table);
    this.#tables.set(table, undefined);
    const columns = this.#readColumns(table, depth);
    this.#tables.set(table, columns);
    return columns;
  }

  #readColumns(table: QueryTable, depth: number): readonly KnownColumns[] | undefined {
    const { path, query } = table;
    if (depth > maxDepth) return undefined;
    if (query) return this.#outputsOf(query, depth + 1);
    if (!path) return undefined;
    const named =
      path.length === 1 ? this.#names.named.get(path[0]!.text.toLowerCase()) : undefined;
    if (named) return this.columnsOf(named, depth + 1);
    const found = this.resolve(path);
    const columns = found.kind === "object" ? this.columnsOfObject(found) : undefined;
    return columns && [columns];
  }

  columnsOfObject({
    type,
    parts,
    database: { hasAllColumns },
  }: ResolvedObject): KnownColumns | undefined {
    const { server, mayRequest } = this.#context;
    if (
      !hasAllColumns ||
      !["table", "view", "data", "knowledge_base", rowsOfKnowledgeBase].includes(type)
    ) {
      return undefined;
    }
    const columns = server.columns(type, parts, mayRequest);
    return columns?.size === 0 ? undefined : columns;
  }

  /** The columns that a query returns, if all are known. Not put together: each `*` would copy them. */
  #outputsOf(query: QueryScope, depth: number): readonly KnownColumns[] | undefined {
    if (this.#outputs.has(query)) return this.#outputs.get(query);
    this.#outputs.set(query, undefined);
    const own = new Map<string, string>();
    const found = new Set<KnownColumns>([own]);
    for (const output of query.outputs) {
      if (output === "unnamed" || query.tables.length > maxTables) return undefined;
      if ("column" in output) {
        own.set(output.column.toLowerCase(), output.column);
        continue;
      }
      const { allOf } = output;
      const tables = query.tables.filter((one) => allOf === undefined || isNamed(one, allOf));
      if (tables.length === 0) return undefined;
      for (const table of tables) {
        const columns = this.columnsOf(table, depth);
        if (!columns) return undefined;
        for (const one of columns) found.add(one);
      }
    }
    const outputs = [...found];
    this.#outputs.set(query, outputs);
    return outputs;
  }

  /** Whether the server may send a query to one data source, which joins its tables itself. Never where it reads files or views. */
  mayBeOfOneSource(query: QueryScope): boolean {
    if (this.#names.databases.length > 0) return false;
    const sources = new Set<KnownDatabase>();
    const seen = new Set([query]);
    for (const { tables, inner: queries } of seen) {
      this.#lookUpsLeft -= tables.length + 1;
      if (this.#lookUpsLeft < 0) return true;
      for (const one of queries) seen.add(one);
      for (const table of tables.slice(0, maxTables)) {
        const { path } = table;
        const read = this.queryOf(table);
        if (read) seen.add(read);
        const database = path && !this.isNamed(path) ? this.databaseOf(path) : undefined;
        if (database) sources.add(database);
      }
    }
    const [only, ...others] = sources;
    const isJoinedThere = !only || (only.kind === "data" && only.name !== filesSource);
    return others.length === 0 && isJoinedThere;
  }
}

/** Where a name is, with all of its parts. */
export function placeOf(path: NamePath): Span {
  return { start: path[0]!.start, end: path.at(-1)!.end };
}

/** What is wrong whatever the server has. */
export function surely(
  { start, end }: Span,
  message: string,
): Omit<NameProblem, "code" | "text" | "choices"> {
  return { start, end, message, isCurrent: () => true, dependsOn: [], candidates: () => [] };
}

function isNumber({ text, isQuoted }: NamePart): boolean {
  return !isQuoted && /^\d+$/.test(text);
}

export function isNamed({ alias, path }: QueryTable, name: string): boolean {
  return isSameName(alias ?? path?.at(-1)?.text, name);
}
