// The tables and columns that a name in a statement may refer to. Reads tokens, not a tree: the statement is being written.
import { sqlKeywords } from "../../mindsdb/sql/sqlKeywords.ts";
import type { LexedToken } from "../../mindsdb/sql/parser/lexSql.ts";

/** A SELECT, or the part of another statement that names tables. */
export interface SqlQuery {
  /** The one that it is part of: its tables are known in it, too. */
  parent: SqlQuery | undefined;
  /** The data source whose native query it is. */
  source: string | undefined;
  tables: QueryTable[];
  /** The queries that WITH defines before it, by lower-case name. */
  named: Map<string, NamedQuery>;
  targets: QueryTarget[];
}

export interface QueryTable {
  alias?: string | undefined;
  /** The parts of its name; absent for a query in its place. */
  path?: string[];
  query?: SqlQuery;
  /** The names of its columns, where the statement gives them. */
  columns?: string[];
  /** The index of the token that gives it its name in the statement: an alias, or what WITH names. */
  namedAt?: number | undefined;
}

export interface NamedQuery extends QueryTable {
  alias: string;
}

/** An item that a SELECT returns: a column, or all columns of one table or of all tables. */
export type QueryTarget = { column: string } | { allOf: string | undefined };

/** A token with its text. */
export interface SqlToken {
  kind: string;
  text: string;
}

/** An open query, or open parentheses in one. */
interface Frame {
  query: SqlQuery;
  isQuery: boolean;
  clause: "with" | "select" | "from" | "other";
  /** Where the current target starts. */
  targetStart: number;
  /** The query in parentheses that an alias may follow. */
  table: QueryTable | undefined;
}

/** More than these are not looked at, of a query: nobody writes so many, but a file may have them. */
const maxTables = 100;
const maxTargets = 2_000;
const maxParents = 50;

const queryStarts = new Set(["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"]);
const setOperators = new Set(["UNION", "INTERSECT", "EXCEPT", ";"]);
const clauseStarts = new Set(
  "WHERE GROUP_BY HAVING ORDER_BY LIMIT OFFSET FETCH_FIRST FOR USING SET VALUES PREDICT ON".split(
    " ",
  ),
);
/** Keywords that are names, too, but not aliases: they go on with the statement. */
const noAliases = new Set(["OFFSET", "ASOF", "LATERAL", "PREDICT", "FETCH"]);

export function toSqlTokens(sql: string, tokens: readonly LexedToken[]): SqlToken[] {
  return tokens.map(({ kind, start, end }) => ({ kind, text: sql.slice(start, end) }));
}

/** The query at a caret, which is before the token with that index. Never throws; takes linear time. */
export function readScope(tokens: readonly SqlToken[], caret: number): SqlQuery {
  return new ScopeReader(tokens, caret).read();
}

class ScopeReader {
  readonly #tokens: readonly SqlToken[];
  readonly #caret: number;
  readonly #frames: Frame[];
  /** The table or the named query that the next parentheses belong to. */
  #pending: QueryTable | undefined;
  #pendingSource: string | undefined;

  constructor(tokens: readonly SqlToken[], caret: number) {
    this.#tokens = tokens;
    this.#caret = caret;
    this.#frames = [newFrame(newQuery())];
  }

  read(): SqlQuery {
    let found: SqlQuery | undefined;
    for (let at = 0; at < this.#tokens.length;) {
      if (at >= this.#caret) found ??= this.#frame.query;
      at = this.#readToken(at);
    }
    found ??= this.#frame.query;
    for (const frame of this.#frames) this.#endTarget(frame, this.#tokens.length);
    return found;
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #readToken(at: number): number {
    const frame = this.#frame;
    const { kind } = this.#tokens[at]!;
    if (kind === "(") return this.#open(at);
    if (kind === ")") return this.#close(at);
    if (!frame.isQuery) return at + 1;
    if (setOperators.has(kind)) {
      this.#endTarget(frame, at);
      const { parent, source, named } = frame.query;
      frame.query = {
        ...newQuery(parent, source),
        named: kind === ";" ? new Map<string, NamedQuery>() : named,
      };
      frame.clause = "other";
    } else if (kind === "SELECT") {
      frame.clause = "select";
      frame.targetStart = at + 1;
    } else if (kind === "WITH" && frame.clause !== "from" && frame.clause !== "select") {
      frame.clause = "with";
      return this.#readNamedQuery(at + 1);
    } else if (kind === "FROM" || kind === "JOIN" || kind === "INTO" || kind === "UPDATE") {
      this.#endTarget(frame, at);
      frame.clause = kind === "FROM" || kind === "JOIN" ? "from" : "other";
      return this.#readTable(at + 1);
    } else if (kind === ",") {
      if (frame.clause === "with") return this.#readNamedQuery(at + 1);
      if (frame.clause === "from") return this.#readTable(at + 1);
      if (frame.clause === "select") {
        this.#endTarget(frame, at);
        frame.targetStart = at + 1;
        frame.clause = "select";
      }
    } else if (clauseStarts.has(kind) && !(kind === "ON" && frame.clause === "from")) {
      this.#endTarget(frame, at);
      frame.clause = "other";
    }
    return at + 1;
  }

  #open(at: number): number {
    const { query } = this.#frame;
    const [table, source] = [this.#pending, this.#pendingSource];
    this.#pending = this.#pendingSource = undefined;
    const isQuery = queryStarts.has(this.#tokens[at + 1]?.kind ?? "");
    const inner = isQuery || source !== undefined ? newQuery(query, source ?? query.source) : query;
    if (table && inner !== query) table.query = inner;
    this.#frames.push({ ...newFrame(inner), isQuery: inner !== query, table });
    return at + 1;
  }

  #close(at: number): number {
    if (this.#frames.length === 1) return at + 1;
    const frame = this.#frames.pop()!;
    if (frame.isQuery) this.#endTarget(frame, at);
    const { table } = frame;
    if (!table || table.alias !== undefined) return at + 1;
    let next = at + 1;
    ({ alias: table.alias, next, namedAt: table.namedAt } = this.#readAlias(next));
    const columns = this.#readColumns(next);
    if (columns && table.alias !== undefined) table.columns = columns.names;
    return columns?.next ?? next;
  }

  /** `name (columns) AS (`: a query that WITH names. */
  #readNamedQuery(at: number): number {
    const name = this.#nameAt(at);
    if (name === undefined) return at;
    const columns = this.#readColumns(at + 1);
    const next = columns?.next ?? at + 1;
    if (this.#tokens[next]?.kind !== "AS") return next;
    const table: NamedQuery = {
      alias: name,
      namedAt: at,
      ...(columns && { columns: columns.names }),
    };
    this.#frame.query.named.set(name.toLowerCase(), table);
    if (this.#tokens[next + 1]?.kind === "(") this.#pending = table;
    return next + 1;
  }

  #readTable(start: number): number {
    const { query } = this.#frame;
    let at = start;
    if (this.#tokens[at]?.kind === "LATERAL") at++;
    if (this.#tokens[at]?.kind === "(") {
      this.#pending = {};
      addTable(query, this.#pending);
      return at;
    }
    const path: string[] = [];
    for (let name = this.#nameAt(at); name !== undefined; name = this.#nameAt(at)) {
      path.push(name);
      at++;
      if (this.#tokens[at]?.kind !== ".") break;
      at++;
      if (this.#tokens[at]?.kind === "INTEGER") path.push(this.#tokens[at++]!.text);
    }
    if (path.length === 0) return at;
    const isInsert = this.#tokens[start - 1]?.kind === "INTO";
    if (this.#tokens[at]?.kind === "(" && !isInsert) {
      this.#pending = {};
      this.#pendingSource = path[0];
      addTable(query, this.#pending);
      return at;
    }
    const { next, ...alias } = this.#readAlias(at);
    addTable(query, { path, ...alias });
    return next;
  }

  #readAlias(at: number): {
    alias?: string | undefined;
    namedAt?: number | undefined;
    next: number;
  } {
    const isMarked = this.#tokens[at]?.kind === "AS";
    const token = this.#tokens[isMarked ? at + 1 : at];
    if (!isMarked && noAliases.has(token?.kind ?? "")) return { next: at };
    const alias = this.#nameAt(isMarked ? at + 1 : at);
    if (alias === undefined) return { next: isMarked ? at + 1 : at };
    const namedAt = isMarked ? at + 1 : at;
    return { alias, namedAt, next: namedAt + 1 };
  }

  /** `(a, b)`; undefined for anything else in parentheses. */
  #readColumns(at: number): { names: string[]; next: number } | undefined {
    if (this.#tokens[at]?.kind !== "(") return undefined;
    const names: string[] = [];
    for (let next = at + 1; ; next += 2) {
      const name = this.#nameAt(next);
      const end = this.#tokens[next + 1]?.kind;
      if (name === undefined || (end !== "," && end !== ")")) return undefined;
      names.push(name);
      if (end === ")") return { names, next: next + 2 };
    }
  }

  #endTarget(frame: Frame, end: number): void {
    if (frame.clause !== "select") return;
    frame.clause = "other";
    const { targetStart, query } = frame;
    const start = this.#tokens[targetStart]?.kind === "DISTINCT" ? targetStart + 1 : targetStart;
    const [last, before] = [this.#tokens[end - 1], this.#tokens[end - 2]];
    if (start >= end || !last) return;
    if (last.kind === "*") {
      if (end - start === 1) addTarget(query, { allOf: undefined });
      else if (before?.kind === ".") addTarget(query, { allOf: this.#nameAt(end - 3) });
      return;
    }
    const name = this.#nameAt(end - 1);
    if (name === undefined) return;
    const isAlone = end - start === 1;
    const follows = before && (!/^[^\w.)]/.test(before.kind) || before.kind === ".");
    if (isAlone || follows) addTarget(query, { column: name });
  }

  #nameAt(at: number): string | undefined {
    return readName(this.#tokens[at]);
  }
}

/** A token's name, without its quotes; undefined for what is none. */
export function readName(token: SqlToken | undefined): string | undefined {
  if (!token) return undefined;
  const { kind, text } = token;
  if (text.startsWith("`") || kind === "DOUBLE_QUOTED") return text.slice(1, -1);
  // Keywords that are also names have kinds of their own.
  const isWord = /^\d*[a-z_$][\w$]*$/i.test(text);
  return isWord && !sqlKeywords.includes(text.toLowerCase()) ? text : undefined;
}

function newQuery(parent?: SqlQuery, source?: string): SqlQuery {
  return { parent, source, tables: [], named: new Map(), targets: [] };
}

function addTable({ tables }: SqlQuery, table: QueryTable): void {
  if (tables.length < maxTables) tables.push(table);
}

function addTarget({ targets }: SqlQuery, target: QueryTarget): void {
  if (targets.length < maxTargets) targets.push(target);
}

/** A query and those around it. */
export function withParents(query: SqlQuery): SqlQuery[] {
  const found: SqlQuery[] = [];
  for (let outer: SqlQuery | undefined = query; outer; outer = outer.parent) {
    if (found.push(outer) === maxParents) break;
  }
  return found;
}

function newFrame(query: SqlQuery): Frame {
  return { query, isQuery: true, clause: "other", targetStart: 0, table: undefined };
}
