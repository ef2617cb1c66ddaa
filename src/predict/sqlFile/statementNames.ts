// The names in a statement that refer to something on the server, from the tree that the parser makes of it.
import { parseSql } from "../../mindsdb/sql/parser/parseSql.ts";
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { tokenizeSql } from "../../mindsdb/sql/sqlTokens.ts";
import { CalculationReader, type CalculatedValue, type Calculations } from "./calculations.ts";
import { isPlainInput, readInputs, unwrap } from "../notebook/ignoredInputs.ts";
import { readNamePart, readNamePath, type NamePart, type NamePath } from "../notebook/namePath.ts";
import type { Span } from "../notebook/recipe.ts";

/** A source of rows: a table, a query in its place, or something whose columns nobody knows. */
export interface QueryTable {
  alias?: string | undefined;
  path?: NamePath;
  query?: QueryScope;
  /** The names of its columns, where the statement gives them. */
  columns?: string[];
  /** Whether an outer join returns rows without it. */
  isOptional?: boolean;
}

/** An output of a SELECT: a column, all columns of one table or of all tables, or a column that the server names. */
export type QueryOutput =
  | {
      column: string;
      value: CalculatedValue;
      /** Whether it is a column as it is, maybe by another name. */
      isColumn: boolean;
      place: Span;
    }
  | { allOf: string | undefined }
  | "unnamed";

/** A SELECT, or the part of another statement that names tables and columns. */
export interface QueryScope extends Calculations {
  parent: QueryScope | undefined;
  /** The queries in its conditions and outputs. */
  inner: QueryScope[];
  tables: QueryTable[];
  /** The last part of `t.*` is the star. */
  columns: NamePath[];
  /** In lower case. */
  aliases: Set<string>;
  outputs: QueryOutput[];
  /** Of its only output, if it is a part of an expression. */
  value?: CalculatedValue;
  /** Columns in ON without their table. */
  joinColumns: NamePart[];
  /** Names in GROUP BY without a table. */
  groups: NamePart[];
  /** Columns named as those that are searched in, in ON, or compared with other columns. */
  searches: { path: NamePath; isOn: boolean }[];
  /** Its outputs that are subqueries with an alias. */
  scalarSubqueries: (Span & { text: string; query: QueryScope })[];
  /** Inputs that its condition gives its table, if that is a model, whose names are not plain. */
  inputs: NamePath[];
  condition: QueryCondition;
  limit: QueryLimit;
  /** Whether its rows are written somewhere, or those of a view. */
  isStored?: boolean;
}

/** A column that is compared with a value in a condition: such comparisons are what MindsDB reads a joined table by. */
export interface ColumnFilter {
  path: NamePath;
  /** `ofNull`: it may hold for NULL, as IS NULL and IS NOT TRUE do. */
  operator: "=" | "ofNull" | "LIKE" | "range" | "other";
  /** Whether it is before, after, or between whole numbers. */
  isNumberOrder: boolean;
  /** Whether it is only a part of the conditions that AND combines, as in `NOT a = 1`, `a * 2 > 1`, or `a = 1 OR b = 1`. */
  isPart: boolean;
}

/** The WHERE of a query. */
export interface QueryCondition {
  filters: ColumnFilter[];
  /** How many conditions AND combines. */
  count: number;
  hasOr: boolean;
}

/** What decides whether the LIMIT of a query can be applied to a single table of it. */
export interface QueryLimit {
  /** The clause; undefined if there is none. */
  clause: Span | undefined;
  hasOffset: boolean;
  isGrouped: boolean;
  /** Whether an output depends on all rows: DISTINCT, aggregates, windows. */
  readsAllRows: boolean;
  joins: Set<"LEFT" | "RIGHT" | "FULL" | "INNER">;
  /** The terms of ORDER BY; undefined for those that are no columns. */
  order: (NamePath | undefined)[];
}

export interface StatementNames {
  scopes: QueryScope[];
  /** Tables, views and objects that are read, changed or dropped. */
  objects: NamePath[];
  /** The table that it creates, or whose rows it writes. */
  writtenTable: NamePath | undefined;
  /** Tables that a data source reads by their names there: those of queries in the conditions and values of an UPDATE. */
  ofSource: NamePath[];
  databases: NamePart[];
  /** The query that a part of an expression is. */
  queryOf: (node: SqlNode) => QueryScope | undefined;
  /** The queries that WITH defines anywhere in it, by lower-case name. */
  named: ReadonlyMap<string, QueryTable>;
  /** Columns that are written, of the first of the objects. */
  written: NamePart[];
  /** The table that an INSERT adds rows to. */
  filledTable: NamePath | undefined;
  /** Whether it inserts the rows of a query into the first of the objects. */
  isFilled: boolean;
  /** The names of what it creates, changes or drops, in lower case and without what they are in. */
  created: string[];
  /** The database that USE chooses. */
  used: string | undefined;
}

/** Functions whose result is of many rows. */
const aggregates =
  /^(count|sum|avg|mean|median|mode|min|max|stddev\w*|var\w*|string_agg|array_agg|list|group_concat|json\w*_agg|any_value|first|last|arg_?m(in|ax)|quantile\w*|approx_\w+|percentile_\w+|corr|bool_(and|or))$/i;

/** Statements in statements, beyond which nothing is read. */
const maxDepth = 3;

/** The names in a statement that the parser accepts, with offsets in its text. Never throws; takes linear time. */
export function readStatementNames(sql: string, tree: SqlNode): StatementNames {
  const names = new NameReader(sql);
  names.read(tree);
  return names;
}

/** A part of the tree to read, and the query that it is in. */
interface Waiting {
  node: SqlNode;
  scope: QueryScope;
  /** Whether an outer join returns rows without the tables in it. */
  isOptional?: boolean;
}

class NameReader implements StatementNames {
  readonly scopes: QueryScope[] = [];
  readonly objects: NamePath[] = [];
  readonly ofSource: NamePath[] = [];
  readonly databases: NamePart[] = [];
  readonly named = new Map<string, QueryTable>();
  readonly written: NamePart[] = [];
  readonly created: string[] = [];
  writtenTable: NamePath | undefined;
  filledTable: NamePath | undefined;
  used: string | undefined;
  isFilled = false;
  readonly #sql: string;
  readonly #isLateral: boolean;
  readonly #waiting: Waiting[] = [];
  /** Those in expressions. */
  readonly #queries = new Map<SqlNode, QueryScope>();
  readonly #values = new Set<QueryScope>();
  readonly #unionParts = new Set<QueryScope>();
  /** An UPDATE, and the queries in it. */
  readonly #updates = new Set<QueryScope>();
  readonly #calculations: CalculationReader;
  #offset = 0;

  constructor(sql: string) {
    this.#sql = sql;
    this.#calculations = new CalculationReader({
      textOf: (node) => this.#textOf(node),
      placeOf: (node) => this.#place(node),
      pathOf: (node) => this.#readPath(node),
    });
    this.#isLateral = /\blateral\b/i.test(sql);
  }

  /** `offset`: where the text that the tree was made of starts. */
  read(tree: SqlNode, offset = 0, depth = 0): void {
    const [statement] = tree.children;
    if (!statement || depth > maxDepth) return;
    this.#offset = offset;
    this.#readStatement(statement, depth);
    // Not by recursion: a statement can have 100,000 levels.
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#readNode(next);
  }

  queryOf(node: SqlNode): QueryScope | undefined {
    return this.#queries.get(node);
  }

  #readStatement(node: SqlNode, depth: number): void {
    const { kind, children } = node;
    const name = this.#firstName(node);
    switch (kind) {
      case "select":
      case "union":
        this.#wait(node, this.#newQuery({ isStored: depth > 0 }));
        return;
      case "insert":
      case "delete":
      case "update":
        this.#readChange(node, name);
        return;
      case "use":
        this.databases.push(...(name ?? []).slice(-1));
        this.used = name?.at(-1)?.text;
        return;
      case "alterDatabase":
        if (name?.length === 1) this.databases.push(name[0]!);
        return;
      case "drop":
        this.#readDrop(node);
        return;
      case "alterTable":
        if (name) this.objects.push(name);
        this.#creates(name);
        return;
      case "createSource":
        this.#creates(this.#firstName(children.find((one) => one.kind === "database") ?? node));
        return;
      case "createTable": {
        this.writtenTable ??= name;
        this.#creates(name);
        const query = children.find((one) => one.kind === "select");
        if (query) this.#wait(query, this.#newQuery({ isStored: true }));
        return;
      }
      case "view":
      case "job": {
        this.#creates(name);
        const [source] = children.find((one) => one.kind === "viewSource")?.children ?? [];
        const texts = children.filter((one) => one.kind === "text");
        if (source?.kind === "FROM") this.#readSource(children);
        else for (const text of texts) this.#readInner(text, depth);
        return;
      }
      case "trainModel":
      case "detectAnomalies": {
        let first = node;
        while (first.children[0]?.kind === kind) first = first.children[0];
        this.#creates(this.#firstName(first));
        this.#readSource(first.children);
        return;
      }
      case "knowledgeBase":
      case "createAgent":
      case "createSkill":
      case "createBot":
      case "trigger":
        this.#creates(name);
    }
  }

  /** The statements in the text of a view or a job. */
  #readInner({ start, end }: SqlNode, depth: number): void {
    const offset = this.#offset;
    const text = this.#sql.slice(offset + start, offset + end);
    for (const inner of tokenizeSql(text).statements) {
      const { tree } = parseSql(text.slice(inner.start, inner.end));
      if (tree) this.read(tree, offset + start + inner.start, depth + 1);
      this.#offset = offset;
    }
  }

  /** `FROM name (`: a native query, in a data source. */
  #readSource(children: readonly SqlNode[]): void {
    const from = children.findIndex(({ kind }) => kind === "FROM" || kind === "viewSource");
    const node = children[from]?.kind === "FROM" ? children[from + 1] : children[from]?.children[1];
    const path = node?.kind === "name" ? this.#readPath(node) : undefined;
    if (path?.length === 1) this.databases.push(path[0]!);
  }

  #readChange({ kind, children }: SqlNode, name: NamePath | undefined): void {
    const scope = this.#newScope(undefined);
    this.writtenTable ??= name;
    if (kind === "insert") this.filledTable ??= name;
    if (name) {
      this.objects.push(name);
      scope.tables.push({ path: name });
    }
    if (kind === "update") this.#updates.add(scope);
    const isByKeys = kind === "update" && children.some((one) => one.kind === "ON");
    for (const [at, child] of children.entries()) {
      if (child.kind === "columns" || child.kind === "assignments") {
        this.#readWritten(child, scope);
      } else if (child.kind === "select" || child.kind === "union") {
        const inner = this.#newQuery({ isStored: true });
        if (kind === "insert") this.isFilled = true;
        // few: the parts of UPDATE.
        const alias = children.slice(at).find((one) => one.kind === "word");
        if (kind === "update") scope.tables.push({ query: inner, alias: this.#word(alias)?.text });
        this.#wait(child, inner);
      } else if (child.kind === "expression" && !isByKeys) {
        this.#wait(child, scope);
      }
    }
  }

  /** `a, b` or `a = 1, b = 2`. */
  #readWritten(node: SqlNode, scope: QueryScope): void {
    const waiting = [node];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const word = next.kind === "word" ? this.#word(next) : undefined;
      if (word) this.written.push(word);
      else if (next.kind === "expression") this.#wait(next, scope);
      else waiting.push(...next.children);
    }
  }

  #readDrop({ children }: SqlNode): void {
    const [, kind, condition] = children;
    const mayBeMissing = condition?.kind === "ifExists" && condition.children[0]?.kind === "IF";
    const waiting = children.filter((one) => one.kind === "name" || one.kind === "list");
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.kind !== "name") {
        waiting.push(...next.children);
        continue;
      }
      const path = this.#readPath(next);
      if (path && !mayBeMissing) {
        if (databaseKinds.has(kind?.kind ?? "")) this.databases.push(...path.slice(0, 1));
        else if (objectKinds.has(kind?.kind ?? "")) this.objects.push(path);
      }
      this.#creates(path);
    }
  }

  #readNode({ node, scope, isOptional = false }: Waiting): void {
    const { kind, children } = node;
    switch (kind) {
      case "select":
        this.#readSelect(node, scope);
        return;
      case "union":
        for (const child of children) {
          if (child.kind === "union") this.#wait(child, scope);
          else if (child.kind === "select") {
            const part = this.#newScope(scope.parent);
            this.#unionParts.add(part);
            this.#wait(child, part);
          }
        }
        scope.outputs.push("unnamed");
        return;
      case "withQueries":
        this.#readNamed(node, scope);
        return;
      case "joins": {
        const kinds = children.find((one) => one.kind === "join")?.children[0]?.children ?? [];
        const has = (word: string): boolean => kinds.some((one) => one.kind === word);
        scope.limit.joins.add((["LEFT", "RIGHT", "FULL"] as const).find(has) ?? "INNER");
        for (const [at, child] of children.entries()) {
          const isOuter = has("FULL") || has(at === 0 ? "RIGHT" : "LEFT");
          this.#waiting.push({ node: child, scope, isOptional: isOptional || isOuter });
          if (children[at - 1]?.kind === "ON") this.#readJoinCondition(child, scope);
        }
        return;
      }
      case "source":
        this.#readTable(node, { scope, isOptional });
        return;
      case "aliasedSource": {
        const alias = children.length > 1 ? children.at(-1) : undefined;
        this.#readTable(children[0]!, { scope, isOptional, alias });
        return;
      }
      case "target":
        this.#readTarget(node, scope);
        return;
      case "call":
        if (children[0] && aggregates.test(this.#textOf(children[0]))) {
          scope.limit.readsAllRows = true;
        }
        this.#calculations.readCall(node, scope);
        this.#readCall(children, scope);
        return;
      case "expression":
      case "case":
      case "windowCall":
        if (kind === "windowCall") {
          scope.limit.readsAllRows = true;
          this.#calculations.readWindow(node);
        } else this.#calculations.readExpression(node, scope);
        for (const child of children) this.#wait(child, this.#scopeOf(child, scope));
        return;
      case "name": {
        const path = this.#readPath(node);
        const end = this.#offset + node.end;
        const star = { start: end - 1, end, text: "*", isQuoted: false };
        if (path) scope.columns.push(this.#isStar(node) ? [...path, star] : path);
        return;
      }
      case "orderTerms":
        // A union is ordered by the names that its first query gives.
        if (this.#unionParts.has(scope)) return;
        for (const child of children) {
          this.#calculations.readOrderTerm(child);
          this.#wait(child, scope);
        }
        return;
      case "options":
      case "text":
      case "object":
      case "word":
        return;
      default:
        for (const child of children) this.#wait(child, scope);
    }
  }

  /** A SELECT is nested in its clauses: all are one query. */
  #readSelect({ children }: SqlNode, scope: QueryScope): void {
    const [first] = children;
    if (first?.kind === "TABLE") {
      const path = children[1] && this.#readPath(children[1]);
      if (path) this.objects.push(path);
      if (path) scope.tables.push({ path });
      scope.outputs.push({ allOf: undefined });
      return;
    }
    for (const child of children) this.#wait(child, scope);
    this.#readClause(children, scope);
    if (children[1]?.kind === "GROUP_BY") this.#readGroups(children[2], scope);
    const where = children.findIndex(({ kind }) => kind === "WHERE");
    const condition = where < 0 ? undefined : children[where + 1];
    if (!condition) return;
    this.#readCondition(condition, scope);
    for (const { name } of readInputs(condition)) {
      const path = this.#readPath(name);
      // few: the parts of a name.
      if (path?.some(({ text }) => !isPlainInput(text))) scope.inputs.push(path);
    }
  }

  /** What a clause tells about when the LIMIT of its query can be applied. */
  #readClause(children: readonly SqlNode[], { limit }: QueryScope): void {
    const [first, clause, value] = children;
    const kind = first?.kind === "SELECT" ? first.kind : clause?.kind;
    if (kind === "SELECT" && clause!.kind === "DISTINCT") limit.readsAllRows = true;
    else if (kind === "GROUP_BY" || kind === "HAVING") limit.isGrouped = true;
    else if (kind === "OFFSET") limit.hasOffset = true;
    else if (kind === "LIMIT" || kind === "FETCH_FIRST") {
      const offset = this.#offset;
      limit.clause = { start: offset + clause!.start, end: offset + children.at(-1)!.end };
      if (children.length > 3 && kind === "LIMIT") limit.hasOffset = true;
    } else if (kind === "ORDER_BY") {
      for (let rest = value; rest?.kind === "orderTerms"; rest = rest.children[0]) {
        let term = rest.children.at(-1)!;
        while (term.kind === "orderTerm") term = term.children[0]!;
        const name = unwrap(term);
        limit.order.push(name.kind === "name" ? this.#readPath(name) : undefined);
      }
    }
  }

  #readGroups(items: SqlNode | undefined, { groups }: QueryScope): void {
    const waiting = items ? [items] : [];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const node = unwrap(next);
      if (/^(items|list)$/.test(node.kind)) waiting.push(...node.children);
      const path = node.kind === "name" ? this.#readPath(node) : undefined;
      if (path?.length === 1) groups.push(path[0]!);
    }
  }

  #readCondition(condition: SqlNode, { condition: found, searches }: QueryScope): void {
    const waiting = [{ node: condition, isPart: false }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const node = unwrap(next.node);
      const isWhole = ["select", "union", "name", "constant"].includes(node.kind);
      if (isWhole || node.children.length === 0) continue;
      const [left, operator, right] = node.children;
      let { isPart } = next;
      if (operator?.kind !== "AND") {
        if (!isPart) found.count++;
        isPart = true;
      }
      if (operator?.kind === "OR") found.hasOr = true;
      const isOperation = node.kind === "expression" && left && operator && right;
      if (isOperation) {
        for (const path of this.#readPair(left, operator, right)) {
          searches.push({ path, isOn: false });
        }
      }
      const path = isOperation && this.#readFilter(left, right);
      if (path) {
        found.filters.push({
          path,
          operator: readOperator(operator, right),
          isNumberOrder: /^([<>]=?|BETWEEN)$/.test(operator.kind) && this.#isNumber(left, right),
          isPart: next.isPart,
        });
      }
      for (const child of node.children) waiting.push({ node: child, isPart });
    }
  }

  /** Of `content = column` and `content LIKE column`, the searched one. */
  #readPair(left: SqlNode, operator: SqlNode, right: SqlNode): NamePath[] {
    const names = [unwrap(left), unwrap(right)].filter(({ kind }) => kind === "name");
    if (names.length < 2 || !/^(=|LIKE)$/.test(operator.kind)) return [];
    return names.flatMap((name) => {
      const path = this.#readPath(name);
      return path && isSearched(path) ? [path] : [];
    });
  }

  #readJoinCondition(condition: SqlNode, { joinColumns, searches }: QueryScope): void {
    const waiting = [condition];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.kind === "name") {
        const path = this.#readPath(next);
        if (path?.length === 1) joinColumns.push(path[0]!);
        else if (path && isSearched(path)) searches.push({ path, isOn: true });
        continue;
      }
      const values = next.kind === "call" ? next.children.slice(1) : next.children;
      waiting.push(...values.filter(({ kind }) => kind !== "select" && kind !== "union"));
    }
  }

  /** The column of `column = value` or `value = column`. */
  #readFilter(left: SqlNode, right: SqlNode): NamePath | undefined {
    const [first, second] = [unwrap(left), unwrap(right)];
    const [name, value] = first.kind === "name" ? [first, second] : [second, first];
    const last = value.kind === "list" ? unwrap(value.children.at(-1)!) : value;
    const isValue = ["constant", "parameter", "select", "union"].includes(last.kind);
    return isValue && name.kind === "name" ? this.#readPath(name) : undefined;
  }

  /** Whether one of them is a whole number. */
  #isNumber(...nodes: readonly SqlNode[]): boolean {
    return nodes.some((node) => {
      const value = unwrap(node);
      return value.kind === "constant" && /^\d+$/.test(this.#textOf(value));
    });
  }

  #readNamed({ children }: SqlNode, scope: QueryScope): void {
    const at = children.findIndex(({ kind }) => kind === "name");
    if (children[0]?.kind === "withQueries") this.#wait(children[0], scope);
    const name = children[at] && this.#readPath(children[at]);
    const query = children.find(({ kind }) => kind === "select" || kind === "union");
    const inner = this.#newScope(scope.parent);
    if (query) this.#wait(query, inner);
    const hasColumns = children[at + 1]?.children[0]?.kind === "(";
    const key = name?.at(-1)?.text.toLowerCase();
    // A name that is given twice may be either.
    const isKnown = key !== undefined && !this.named.has(key) && !hasColumns;
    if (key !== undefined) this.named.set(key, isKnown ? { query: inner } : {});
  }

  #readTable(
    source: SqlNode,
    { scope, isOptional, alias: given }: Omit<Waiting, "node"> & { alias?: SqlNode | undefined },
  ): void {
    const { children } = source;
    const [first] = children;
    const ownAlias = children.find(({ kind }) => kind === "word");
    const alias = (given && this.#readPath(given))?.at(-1)?.text ?? this.#word(ownAlias)?.text;
    const table: QueryTable = { alias, ...(isOptional && { isOptional }) };
    scope.tables.push(table);
    if (first?.kind === "name") {
      const path = this.#readPath(first);
      const isNative = children.length > 1;
      if (isNative && path?.length === 1) this.databases.push(path[0]!);
      if (path && !isNative) {
        if (this.#updates.has(scope)) this.ofSource.push(path);
        else {
          table.path = path;
          this.objects.push(path);
        }
      }
      return;
    }
    const columns = children.find(({ kind }) => kind === "columns");
    const query = children.find(({ kind }) => kind === "statement")?.children[0];
    if (query?.kind !== "select" && query?.kind !== "union") return;
    const inner = this.#newScope(this.#isLateral ? scope : scope.parent);
    this.#wait(query, inner);
    if (!columns) table.query = inner;
  }

  #readTarget(target: SqlNode, scope: QueryScope): void {
    let inner = target;
    while (inner.children[0]?.kind === "target") [inner] = inner.children as [SqlNode];
    const isNamed = target !== inner && target.children.length > 1;
    const alias = isNamed ? this.#readAlias(target.children.at(-1)!) : undefined;
    const [output] = inner.children as [SqlNode];
    const isRead = alias !== undefined || this.#values.has(scope);
    const value = isRead ? this.#calculations.readValue(output) : undefined;
    if (value) scope.value = value;
    if (alias === undefined || !value) {
      scope.outputs.push(this.#readOutput(inner));
    } else {
      const isColumn = unwrap(output).kind === "name";
      scope.outputs.push({ column: alias, value, isColumn, place: this.#place(target) });
      scope.aliases.add(alias.toLowerCase());
    }
    this.#calculations.readOutput(output, scope);
    for (const child of inner.children) {
      const query = this.#scopeOf(child, scope);
      this.#wait(child, query);
      if (query !== scope && alias !== undefined) {
        const text = this.#textOf(inner);
        scope.scalarSubqueries.push({ ...this.#place(inner), text, query });
      }
    }
  }

  /** The column that a target without an alias returns. */
  #readOutput({ children }: SqlNode): QueryOutput {
    let [node] = children;
    while (node?.kind === "expression" && node.children.length === 1) [node] = node.children;
    if (node?.kind === "star") return { allOf: undefined };
    const path = node?.kind === "name" ? this.#readPath(node) : undefined;
    if (!path) return "unnamed";
    const name = path.at(-1)!.text;
    if (this.#isStar(node!)) return { allOf: name };
    const value = this.#calculations.readColumn(path);
    return { column: name, value, isColumn: true, place: this.#place(node!) };
  }

  /** `t.*` */
  #isStar({ end }: SqlNode): boolean {
    return this.#sql[this.#offset + end - 1] === "*";
  }

  #place({ start, end }: SqlNode): Span {
    return { start: this.#offset + start, end: this.#offset + end };
  }

  /** The first part is the function's name. In `EXTRACT(year FROM day)`, the part before FROM is no column. */
  #readCall(children: readonly SqlNode[], scope: QueryScope): void {
    const from = children.findIndex(({ kind }) => kind === "FROM");
    const isQuery = children.some(({ kind }) => kind === "EXISTS" || kind === "NOT_EXISTS");
    for (const child of children.slice(Math.max(from, isQuery ? 0 : 1))) {
      this.#wait(child, this.#scopeOf(child, scope));
    }
  }

  #readAlias(node: SqlNode): string | undefined {
    if (node.kind === "name") return this.#readPath(node)?.at(-1)?.text;
    const offset = this.#offset;
    return this.#sql.slice(offset + node.start + 1, offset + node.end - 1);
  }

  /** That of a part of an expression: a query is a scope of its own. */
  #scopeOf(node: SqlNode, scope: QueryScope): QueryScope {
    if (node.kind !== "select" && node.kind !== "union") return scope;
    const query = this.#newScope(scope);
    this.#queries.set(node, query);
    this.#values.add(query);
    return query;
  }

  #newScope(parent: QueryScope | undefined): QueryScope {
    const scope: QueryScope = {
      parent,
      inner: [],
      tables: [],
      columns: [],
      aliases: new Set(),
      outputs: [],
      inputs: [],
      condition: { filters: [], count: 0, hasOr: false },
      limit: {
        clause: undefined,
        hasOffset: false,
        isGrouped: false,
        readsAllRows: false,
        joins: new Set(),
        order: [],
      },
      divisions: [],
      deviations: [],
      spans: [],
      differences: [],
      additions: [],
      escapes: [],
      joinColumns: [],
      groups: [],
      searches: [],
      scalarSubqueries: [],
    };
    this.scopes.push(scope);
    parent?.inner.push(scope);
    if (parent && this.#updates.has(parent)) this.#updates.add(scope);
    return scope;
  }

  /** A query that has no other around it. */
  #newQuery({ isStored }: { isStored: boolean }): QueryScope {
    return Object.assign(this.#newScope(undefined), { isStored });
  }

  #textOf({ start, end }: SqlNode): string {
    return this.#sql.slice(this.#offset + start, this.#offset + end);
  }

  #wait(node: SqlNode, scope: QueryScope): void {
    this.#waiting.push({ node, scope });
  }

  #creates(path: NamePath | undefined): void {
    const name = path?.findLast(({ text }) => !/^\d+$/.test(text))?.text;
    if (name !== undefined) this.created.push(name.toLowerCase());
  }

  #firstName({ children }: SqlNode): NamePath | undefined {
    const node = children.find(({ kind }) => kind === "name");
    return node && this.#readPath(node);
  }

  #readPath(name: SqlNode): NamePath | undefined {
    return readNamePath(this.#sql, name, this.#offset);
  }

  #word(node: SqlNode | undefined): NamePart | undefined {
    return node && readNamePart(this.#sql, node, this.#offset);
  }
}

const databaseKinds = new Set(["DATABASE", "PROJECT", "SCHEMA", "DATASOURCE"]);
const objectKinds = new Set([
  "TABLE",
  "VIEW",
  "MODEL",
  "PREDICTOR",
  "KNOWLEDGE_BASE",
  "AGENT",
  "JOB",
]);

function readOperator({ kind }: SqlNode, right: SqlNode): ColumnFilter["operator"] {
  if (kind === "=" || kind === "LIKE") return kind;
  if (kind === "IN" || kind === "NOT_IN" || kind === "BETWEEN") return "range";
  const value = unwrap(right).children[0]?.kind ?? "";
  const isOfNull = kind === "IS" ? value === "NULL" : kind === "IS_NOT" && value !== "NULL";
  return isOfNull ? "ofNull" : "other";
}

/** The column of a knowledge base that is searched in. */
function isSearched(path: NamePath): boolean {
  return /^content$/i.test(path.at(-1)!.text);
}
