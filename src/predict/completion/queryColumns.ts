// The columns that can be named in a query: those of its tables, of the queries in it, and of the queries around it.
import type { HandlerKind } from "../../mindsdb/handlers.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { nameText, type SqlSuggestion } from "./suggestion.ts";
import { withParents, type QueryTable, type SqlQuery } from "./sqlScope.ts";

export interface SqlColumn {
  name: string;
  type?: string | undefined;
}

export interface SqlObject {
  name: string;
  /** As the server calls it: "table", "view", "model", "agent", "knowledge_base", "job"… */
  type: string;
  schema?: string | undefined;
}

export interface SqlDatabase {
  name: string;
  isProject: boolean;
  /** Whether its own language has names in double quotes, not in backticks. */
  hasDoubleQuotes?: boolean;
  /** That of names without one, where the data source has schemas. */
  defaultSchema?: string | undefined;
}

/** What data sources, or ML engines, are made of. */
export interface SqlHandler {
  name: string;
  /** The parameters that it declares. */
  keys: readonly string[];
}

/** The names of a server as far as they are loaded. The first call for a list starts loading it. */
export interface SqlNames {
  /** The project or the data source of names without one. */
  defaultDatabase: string;
  databases: () => readonly SqlDatabase[];
  objects: (database: string) => readonly SqlObject[];
  /** The parts of a name begin with the database. */
  columns: (path: readonly string[]) => readonly SqlColumn[];
  handlers: (kind: HandlerKind) => readonly SqlHandler[];
  /** The names of the ML engines, with which models are trained. */
  mlEngines: () => readonly string[];
}

/** Queries in queries, beyond which columns are not looked for. */
const maxDepth = 50;
/** The most columns that are looked at for one completion: statements and servers can name any number, again and again. */
const maxColumns = 50_000;
/** The cost of looking for a table, counted in columns: a server can list many tables. */
const tableCost = 50;

export class QueryColumns {
  readonly #names: SqlNames;
  readonly #known = new Map<SqlQuery, SqlColumn[]>();
  #columnsLeft = maxColumns;

  constructor(names: SqlNames) {
    this.#names = names;
  }

  /** The columns of a query's tables and the names of these; of one table, if its name is given. */
  listIn(query: SqlQuery, path: readonly string[]): SqlSuggestion[] {
    if (path.length > 0) {
      const found = findTable(query, path);
      return found ? this.#columnsOf(found.table, found.query).flatMap(toSuggestion) : [];
    }
    const suggestions = new Map<string, SqlSuggestion>();
    const add = (suggestion: SqlSuggestion): void => {
      const key = suggestion.label.toLowerCase();
      if (!suggestions.has(key)) suggestions.set(key, suggestion);
    };
    for (const outer of withParents(query)) {
      const { tables } = outer;
      const lists = tables.map((table) => this.#columnsOf(table, outer));
      const counts = new Map<string, number>();
      for (const { name } of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
      tables.forEach((table, index) => {
        const name = tableName(table);
        for (const column of lists[index]!) {
          const isShared = (counts.get(column.name) ?? 0) > 1 && name !== undefined;
          for (const one of isShared ? qualified(name, column) : toSuggestion(column)) add(one);
        }
      });
      for (const table of tables) {
        const name = tableName(table);
        const text = name === undefined ? undefined : nameText([name]);
        if (name !== undefined && text !== undefined) {
          add({ kind: "alias", label: name, text, detail: table.path?.join(".") });
        }
      }
    }
    return [...suggestions.values()];
  }

  /** The columns of the table that a statement writes into. */
  listOwn(query: SqlQuery): SqlSuggestion[] {
    const [table] = query.tables;
    return table ? this.#columnsOf(table, query).flatMap(toSuggestion) : [];
  }

  /** The columns of a table that is named in a query. */
  listOf(table: QueryTable, query: SqlQuery): readonly SqlColumn[] {
    return this.#columnsOf(table, query);
  }

  #columnsOf(table: QueryTable, query: SqlQuery, depth = 0): readonly SqlColumn[] {
    if (depth > maxDepth || this.#columnsLeft <= 0) return [];
    this.#columnsLeft -= 1;
    const columns = this.#readColumns(table, query, depth);
    this.#columnsLeft -= columns.length;
    return columns;
  }

  #readColumns(table: QueryTable, query: SqlQuery, depth: number): readonly SqlColumn[] {
    const { columns, path } = table;
    if (columns) return columns.map((name) => ({ name }));
    if (table.query) return this.#columnsOfQuery(table.query, depth);
    if (!path) return [];
    const named = path.length === 1 ? findNamed(query, path[0]!) : undefined;
    if (named) return this.#columnsOf(named, query, depth + 1);
    this.#columnsLeft -= tableCost;
    return this.#names.columns(fullPath(this.#names, query, path));
  }

  #columnsOfQuery(query: SqlQuery, depth: number): readonly SqlColumn[] {
    const known = this.#known.get(query);
    if (known) return known;
    const columns = new Map<string, SqlColumn>();
    this.#known.set(query, []);
    for (const target of query.targets) {
      if (this.#columnsLeft <= 0) break;
      const tables = query.tables.filter(
        (table) =>
          !("column" in target) &&
          (target.allOf === undefined || isSameName(tableName(table), target.allOf)),
      );
      const found =
        "column" in target
          ? [{ name: target.column }]
          : tables.flatMap((table) => this.#columnsOf(table, query, depth + 1));
      for (const column of found) {
        if (!columns.has(column.name)) columns.set(column.name, column);
      }
    }
    const all = [...columns.values()];
    this.#known.set(query, all);
    return all;
  }
}

/** The table of a query, or of those around it, that a name in an expression begins with. */
export function findTable(
  query: SqlQuery,
  path: readonly string[],
): { table: QueryTable; query: SqlQuery } | undefined {
  for (const outer of withParents(query)) {
    const table = outer.tables.find((one) =>
      path.length === 1 && one.alias !== undefined
        ? isSameName(one.alias, path[0])
        : endsWith(one.path ?? [], path),
    );
    if (table) return { table, query: outer };
  }
  return undefined;
}

/** A table's name with its project or data source first. */
export function fullPath(
  names: SqlNames,
  { source }: Pick<SqlQuery, "source">,
  path: readonly string[],
): readonly string[] {
  if (source !== undefined) return [source, ...path];
  const isFull = path.length > 1 && names.databases().some(({ name }) => isSameName(name, path[0]));
  return isFull ? path : [names.defaultDatabase, ...path];
}

/** The query of this name that WITH defines before or around a query. */
export function findNamed(query: SqlQuery, name: string): QueryTable | undefined {
  const inside = new Set<SqlQuery>();
  for (const outer of withParents(query)) {
    inside.add(outer);
    const found = outer.named.get(name.toLowerCase());
    if (found && !(found.query && inside.has(found.query))) return found;
  }
  return undefined;
}

export function tableName({ alias, path }: QueryTable): string | undefined {
  return alias ?? path?.at(-1);
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  const start = path.length - end.length;
  return start >= 0 && end.every((part, index) => isSameName(path[start + index], part));
}

function toSuggestion({ name, type }: SqlColumn): SqlSuggestion[] {
  const text = nameText([name]);
  return text === undefined ? [] : [{ kind: "column", label: name, text, detail: type }];
}

function qualified(table: string, { name, type }: SqlColumn): SqlSuggestion[] {
  const text = nameText([table, name]);
  return text === undefined
    ? []
    : [{ kind: "column", label: `${table}.${name}`, text, detail: type }];
}
