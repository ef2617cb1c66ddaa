// Finds the names in a statement that the server does not have, as far as its lists are known.
import * as l10n from "@vscode/l10n";
import { listings } from "../../mindsdb/sql/tableName.ts";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { nameText } from "../completion/suggestion.ts";
import type { Span } from "../notebook/recipe.ts";
import { isPlainInput, withoutModel } from "../notebook/ignoredInputs.ts";
import type { NamePart, NamePath } from "../notebook/namePath.ts";
import type { QueryScope, QueryTable, StatementNames } from "./statementNames.ts";

export interface KnownDatabase {
  name: string;
  /** `other`: of which nobody lists the tables. */
  kind: "project" | "data" | "other";
  /** Whether reading a table returns all columns that a condition can name. */
  hasAllColumns: boolean;
  /** Whether it is a PostgreSQL, which reads names without quotes in lower case. */
  isPostgres?: boolean;
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

export interface NameProblem extends Span {
  /** Unless the name is unknown. */
  code?: "ignoredInput" | "earlyFilter" | "earlyLimit" | "calculation";
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
const maxTables = 100;
const maxDepth = 50;
/** Databases that USE chooses; with more, a name without a database may be in any. */
const maxUsed = 20;
/** Of one statement. */
const maxUnknown = 100;
/** Lists of columns in which the columns of one statement are looked for, and tables of the same name. */
const maxLookUps = 200_000;

/** Databases of the server's own, whose tables are not listed. */
const ownDatabases = new Set(["information_schema", "log", "pg_catalog", "performance_schema"]);
/** Tables that every project has. */
const ownTables = new Set([...listings, "dual", "table_delta"]);
/** Tables that data sources have but do not list. */
const systemTables = /^(pg_|sqlite_|duckdb_|sys|svv_|stl_|stv_|svl_|all_|dba_|user_|v\$|dual$)/i;
/** Types as PostgreSQL and MindsDB call them. */
const wholeNumber = /^(small|big)?(int(eger|\d)?|serial)$/;
/** Words that are read as columns but are none, and columns that `*` leaves out. */
const ownColumns = new Set(
  (
    "current_date current_time current_timestamp current_user session_user user localtime localtimestamp sysdate " +
    "systimestamp rownum rowid rowidtochar ctid oid xmin xmax cmin cmax tableoid default " +
    "microsecond millisecond second minute hour day week month quarter year decade century epoch dow doy " +
    "microseconds milliseconds seconds minutes hours days weeks months quarters years isodow isoyear"
  ).split(" "),
);
/** MindsDB's, BigQuery's and Snowflake's pseudo columns, and what begins like a number. */
const pseudoColumns = /^(__|_partition|_table_suffix|_file_name|_change_|\d)|\$/i;

/** The server puts columns with these names in quotes: words that PostgreSQL reserves (26.1.0). */
const quotedWords = new Set(
  (
    "all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create " +
    "default deferrable desc distinct do else end except false fetch for foreign from grant group having in " +
    "initially intersect into leading limit new not null of off offset old on only or order placing primary " +
    "references returning select some symmetric table then to trailing true union unique user using variadic when " +
    "where window with authorization between binary cross freeze full ilike inner is isnull join left like natural " +
    "notnull outer over overlaps right similar verbose"
  ).split(" "),
);

/** Names that are surely unknown, and inputs of models that the server ignores. Looks nothing up twice, and never throws. */
export function findUnknownNames(names: StatementNames, context: NameContext): NameProblem[] {
  return new NameFinder(names, context).find();
}

/** Whether a statement surely writes a table of a data source other than that of the files. */
export function writesSource(names: StatementNames, context: NameContext): boolean {
  return new NameFinder(names, context).writesSource();
}

type Resolved =
  /** The parts of its name begin with the database. */
  | { kind: "object"; type: string; parts: readonly string[]; database: KnownDatabase }
  | { kind: "unknown"; problem: NameProblem }
  | { kind: "unclear" };

const unclear: Resolved = { kind: "unclear" };

class NameFinder {
  readonly #names: StatementNames;
  readonly #context: NameContext;
  readonly #databases: ReadonlyMap<string, KnownDatabase> | undefined;
  /** The columns of queries in queries; undefined while they are looked for. */
  readonly #outputs = new Map<QueryScope, readonly KnownColumns[] | undefined>();
  readonly #tables = new Map<QueryTable, readonly KnownColumns[] | undefined>();
  readonly #resolved = new Map<NamePath, Resolved>();
  #chosen: readonly (KnownDatabase | undefined)[] | undefined;
  readonly #ofOnePostgres = new Map<QueryScope, boolean>();
  #readsOnlySources: boolean | undefined;
  #quoted: Set<string> | undefined;
  #innerQueries: Set<QueryScope> | undefined;
  #lookUpsLeft = maxLookUps;

  constructor(names: StatementNames, context: NameContext) {
    this.#names = names;
    this.#context = context;
    this.#databases = context.server.databases();
  }

  find(): NameProblem[] {
    const found: NameProblem[] = [];
    for (const problem of this.#findAll()) {
      if (found.push(problem) === maxUnknown || this.#lookUpsLeft <= 0) break;
    }
    return found;
  }

  writesSource(): boolean {
    const [written] = this.#names.objects;
    const database = written && this.#databases ? this.#databaseOf(written) : undefined;
    return database?.kind === "data" && database.name !== filesSource;
  }

  *#findAll(): Generator<NameProblem> {
    if (!this.#databases) return;
    const { databases, objects, scopes } = this.#names;
    for (const part of databases) yield* this.#checkDatabase(part);
    for (const path of objects) {
      const found = this.#resolve(path);
      if (found.kind === "unknown") yield found.problem;
    }
    yield* this.#checkWritten();
    yield* this.#checkOfSource();
    for (const scope of scopes) {
      for (const path of scope.columns) yield* this.#checkColumn(path, scope);
      yield* this.#checkInputs(scope);
      yield* this.#checkFilters(scope);
      yield* this.#checkLimit(scope);
      yield* this.#checkSearch(scope);
      yield* this.#checkViews(scope);
      yield* this.#checkCalculations(scope);
    }
  }

  #checkDatabase(part: NamePart): NameProblem[] {
    const key = part.text.toLowerCase();
    if (ownDatabases.has(key) || this.#databases!.has(key)) return [];
    return [this.#unknownDatabase(part)];
  }

  #unknownDatabase(part: NamePart): NameProblem {
    return {
      start: part.start,
      end: part.end,
      text: part.text,
      message: l10n.t("No project or data source is named {0}.", part.text),
      isCurrent: () => this.#context.server.isCurrent(undefined),
      dependsOn: [part.text.toLowerCase()],
      candidates: () =>
        [...this.#databases!.values()].flatMap(({ kind, name }) =>
          kind === "other" ? [] : [name],
        ),
    };
  }

  #resolve(path: NamePath): Resolved {
    const known = this.#resolved.get(path) ?? this.#find(path);
    this.#resolved.set(path, known);
    return known;
  }

  #find(path: NamePath): Resolved {
    const first = path[0]!;
    if (this.#isNamed(path)) return unclear;
    const key = first.text.toLowerCase();
    const database = path.length > 1 ? this.#databases!.get(key) : undefined;
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
      this.#databases!.get(name.toLowerCase()),
    );
    return this.#chosen;
  }

  /** A name without its database. */
  #resolveWithout(chosen: KnownDatabase, path: NamePath): Resolved {
    const isVersion = path.length === 2 && isNumber(path[1]!);
    if (chosen.kind === "project" && path.length > 1 && !isVersion) {
      return { kind: "unknown", problem: this.#unknownDatabase(path[0]!) };
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
    const [object, ...others] = ofName.filter(
      (one) => schema === undefined || one.schema?.toLowerCase() === schema,
    );
    if (others.length > 0) return unclear;
    if (object) {
      const inSchema = schema === undefined ? [] : [object.schema!];
      return found(object, [database.name, ...inSchema, object.name]);
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
    const others = part === path[0] ? [...this.#databases!.values()] : [];
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

  /** Columns that a statement writes, of tables of data sources: knowledge bases and files take others. */
  #checkWritten(): NameProblem[] {
    const { written, objects } = this.#names;
    const found = written.length > 0 && objects[0] ? this.#resolve(objects[0]) : unclear;
    if (found.kind !== "object" || found.type !== "table") return [];
    const columns = this.#columnsOfObject(found);
    if (!columns) return [];
    const unknown = written.filter(({ text }) => !columns.has(text.toLowerCase()));
    return unknown
      .slice(0, maxUnknown)
      .map((part) => this.#unknownColumn(part, [{ path: objects[0]! }], [columns]));
  }

  /** Tables in queries of an UPDATE: the data source gets their names as they are. */
  *#checkOfSource(): Generator<NameProblem> {
    const { ofSource, objects } = this.#names;
    if (ofSource.length === 0) return;
    const updated = objects[0] && this.#databaseOf(objects[0]);
    if (updated?.kind !== "data" || updated.name === filesSource) return;
    for (const [database, ...rest] of ofSource.slice(0, maxUnknown)) {
      if (rest.length === 0) continue;
      if (!isSameName(database!.text, updated.name)) {
        yield* this.#checkOther(database!, updated);
        continue;
      }
      const text = nameText(rest.map((part) => part.text));
      const message = l10n.t(
        "In UPDATE, the data source reads the names of a subquery itself: leave out {0}.",
        database!.text,
      );
      const span = { start: database!.start, end: rest.at(-1)!.end };
      yield { ...surely(span, message), text: database!.text, choices: text ? [text] : [] };
    }
  }

  /** A name in a subquery of an UPDATE that may be one of another data source or project. */
  #checkOther(name: NamePart, updated: KnownDatabase): NameProblem[] {
    const key = name.text.toLowerCase();
    const other = this.#databases!.get(key);
    const schemas = this.#context.server.objects(updated)?.schemas;
    if (!other || !schemas || schemas.has(key)) return [];
    const message = l10n.t(
      "In UPDATE, a subquery in a condition or value can't read from {0}. Use UPDATE … SET … FROM (SELECT …) AS s WHERE ….",
      other.name,
    );
    return [{ ...surely(name, message), text: name.text }];
  }

  #checkColumn(path: NamePath, scope: QueryScope): NameProblem[] {
    const part = path.at(-1)!;
    const key = part.text.toLowerCase();
    if (pseudoColumns.test(part.text)) return [];
    const isOwn = !part.isQuoted && (key === "*" || ownColumns.has(key));
    if (path.length > 1) {
      const { table, query } = this.#findTable(scope, path.slice(0, -1)) ?? {};
      if (this.#lookUpsLeft < 0) return [];
      if (!table || !query) return path.length === 2 ? this.#checkQualifier(path[0]!, scope) : [];
      const columns = this.#columnsOf(table, 0);
      if (!columns || isOwn) return [];
      if (this.#hasColumn(columns, key)) return this.#checkFolding(part, [table], query);
      return [this.#unknownColumn(part, [table], columns)];
    }
    if (isOwn) return [];
    const tables: QueryTable[] = [];
    const all: KnownColumns[] = [];
    let depth = 0;
    for (let outer: QueryScope | undefined = scope; outer; outer = outer.parent) {
      const isTooLarge = outer.tables.length > maxTables || depth++ > maxDepth;
      if (isTooLarge || outer.aliases.has(key)) return [];
      for (const table of outer.tables) {
        const columns = this.#columnsOf(table, 0);
        if (!columns) return [];
        if (this.#hasColumn(columns, key)) return this.#checkFolding(part, outer.tables, outer);
        // The whole row, in some databases.
        if (isSameName(table.alias ?? table.path?.at(-1)?.text, part.text)) return [];
        tables.push(table);
        all.push(...columns);
      }
    }
    return tables.length === 0 ? [] : [this.#unknownColumn(part, tables, all)];
  }

  /** The table of a query, or of those around it, that a name begins with. Undefined also once too much was looked up. */
  #findTable(
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

  /** The name before a column, where no table in reach has it. */
  #checkQualifier(part: NamePart, scope: QueryScope): NameProblem[] {
    const key = part.text.toLowerCase();
    if (!this.#isOfSources() || this.#databases!.has(key)) return [];
    const choices: string[] = [];
    const dependsOn: string[] = [];
    let depth = 0;
    for (let outer: QueryScope | undefined = scope; outer; outer = outer.parent) {
      if (outer.tables.length > maxTables || depth++ > maxDepth) return [];
      for (const table of outer.tables) {
        const name = qualifierOf(table);
        const columns = this.#columnsOf(table, 0);
        // Some databases have columns with fields.
        if (name === undefined || !columns || this.#hasColumn(columns, key)) return [];
        choices.push(name);
        dependsOn.push(...(table.path ?? []).map(({ text }) => text.toLowerCase()));
      }
    }
    if (choices.length === 0) return [];
    const message = l10n.t("No table of this query is called {0}.", part.text);
    return [
      {
        start: part.start,
        end: part.end,
        text: part.text,
        message,
        isCurrent: () => true,
        dependsOn,
        candidates: () => [],
        choices,
      },
    ];
  }

  /**
   * Whether the statement reads nothing but tables of databases: the server ignores the name before a column of files and
   * native queries.
   */
  #isOfSources(): boolean {
    this.#readsOnlySources ??=
      this.#names.databases.length === 0 &&
      this.#names.objects.every((path) => {
        if (this.#isNamed(path)) return true;
        const found = this.#resolve(path);
        if (found.kind !== "object") return false;
        const { kind, name } = found.database;
        return kind === "data" && name !== filesSource;
      });
    return this.#readsOnlySources;
  }

  /** A column of PostgreSQL that is found only in quotes. `query`: what has the tables. */
  #checkFolding(part: NamePart, tables: readonly QueryTable[], query: QueryScope): NameProblem[] {
    const key = part.text.toLowerCase();
    if (part.isQuoted || quotedWords.has(key)) return [];
    const isSent = tables.length === 1 && !this.#isReadInQuotes(key);
    if (!isSent && !this.#isOfOnePostgres(query)) return [];
    let real: string | undefined;
    for (const { path } of tables) {
      const found = path ? this.#resolve(path) : unclear;
      if (found.kind !== "object" || found.database.isPostgres !== true) return [];
      const name = this.#columnsOfObject(found)?.get(key);
      if (name === key) return [];
      real ??= name;
    }
    if (real === undefined) return [];
    return [
      {
        start: part.start,
        end: part.end,
        text: part.text,
        message:
          part.text === key
            ? l10n.t("The column is named {0}. PostgreSQL finds it only in backticks.", real)
            : l10n.t(
                "PostgreSQL reads {0} as {1}. Put the name of the column in backticks.",
                part.text,
                key,
              ),
        isCurrent: () => this.#hasCurrentColumns(tables),
        dependsOn: tables.flatMap(({ path = [] }) => path.map(({ text }) => text.toLowerCase())),
        candidates: () => [],
        choices: [`\`${real}\``],
      },
    ];
  }

  /** Whether a name is somewhere in quotes: the server may read the column so for all places, if it joins tables itself. */
  #isReadInQuotes(key: string): boolean {
    this.#quoted ??= new Set(
      this.#names.scopes.flatMap(({ columns }) =>
        columns.flatMap((path) => {
          const { text, isQuoted } = path.at(-1)!;
          return isQuoted ? [text.toLowerCase()] : [];
        }),
      ),
    );
    return this.#quoted.has(key);
  }

  /** Whether the server sends a query to one PostgreSQL. */
  #isOfOnePostgres(query: QueryScope): boolean {
    const known = this.#ofOnePostgres.get(query);
    if (known !== undefined) return known;
    const names = new Set<string | undefined>();
    for (const { path } of query.tables.slice(0, maxTables + 1)) {
      const found = path && !this.#isNamed(path) ? this.#resolve(path) : unclear;
      const database = found.kind === "object" ? found.database : undefined;
      names.add(database?.isPostgres === true ? database.name : undefined);
    }
    const isOne = query.tables.length <= maxTables && names.size === 1 && !names.has(undefined);
    this.#ofOnePostgres.set(query, isOne);
    return isOne;
  }

  /**
   * Conditions by which the server reads tables that it joins itself, although more than they decide: it takes each comparison
   * of a column with a value from the WHERE, wherever it is there. With `LEFT JOIN t … WHERE t.a IS NULL`, it reads only such
   * rows of `t`, and every row of the other table is without a match (seen on 26.1.0; the code of 25.14.1 is the same).
   */
  *#checkFilters(scope: QueryScope): Generator<NameProblem> {
    const { filters, hasOr } = scope.condition;
    const isJoin = scope.tables.length > 1;
    if (!isJoin || filters.length === 0 || this.#mayBeOfOneSource(scope)) return;
    for (const { path, operator, isPart } of filters) {
      const { table } = path.length > 1 ? (this.#findTable(scope, path.slice(0, -1)) ?? {}) : {};
      // With an OR, it reads whole tables, except queries in their place.
      if (!table || (hasOr && !table.query) || this.#isModel(table)) continue;
      const isEarly = isPart || (operator === "IS NULL" && table.isOptional === true);
      const losesQuotes = !isEarly && this.#losesQuotes(path.at(-1)!, table);
      if (!isEarly && !losesQuotes) continue;
      const parts = path.map(({ text, isQuoted }) => (isQuoted ? `\`${text}\`` : text));
      const text = parts.join(".");
      const fixed = `coalesce(${text}, NULL)`;
      const message = losesQuotes
        ? l10n.t(
            "MindsDB sends this name to PostgreSQL without quotes before it joins tables of different sources. Use {0} instead.",
            fixed,
          )
        : isPart
          ? l10n.t(
              "MindsDB applies this part of the condition as a filter of its own, before it joins tables of different sources. Use {0} instead.",
              fixed,
            )
          : l10n.t(
              "MindsDB applies this condition before it joins tables of different sources, so no row finds its match. Use {0} IS NULL instead.",
              fixed,
            );
      const span = { start: path[0]!.start, end: path.at(-1)!.end };
      yield { ...surely(span, message), code: "earlyFilter", text, choices: [fixed] };
    }
  }

  /** Whether PostgreSQL finds a column in quotes only, which the server leaves out unless the word needs them. */
  #losesQuotes({ text }: NamePart, { path }: QueryTable): boolean {
    const key = text.toLowerCase();
    const found = path && /^[a-z_]\w*$/.test(key) ? this.#resolve(path) : unclear;
    const isPostgres = found.kind === "object" && found.database.isPostgres === true;
    if (!isPostgres || quotedWords.has(key)) return false;
    const name = this.#columnsOfObject(found)?.get(key);
    return name !== undefined && name !== key;
  }

  /**
   * A LIMIT that the server applies to one table before it joins it, filters it, or counts its rows (26.1.0): to the first table
   * of a join, if that gives the whole order, and to knowledge bases.
   */
  *#checkLimit(scope: QueryScope): Generator<NameProblem> {
    const { limit, tables } = scope;
    if (!limit.clause || tables.length === 0) return;
    const table = tables.length === 1 ? this.#limitedAlone(scope) : this.#limitedInJoin(scope);
    const name = table?.alias ?? table?.path?.at(-1)?.text;
    if (name === undefined) return;
    const message = l10n.t(
      "MindsDB applies LIMIT to {0} before the rest of the query, so rows or values can be missing or wrong. Put all but ORDER BY, LIMIT, and OFFSET in a subquery.",
      name,
    );
    yield { ...surely(limit.clause, message), code: "earlyLimit", text: name };
  }

  /** A search in a knowledge base returns ten rows where no LIMIT says otherwise: too few to count, join, or look up. */
  *#checkSearch(scope: QueryScope): Generator<NameProblem> {
    const { limit, tables, condition } = scope;
    this.#innerQueries ??= findInnerQueries(this.#names);
    const isInner = scope.isStored === true || this.#innerQueries.has(scope);
    const readsAll = limit.isGrouped || limit.readsAllRows || tables.length > 1;
    const searches = condition.filters.filter(({ path }) =>
      /^(chunk_)?content$/i.test(path.at(-1)!.text),
    );
    if (searches.length === 0) return;
    if (tables.length === 1 && this.#isKnowledgeBase(tables[0]!)) {
      for (const { path, operator } of searches) if (operator === "LIKE") yield likeSearch(path);
    }
    // In another order than that of the search, the first rows are any.
    const isSorted = !limit.order.every(isRelevance);
    if (limit.clause || !(readsAll || isInner || isSorted)) return;
    for (const { path } of tables.slice(0, maxTables)) {
      if (!this.#isKnowledgeBase({ path })) continue;
      const message = readsAll
        ? l10n.t(
            "Without LIMIT, MindsDB reads only 10 rows of a search. Put the search in a subquery with a LIMIT (100 at most).",
          )
        : l10n.t(
            "Without LIMIT, MindsDB reads only 10 rows of a search. Add a LIMIT to it (100 at most).",
          );
      const span = { start: path![0]!.start, end: path!.at(-1)!.end };
      yield { ...surely(span, message), code: "earlyLimit", text: path!.at(-1)!.text };
    }
  }

  /**
   * Conditions on a view with a LIMIT: the server moves comparisons of a column with a value into the view's query, where they
   * come before the LIMIT (seen on 26.1.0). A subquery around the view keeps them outside.
   */
  *#checkViews(scope: QueryScope): Generator<NameProblem> {
    const { tables, condition } = scope;
    const seen = new Set<QueryTable>();
    for (const { path, operator, isPart } of condition.filters) {
      if (isPart || operator === "range") continue;
      const qualifier = path.slice(0, -1);
      const only = tables.length === 1 ? tables[0] : undefined;
      const table = qualifier.length > 0 ? this.#findTable(scope, qualifier)?.table : only;
      if (!table?.path || seen.has(table)) continue;
      seen.add(table);
      const found = this.#resolve(table.path);
      if (found.kind !== "object" || found.type !== "view") continue;
      const clause = this.#context.server.lateClause(found.parts, this.#context.mayRequest);
      const quoted = nameText(found.parts);
      if (clause === undefined || quoted === undefined) continue;
      const [first, last] = [table.path[0]!, table.path.at(-1)!];
      const message = l10n.t(
        "MindsDB applies conditions on the columns of {0} before {1} in its query. Read it in a subquery.",
        last.text,
        clause,
      );
      const alias = table.alias === undefined ? ` AS ${nameText([last.text])!}` : "";
      const choices = [`(SELECT * FROM ${quoted})${alias}`];
      const span = { start: first.start, end: last.end };
      yield { ...surely(span, message), code: "earlyFilter", text: last.text, choices };
    }
  }

  /** What the server calculates otherwise than PostgreSQL, where it does it itself (26.1.0). */
  *#checkCalculations(scope: QueryScope): Generator<NameProblem> {
    const { divisions, differences, additions } = scope;
    const count = divisions.length + differences.length + additions.length;
    if (count === 0 || this.#mayBeOfOneSource(scope)) return;
    for (const { start, end, text, columns } of divisions.slice(0, maxUnknown)) {
      if (!columns.every((path) => this.#hasType(path, scope, wholeNumber))) continue;
      const message = l10n.t(
        "MindsDB calculates this with decimals, unlike PostgreSQL. Use trunc(…) for a whole number.",
      );
      yield calculation({ start, end }, message, `trunc(${text})`);
    }
    for (const { start, end, date, operator, days } of additions.slice(0, maxUnknown)) {
      if (!date.path || !this.#hasType(date.path, scope, /^date$/)) continue;
      const fixed = `${date.text} ${operator} INTERVAL '${days} days'`;
      const message = l10n.t(
        "MindsDB can't calculate this, unlike PostgreSQL. Use {0} instead.",
        fixed,
      );
      yield calculation({ start, end }, message, fixed);
    }
    for (const { start, end, operands } of differences.slice(0, maxUnknown)) {
      const dates = operands.map(({ text, path }) => {
        if (!path) return text;
        return this.#hasType(path, scope, /^date$/) ? `CAST(${text} AS date)` : undefined;
      });
      if (dates.includes(undefined)) continue;
      const fixed = dates.join(" - ");
      const message = l10n.t(
        "MindsDB calculates an interval here, unlike PostgreSQL. Use {0} for a number of days.",
        fixed,
      );
      yield calculation({ start, end }, message, fixed);
    }
  }

  /** Whether a column of PostgreSQL has such a type. */
  #hasType(path: NamePath, scope: QueryScope, wanted: RegExp): boolean {
    const key = path.at(-1)!.text.toLowerCase();
    const qualifier = path.slice(0, -1);
    const table = qualifier.length > 0 ? this.#findTable(scope, qualifier)?.table : undefined;
    return (table ? [table] : scope.tables.slice(0, maxTables)).some((one) => {
      const found = one.path ? this.#resolve(one.path) : unclear;
      if (found.kind !== "object" || found.database.isPostgres !== true) return false;
      // Has them requested.
      const columns = this.#columnsOfObject(found);
      const type = columns && this.#context.server.types(found.parts).get(key);
      return type !== undefined && wanted.test(type);
    });
  }

  #limitedAlone({ limit, tables: [table] }: QueryScope): QueryTable | undefined {
    if (!table?.path) return undefined;
    if (!this.#isKnowledgeBase(table)) return undefined;
    const isByRelevance = limit.order.every(isRelevance);
    const { hasOffset, isGrouped, readsAllRows } = limit;
    return hasOffset || isGrouped || readsAllRows || !isByRelevance ? table : undefined;
  }

  #limitedInJoin(scope: QueryScope): QueryTable | undefined {
    const { limit, condition, tables } = scope;
    const { joins, hasOffset } = limit;
    if (limit.isGrouped || joins.size === 0 || this.#mayBeOfOneSource(scope)) return undefined;
    const few = tables.slice(0, maxTables);
    const hasModel = few.some((one) => this.#isModel(one));
    const keepsOne = joins.has("RIGHT") || joins.has("FULL");
    const isInner = !hasModel && joins.has("INNER");
    if (hasOffset && (isInner || keepsOne)) return undefined;
    // The LIMIT of a query in place of a table is taken for that of the statement.
    const isCut = isInner || (keepsOne && !hasModel);
    const limited = isCut && few.find(({ query }) => query && this.#hasLimit(query));
    if (limited) return limited;
    const [first, second] = few
      .filter((one) => one.path && !this.#isModel(one))
      .sort((a, b) => a.path![0]!.start - b.path![0]!.start);
    if (!first) return undefined;
    // Of the tables after the first, only rows that match it are read.
    if (keepsOne && second) return first;
    const isOfFirst = (path: NamePath | undefined): boolean =>
      path !== undefined &&
      path.length > 1 &&
      this.#findTable(scope, path.slice(0, -1))?.table === first;
    if (!limit.order.every(isOfFirst)) return undefined;
    if (limit.readsAllRows || keepsOne) return first;
    // It cuts the joined rows before it puts them in order: wrong where a row of the first table has many matches.
    if (isInner && limit.order.length > 0) return first;
    const isRead = (table: QueryTable): boolean =>
      !condition.hasOr && (table === first || (isInner && joins.size === 1));
    // The inputs of a model are no filters.
    const before = condition.filters.filter(({ path, operator, isPart }) => {
      const { table } = this.#findTable(scope, path.slice(0, -1)) ?? {};
      if (isPart || !table || path.length < 2) return false;
      return this.#isModel(table) ? operator === "=" : isRead(table);
    });
    const filtersLater = condition.count > before.length;
    return hasOffset || filtersLater ? first : undefined;
  }

  /** Whether a query, or one in place of its tables, has a LIMIT. */
  #hasLimit(query: QueryScope): boolean {
    const seen = new Set([query]);
    for (const { limit, tables } of seen) {
      this.#lookUpsLeft -= tables.length + 1;
      if (limit.clause) return true;
      if (this.#lookUpsLeft < 0) return false;
      for (const { query: inner } of tables) if (inner) seen.add(inner);
    }
    return false;
  }

  #isKnowledgeBase({ path }: Pick<QueryTable, "path">): boolean {
    const found = path && this.#resolve(path);
    return found?.kind === "object" && found.type === "knowledge_base";
  }

  #isModel({ path }: QueryTable): boolean {
    const found = path && this.#resolve(path);
    return found?.kind === "object" && found.type === "model";
  }

  /** Whether the server may send a query to one data source, which joins its tables itself. Never where it reads files or views. */
  #mayBeOfOneSource(query: QueryScope): boolean {
    if (this.#names.databases.length > 0) return false;
    const sources = new Set<KnownDatabase>();
    const seen = new Set([query]);
    for (const { tables, inner: queries } of seen) {
      this.#lookUpsLeft -= tables.length + 1;
      if (this.#lookUpsLeft < 0) return true;
      for (const one of queries) seen.add(one);
      for (const { path, query: inner } of tables.slice(0, maxTables)) {
        const isNamed = path !== undefined && this.#isNamed(path);
        const named = isNamed ? this.#names.named.get(path[0]!.text.toLowerCase()) : undefined;
        const read = inner ?? named?.query;
        if (read) seen.add(read);
        const database = path && !isNamed ? this.#databaseOf(path) : undefined;
        if (database) sources.add(database);
      }
    }
    const [only, ...others] = sources;
    const isJoinedThere = !only || (only.kind === "data" && only.name !== filesSource);
    return others.length === 0 && isJoinedThere;
  }

  #databaseOf(path: NamePath): KnownDatabase | undefined {
    const key = path[0]!.text.toLowerCase();
    const known = path.length > 1 ? this.#databases!.get(key) : undefined;
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

  #isNamed(path: NamePath): boolean {
    return path.length === 1 && this.#names.named.has(path[0]!.text.toLowerCase());
  }

  #checkInputs({ inputs, tables: [table, ...others] }: QueryScope): NameProblem[] {
    const path = table?.path;
    if (inputs.length === 0 || !path || others.length > 0 || this.#isNamed(path)) return [];
    const found = this.#resolve(path);
    if (found.kind !== "object" || found.type !== "model") return [];
    const alias = table.alias ?? found.parts.at(-1)!;
    return inputs.flatMap((input) => {
      const written = input.map(({ text }) => text);
      const parts = withoutModel(written, alias);
      return parts.every(isPlainInput) ? [] : [ignoredInput(input, parts, alias)];
    });
  }

  /** Also once too much was looked up. */
  #hasColumn(columns: readonly KnownColumns[], key: string): boolean {
    this.#lookUpsLeft -= columns.length;
    return this.#lookUpsLeft < 0 || columns.some((one) => one.has(key));
  }

  #unknownColumn(
    part: NamePart,
    tables: readonly QueryTable[],
    columns: readonly KnownColumns[],
  ): NameProblem {
    const [only, ...others] = tables;
    const name = only && (only.path?.at(-1)?.text ?? only.alias);
    const message =
      others.length === 0 && name !== undefined
        ? l10n.t("{0} has no column {1}.", name, part.text)
        : l10n.t("No table of this query has a column {0}.", part.text);
    return {
      start: part.start,
      end: part.end,
      text: part.text,
      message,
      isCurrent: () => this.#hasCurrentColumns(tables),
      dependsOn: tables.flatMap(({ path = [] }) => path.map(({ text }) => text.toLowerCase())),
      *candidates() {
        for (const one of columns) yield* one.values();
      },
    };
  }

  /** Of tables; queries in their place are followed no further. */
  #hasCurrentColumns(tables: readonly QueryTable[]): boolean {
    const lists = tables.flatMap(({ path }) => {
      const found = path && !this.#isNamed(path) ? this.#resolve(path) : unclear;
      return found.kind === "object" && found.type !== "knowledge_base" ? [found.parts] : [];
    });
    // Each is requested, also after one that is old.
    return lists.map((parts) => this.#context.server.isCurrent(parts)).every(Boolean);
  }

  #columnsOf(table: QueryTable, depth: number): readonly KnownColumns[] | undefined {
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
    if (named) return this.#columnsOf(named, depth + 1);
    const found = this.#resolve(path);
    const columns = found.kind === "object" ? this.#columnsOfObject(found) : undefined;
    return columns && [columns];
  }

  #columnsOfObject({
    type,
    parts,
    database: { hasAllColumns },
  }: Extract<Resolved, { kind: "object" }>): KnownColumns | undefined {
    const { server, mayRequest } = this.#context;
    if (!hasAllColumns || !["table", "view", "data", "knowledge_base"].includes(type)) {
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
        const columns = this.#columnsOf(table, depth);
        if (!columns) return undefined;
        for (const one of columns) found.add(one);
      }
    }
    const outputs = [...found];
    this.#outputs.set(query, outputs);
    return outputs;
  }
}

/** Those whose rows are joined, counted, filtered, or looked up by the query around them. */
function findInnerQueries({ scopes, named }: StatementNames): Set<QueryScope> {
  const found = new Set<QueryScope>();
  for (const { inner, tables, limit, condition } of scopes) {
    for (const query of inner) found.add(query);
    const readsAll = limit.isGrouped || limit.readsAllRows || tables.length > 1;
    if (!readsAll && condition.count === 0) continue;
    for (const { query, path } of tables.slice(0, maxTables)) {
      const read =
        query ?? (path?.length === 1 ? named.get(path[0]!.text.toLowerCase())?.query : undefined);
      if (read) found.add(read);
    }
  }
  return found;
}

function isRelevance(term: NamePath | undefined): boolean {
  return /^(relevance|distance)$/i.test(term?.at(-1)?.text ?? "");
}

function likeSearch(path: NamePath): NameProblem {
  const message = l10n.t(
    "MindsDB searches by meaning here, as with =. It does not compare the text.",
  );
  const span = { start: path[0]!.start, end: path.at(-1)!.end };
  return { ...surely(span, message), code: "earlyFilter", text: path.at(-1)!.text };
}

/** What is wrong whatever the server has. */
function surely(
  { start, end }: Span,
  message: string,
): Omit<NameProblem, "code" | "text" | "choices"> {
  return { start, end, message, isCurrent: () => true, dependsOn: [], candidates: () => [] };
}

function calculation(span: Span, message: string, fixed: string): NameProblem {
  return { ...surely(span, message), code: "calculation", text: fixed, choices: [fixed] };
}

function ignoredInput(input: NamePath, parts: readonly string[], alias: string): NameProblem {
  const name = parts.join(".");
  const words = parts.length === 1 ? name.split(".") : [];
  const prefix = input.length > 1 ? `${input[0]!.text}.` : "";
  // The server reads a name with dots as one, but not with a word before it that it takes for the model.
  const isFixable = words.length > 1 && words.every(isPlainInput) && isPlainInput(alias);
  const message = l10n.t(
    "The server ignores this input because its name needs quotes in SQL: {0}. A recipe cell passes it to the model.",
    name,
  );
  return {
    ...surely({ start: input[0]!.start, end: input.at(-1)!.end }, message),
    code: "ignoredInput",
    text: name,
    choices: isFixable && words[0] !== alias ? [`${prefix}${name}`] : [],
  };
}

function isNumber({ text, isQuoted }: NamePart): boolean {
  return !isQuoted && /^\d+$/.test(text);
}

function isNamed({ alias, path }: QueryTable, name: string): boolean {
  return isSameName(alias ?? path?.at(-1)?.text, name);
}

/** The name before columns of a table, as SQL. */
function qualifierOf({ alias, path }: QueryTable): string | undefined {
  if (alias !== undefined && /^[a-z_]\w*$/i.test(alias)) return alias;
  const last = path?.at(-1);
  if (alias === undefined && last && !last.isQuoted) return last.text;
  return nameText([alias ?? last?.text ?? ""]);
}
