// What is known of the names of a server: databases, their objects, and the columns and types of these.

export interface KnownDatabase {
  name: string;
  /** `other`: of which nobody lists the tables. */
  kind: "project" | "data" | "other";
  /** Whether reading a table returns all columns that a condition can name. */
  hasAllColumns: boolean;
  /** Whether it is a PostgreSQL, which reads names without quotes in lower case. */
  isPostgres?: boolean;
  /** That of names without one, where the data source has schemas. */
  defaultSchema?: string | undefined;
}

export interface KnownObject {
  name: string;
  /** As the server calls it. */
  type: string;
  schema?: string | undefined;
}

/** The objects of a project or a data source. */
export interface KnownObjects {
  /** By lower-case name: those of several schemas can have the same. */
  byName: ReadonlyMap<string, readonly KnownObject[]>;
  /** By lower-case name. */
  schemas: ReadonlyMap<string, string>;
}

/** Names of columns by their names in lower case. */
export type KnownColumns = ReadonlyMap<string, string>;

/** The type of a knowledge base whose columns are those of the rows that it takes: its id can have another name there. */
export const rowsOfKnowledgeBase = "rows of a knowledge base";

/** The known names of a server. Undefined where they are not known, or not completely. */
export interface ServerNames {
  /** The project or data source of names without one. */
  defaultDatabase: string;
  /** By lower-case name. */
  databases: () => ReadonlyMap<string, KnownDatabase> | undefined;
  objects: (database: KnownDatabase) => KnownObjects | undefined;
  /**
   * Of a table, a view or a knowledge base. The parts of its name begin with the database. `mayRequest`: whether columns that
   * nobody has asked for may be requested, for a later check.
   */
  columns: (
    type: string,
    parts: readonly string[],
    mayRequest: boolean,
  ) => KnownColumns | undefined;
  /** The types of the columns of a table by their names, all in lower case, as far as `columns` has asked for them. */
  types: (parts: readonly string[]) => ReadonlyMap<string, string>;
  /** The clause of a view's query that the server applies after conditions on the view; undefined if there is none. */
  lateClause: (parts: readonly string[], mayRequest: boolean) => string | undefined;
  /**
   * Whether a list was read within the last seconds: the objects of a database, the columns of a table, or the databases.
   * Requests it otherwise.
   */
  isCurrent: (list: KnownDatabase | readonly string[] | undefined) => boolean;
}
