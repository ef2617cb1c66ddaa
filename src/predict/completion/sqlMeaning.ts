// Finds the object that a name in SQL refers to: for hovers, and to go to where it is defined.
import { isSameName } from "../../mindsdb/nameOrder.ts";
import type { LexedToken } from "../../mindsdb/sql/parser/lexSql.ts";
import { readPosition, type SqlGrammar } from "./completeSql.ts";
import { readNamePlace } from "./namePlace.ts";
import { findNamed, findTable, fullPath, QueryColumns, tableName } from "./queryColumns.ts";
import type { SqlColumn, SqlNames } from "./queryColumns.ts";
import { findSignature } from "./sqlFunctions.ts";
import { readName, readScope, toSqlTokens, withParents } from "./sqlScope.ts";
import type { QueryTable, SqlQuery } from "./sqlScope.ts";

/** Offsets in UTF-16 units. */
interface TextSpan {
  start: number;
  end: number;
}

export type SqlMeaning = { span: TextSpan } & (
  | { kind: "function"; signature: string }
  /** `table`: its alias or its name. */
  | { kind: "column"; column: SqlColumn; table: string | undefined }
  /** An alias, or what WITH names, with what it stands for, if that is a table. */
  | { kind: "alias"; definition: TextSpan; path?: readonly string[]; columns: readonly SqlColumn[] }
  | { kind: "database"; name: string; isProject: boolean }
  /** `type` as the server calls it; the parts of the name begin with the database. */
  | {
      kind: "object";
      type: string;
      path: readonly string[];
      columns: readonly SqlColumn[];
    }
);

/** The name at an offset: its tokens, of which the one at the offset counts last. */
interface NameAt {
  tokens: readonly LexedToken[];
  /** The index of its first token, and of the one at the offset. */
  start: number;
  at: number;
  path: string[];
}

/** Returns the object that the name at `offset` refers to; undefined if there is none or it is unknown. Never throws. */
export function findMeaning(
  sql: string,
  offset: number,
  grammar: SqlGrammar,
  names: SqlNames,
): SqlMeaning | undefined {
  const found = findName(sql, offset, grammar);
  if (!found) return undefined;
  const { tokens, start, at, path } = found;
  const span = { start: tokens[at]!.start, end: tokens[at]!.end };
  const spanOf = (index: number | undefined): TextSpan | undefined =>
    index === undefined ? undefined : { start: tokens[index]!.start, end: tokens[index]!.end };
  const query = readScope(toSqlTokens(sql, tokens), start);
  const columns = new QueryColumns(names);

  const resolve = (parts: readonly string[], outer: SqlQuery) => resolveTable(parts, outer, names);
  const ofTable = (table: QueryTable, outer: SqlQuery): SqlMeaning | undefined => {
    const definition = spanOf(table.namedAt);
    const own = table.path && resolve(table.path, outer);
    if (!definition) {
      return own?.kind === "object"
        ? { ...own, span, columns: names.columns(own.path) }
        : undefined;
    }
    const path = own?.kind === "object" ? own.path : undefined;
    const shown = columns.listOf(table, outer);
    return { kind: "alias", span, definition, columns: shown, ...(path && { path }) };
  };
  const named = (outer: SqlQuery): SqlMeaning | undefined => {
    const table = path.length === 1 ? findNamed(outer, path[0]!) : undefined;
    const definition = spanOf(table?.namedAt);
    if (!table || !definition) return undefined;
    return { kind: "alias", span, definition, columns: columns.listOf(table, outer) };
  };
  const defined = definedAt(query, at);
  if (defined) return ofTable(defined.table, defined.query);
  const position = readPosition(tokens.slice(0, start), grammar);
  if (!position) return undefined;
  const place = readNamePlace(position);
  switch (place.kind) {
    case "expression": {
      if (path.length === 1 && tokens[at + 1]?.kind === "(") {
        const signature = findSignature(path[0]!);
        return signature === undefined ? undefined : { kind: "function", span, signature };
      }
      const before = findTable(query, path);
      if (before && tokens[at + 1]?.kind === ".") {
        const { table, query: outer } = before;
        return (table.alias === undefined ? named(outer) : undefined) ?? ofTable(table, outer);
      }
      return findColumn(query, path, columns, span);
    }
    case "ownColumn":
      return findColumn(query, path, columns, span);
    case "table": {
      const own = named(query) ?? resolve(path, query);
      if (!own) return undefined;
      if (own.kind !== "object") return { ...own, span };
      return { ...own, span, columns: names.columns(own.path) };
    }
    case "object":
    case "database": {
      const own = resolve(path, query);
      return own && { ...own, span };
    }
    case "option":
    case "unit":
    case "category":
    case "none":
      return undefined;
  }
}

function findName(sql: string, offset: number, { lexSql }: SqlGrammar): NameAt | undefined {
  const all = lexSql(sql, true).tokens;
  // The token that the offset is in, or ends.
  const found = all.findLastIndex(({ start }) => start <= offset);
  const isName = (token: LexedToken | undefined): boolean =>
    token !== undefined && readName(toSqlTokens(sql, [token])[0]) !== undefined;
  const index = isName(all[found]) || all[found]?.start !== offset ? found : found - 1;
  const token = all[index];
  if (!token || token.end < offset) return undefined;
  // Functions may be named like keywords that are no names.
  if (!isName(token) && all[index + 1]?.kind !== "(") return undefined;
  const { from, to } = statementAround(all, index);
  const tokens = all.slice(from, to);
  const at = index - from;
  let start = at;
  while (tokens[start - 1]?.kind === "." && isName(tokens[start - 2])) start -= 2;
  const path: string[] = [];
  for (let part = start; part <= at; part += 2) {
    const [one] = toSqlTokens(sql, tokens.slice(part, part + 1));
    path.push(readName(one) ?? one!.text);
  }
  return { tokens, start, at, path };
}

function statementAround(
  tokens: readonly LexedToken[],
  index: number,
): { from: number; to: number } {
  let depth = 0;
  let from = 0;
  for (const [at, { kind }] of tokens.entries()) {
    if (kind === "(") depth++;
    else if (kind === ")") depth = Math.max(0, depth - 1);
    else if (kind === ";" && depth === 0) {
      if (at > index) return { from, to: at };
      from = at + 1;
    }
  }
  return { from, to: tokens.length };
}

/** The table or the named query that gets its name from this token. */
function definedAt(
  query: SqlQuery,
  at: number,
): { table: QueryTable; query: SqlQuery } | undefined {
  for (const outer of withParents(query)) {
    const tables = [...outer.tables, ...outer.named.values()];
    const table = tables.find(({ namedAt }) => namedAt === at);
    if (table) return { table, query: outer };
  }
  return undefined;
}

function findColumn(
  query: SqlQuery,
  path: readonly string[],
  columns: QueryColumns,
  span: TextSpan,
): SqlMeaning | undefined {
  const name = path.at(-1);
  const qualifier = path.slice(0, -1);
  const given = qualifier.length > 0 ? findTable(query, qualifier) : undefined;
  if (qualifier.length > 0 && !given) return undefined;
  const tables = given
    ? [given]
    : withParents(query).flatMap((outer) => outer.tables.map((table) => ({ table, query: outer })));
  for (const { table, query: outer } of tables) {
    // few: the tables of a statement, whose columns are counted
    const column = columns.listOf(table, outer).find((one) => isSameName(one.name, name));
    if (column) return { kind: "column", span, column, table: tableName(table) };
  }
  return undefined;
}

type Resolved =
  | { kind: "database"; name: string; isProject: boolean }
  | { kind: "object"; type: string; path: readonly string[]; columns: readonly SqlColumn[] };

/** The project, data source or object that a name after FROM refers to. */
function resolveTable(
  path: readonly string[],
  query: Pick<SqlQuery, "source">,
  names: SqlNames,
): Resolved | undefined {
  const full = fullPath(names, query, path);
  const [database = "", ...rest] = full;
  const objects = names.objects(database);
  // The last part may be the number of a model's version.
  const wanted = rest.length > 1 && /^\d+$/.test(rest.at(-1)!) ? rest.slice(0, -1) : rest;
  const [schema, name] = wanted.length > 1 ? wanted.slice(-2) : [undefined, wanted[0]];
  const found = objects.find(
    (one) => isSameName(one.name, name) && (schema === undefined || isSameName(one.schema, schema)),
  );
  if (found) {
    const inSchema = found.schema === undefined ? [] : [found.schema];
    const own = names.databases().find((one) => isSameName(one.name, database))?.name ?? database;
    return { kind: "object", type: found.type, path: [own, ...inSchema, found.name], columns: [] };
  }
  const source = names.databases().find((one) => isSameName(one.name, path[0]));
  return path.length === 1 && source ? { kind: "database", ...source } : undefined;
}
