// Finds the names in a statement that the server does not have, as far as its lists are known.
import * as l10n from "@vscode/l10n";
import { filesSource } from "../../mindsdb/filesSource.ts";
import { isSameName } from "../../mindsdb/nameOrder.ts";
import { nameText } from "../completion/suggestion.ts";
import { isPlainInput, withoutModel } from "../notebook/ignoredInputs.ts";
import type { NamePart, NamePath } from "../notebook/namePath.ts";
import {
  maxDepth,
  maxTables,
  maxUnknown,
  NameResolver,
  ownDatabases,
  placeOf,
  surely,
  unclear,
} from "./nameResolver.ts";
import type { NameContext, NameProblem } from "./nameResolver.ts";
import { QueryTraps } from "./queryTraps.ts";
import { quotedWords } from "./quotedWords.ts";
import { rowsOfKnowledgeBase } from "./serverNames.ts";
import type { KnownColumns, KnownDatabase, ServerNames } from "./serverNames.ts";
import type { QueryScope, QueryTable, StatementNames } from "./statementNames.ts";

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

/** Names that are surely unknown, inputs of models that the server ignores, and traps of queries. Never throws. */
export function findUnknownNames(names: StatementNames, context: NameContext): NameProblem[] {
  return new NameFinder(names, context).find();
}

/** The data source of the table that a statement surely writes; undefined for that of the files. */
export function findWrittenSource(
  names: StatementNames,
  context: NameContext,
): KnownDatabase | undefined {
  return new NameFinder(names, context).findWrittenSource();
}

class NameFinder {
  readonly #names: StatementNames;
  readonly #server: ServerNames;
  readonly #resolver: NameResolver;
  readonly #traps: QueryTraps;
  readonly #ofOnePostgres = new Map<QueryScope, boolean>();
  #readsOnlySources: boolean | undefined;
  #quoted: Set<string> | undefined;

  constructor(names: StatementNames, context: NameContext) {
    this.#names = names;
    this.#server = context.server;
    this.#resolver = new NameResolver(names, context);
    this.#traps = new QueryTraps(names, context, this.#resolver);
  }

  find(): NameProblem[] {
    const found: NameProblem[] = [];
    for (const problem of this.#findAll()) {
      if (found.push(problem) === maxUnknown || this.#resolver.isSpent) break;
    }
    return found;
  }

  findWrittenSource(): KnownDatabase | undefined {
    const { writtenTable } = this.#names;
    const database =
      writtenTable && this.#resolver.databases
        ? this.#resolver.databaseOf(writtenTable)
        : undefined;
    return database?.kind === "data" && database.name !== filesSource ? database : undefined;
  }

  *#findAll(): Generator<NameProblem> {
    if (!this.#resolver.databases) return;
    const { databases, objects, scopes } = this.#names;
    for (const part of databases) yield* this.#checkDatabase(part);
    for (const path of objects) {
      const found = this.#resolver.resolve(path);
      if (found.kind === "unknown") yield found.problem;
    }
    yield* this.#checkWritten();
    yield* this.#checkOfSource();
    yield* this.#checkFile();
    if (this.#names.isFilled && objects[0]) yield* this.#traps.findEmptyTexts(objects[0]);
    for (const scope of scopes) {
      for (const path of scope.columns) yield* this.#checkColumn(path, scope);
      yield* this.#checkInputs(scope);
      yield* this.#traps.find(scope);
    }
  }

  #checkDatabase(part: NamePart): NameProblem[] {
    const key = part.text.toLowerCase();
    if (ownDatabases.has(key) || this.#resolver.databases!.has(key)) return [];
    return [this.#resolver.unknownDatabase(part)];
  }

  /**
   * Columns that a statement writes. A knowledge base drops those that it does not have, also of a query whose rows it gets
   * (26.1.0); files take others.
   */
  #checkWritten(): NameProblem[] {
    const { objects, isFilled } = this.#names;
    const found = objects[0] ? this.#resolver.resolve(objects[0]) : unclear;
    if (found.kind !== "object") return [];
    const isKnowledgeBase = found.type === "knowledge_base";
    const written = isKnowledgeBase && isFilled ? this.#outputsOfStored() : this.#names.written;
    if (written.length === 0 || (found.type !== "table" && !isKnowledgeBase)) return [];
    const type = isKnowledgeBase ? rowsOfKnowledgeBase : found.type;
    const columns = this.#resolver.columnsOfObject({ ...found, type });
    if (!columns) return [];
    const unknown = written.filter(({ text }) => !columns.has(text.toLowerCase()));
    return unknown
      .slice(0, maxUnknown)
      .map((part) => this.#unknownColumn(part, [{ path: objects[0]! }], [columns]));
  }

  /** The named columns of the query whose rows are inserted. */
  #outputsOfStored(): NamePart[] {
    const outputs = this.#names.scopes.find(({ isStored }) => isStored)?.outputs ?? [];
    return outputs.flatMap((output) =>
      output !== "unnamed" && "column" in output
        ? [{ ...output.place, text: output.column, isQuoted: false }]
        : [],
    );
  }

  /** An INSERT that fails because of a value's type leaves a file without any row (26.1.0). */
  *#checkFile(): Generator<NameProblem> {
    const { filledTable } = this.#names;
    if (!filledTable || this.#resolver.databaseOf(filledTable)?.name !== filesSource) return;
    const { text } = filledTable.at(-1)!;
    const message = l10n.t(
      "If a value has another type than its column, MindsDB loses all rows of {0}. Copy the table first.",
      text,
    );
    yield { ...surely(placeOf(filledTable), message), code: "lostData", text };
  }

  /** Tables in queries of an UPDATE: the data source gets their names as they are. */
  *#checkOfSource(): Generator<NameProblem> {
    const { ofSource, objects } = this.#names;
    if (ofSource.length === 0) return;
    const updated = objects[0] && this.#resolver.databaseOf(objects[0]);
    if (updated?.kind !== "data" || updated.name === filesSource) return;
    for (const [database, ...rest] of ofSource.slice(0, maxUnknown)) {
      if (rest.length === 0) continue;
      if (!isSameName(database!.text, updated.name)) {
        yield* this.#checkOther(database!, updated);
        continue;
      }
      // A schema can have the name of its data source.
      if (this.#server.objects(updated)?.schemas.has(updated.name.toLowerCase())) continue;
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
    const other = this.#resolver.databases!.get(key);
    const schemas = this.#server.objects(updated)?.schemas;
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
      const { table, query } = this.#resolver.findTable(scope, path.slice(0, -1)) ?? {};
      if (this.#resolver.isSpent) return [];
      if (!table || !query) return path.length === 2 ? this.#checkQualifier(path[0]!, scope) : [];
      const columns = this.#resolver.columnsOf(table, 0);
      if (!columns || isOwn) return [];
      if (this.#resolver.hasColumn(columns, key)) return this.#checkFolding(part, [table], query);
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
        const columns = this.#resolver.columnsOf(table, 0);
        if (!columns) return [];
        if (this.#resolver.hasColumn(columns, key)) {
          return this.#checkFolding(part, outer.tables, outer);
        }
        // The whole row, in some databases.
        if (isSameName(table.alias ?? table.path?.at(-1)?.text, part.text)) return [];
        tables.push(table);
        all.push(...columns);
      }
    }
    return tables.length === 0 ? [] : [this.#unknownColumn(part, tables, all)];
  }

  /** The name before a column, where no table in reach has it. */
  #checkQualifier(part: NamePart, scope: QueryScope): NameProblem[] {
    const key = part.text.toLowerCase();
    if (!this.#isOfSources() || this.#resolver.databases!.has(key)) return [];
    const choices: string[] = [];
    const dependsOn: string[] = [];
    let depth = 0;
    for (let outer: QueryScope | undefined = scope; outer; outer = outer.parent) {
      if (outer.tables.length > maxTables || depth++ > maxDepth) return [];
      for (const table of outer.tables) {
        const name = qualifierOf(table);
        const columns = this.#resolver.columnsOf(table, 0);
        // Some databases have columns with fields.
        if (name === undefined || !columns || this.#resolver.hasColumn(columns, key)) return [];
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
        if (this.#resolver.isNamed(path)) return true;
        const found = this.#resolver.resolve(path);
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
      const found = this.#resolver.postgresTable(path);
      if (!found) return [];
      const name = this.#resolver.columnsOfObject(found)?.get(key);
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
        isCurrent: () => this.#resolver.hasCurrentColumns(tables),
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
      const found = path && !this.#resolver.isNamed(path) ? this.#resolver.resolve(path) : unclear;
      const database = found.kind === "object" ? found.database : undefined;
      names.add(database?.isPostgres === true ? database.name : undefined);
    }
    const isOne = query.tables.length <= maxTables && names.size === 1 && !names.has(undefined);
    this.#ofOnePostgres.set(query, isOne);
    return isOne;
  }

  #checkInputs({ inputs, tables: [table, ...others] }: QueryScope): NameProblem[] {
    const path = table?.path;
    if (inputs.length === 0 || !path || others.length > 0 || this.#resolver.isNamed(path)) {
      return [];
    }
    const found = this.#resolver.resolve(path);
    if (found.kind !== "object" || found.type !== "model") return [];
    const alias = table.alias ?? found.parts.at(-1)!;
    return inputs.flatMap((input) => {
      const written = input.map(({ text }) => text);
      const parts = withoutModel(written, alias);
      return parts.every(isPlainInput) ? [] : [ignoredInput(input, parts, alias)];
    });
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
      isCurrent: () => this.#resolver.hasCurrentColumns(tables),
      dependsOn: tables.flatMap(({ path = [] }) => path.map(({ text }) => text.toLowerCase())),
      *candidates() {
        for (const one of columns) yield* one.values();
      },
    };
  }
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
    ...surely(placeOf(input), message),
    code: "ignoredInput",
    text: name,
    choices: isFixable && words[0] !== alias ? [`${prefix}${name}`] : [],
  };
}

/** The name before columns of a table, as SQL. */
function qualifierOf({ alias, path }: QueryTable): string | undefined {
  if (alias !== undefined && /^[a-z_]\w*$/i.test(alias)) return alias;
  const last = path?.at(-1);
  if (alias === undefined && last && !last.isQuoted) return last.text;
  return nameText([alias ?? last?.text ?? ""]);
}
