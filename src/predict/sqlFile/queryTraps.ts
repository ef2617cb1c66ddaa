// Finds what MindsDB does otherwise than a database would in a query whose tables it joins, filters, or limits itself.
import * as l10n from "@vscode/l10n";
import { nameText } from "../completion/suggestion.ts";
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import type { CalculatedValue, Deviation, WholeParts } from "./calculations.ts";
import { isOfColumnType, type ColumnType } from "./columnTypes.ts";
import type { NamePart, NamePath } from "../notebook/namePath.ts";
import type { Span } from "../notebook/recipe.ts";
import { calculatedOtherwise, notCalculated } from "../notebook/unlikePostgres.ts";
import { isNamed, maxDepth, maxTables, maxUnknown, placeOf, surely } from "./nameResolver.ts";
import type { NameContext, NameProblem, NameResolver } from "./nameResolver.ts";
import { quotedWords } from "./quotedWords.ts";
import type { ServerNames } from "./serverNames.ts";
import type {
  ColumnFilter,
  QueryOutput,
  QueryScope,
  QueryTable,
  StatementNames,
} from "./statementNames.ts";

/** The traps of the queries of one statement. */
export class QueryTraps {
  readonly #names: StatementNames;
  readonly #context: NameContext;
  readonly #server: ServerNames;
  readonly #resolver: NameResolver;
  readonly #outputTypes = new Map<QueryScope, Map<string, boolean>>();
  #innerQueries: Set<QueryScope> | undefined;
  #readQueries: Set<QueryScope> | undefined;

  constructor(names: StatementNames, context: NameContext, resolver: NameResolver) {
    this.#names = names;
    this.#context = context;
    this.#server = context.server;
    this.#resolver = resolver;
  }

  *find(scope: QueryScope): Generator<NameProblem> {
    yield* this.#checkPatterns(scope);
    yield* this.#checkJoinColumns(scope);
    yield* this.#checkIds(scope);
    yield* this.#checkFilters(scope);
    yield* this.#checkLimit(scope);
    yield* this.#checkSearch(scope);
    yield* this.#checkSearchedColumns(scope);
    yield* this.#checkScalarSubqueries(scope);
    yield* this.#checkStoredNames(scope);
    yield* this.#checkViews(scope);
    yield* this.#checkCalculations(scope);
    yield* this.#checkSpans(scope);
    yield* this.#checkGroups(scope);
  }

  /**
   * Conditions by which the server reads tables that it joins itself, although more than they decide: it takes each comparison
   * of a column with a value from the WHERE, wherever it is there. With `LEFT JOIN t … WHERE t.a IS NULL`, it reads only such
   * rows of `t`, and every row of the other table is without a match (seen on 26.1.0; the code of 25.14.1 is the same).
   */
  *#checkFilters(scope: QueryScope): Generator<NameProblem> {
    const { filters, hasOr } = scope.condition;
    const isJoin = scope.tables.length > 1;
    if (!isJoin || filters.length === 0 || this.#resolver.mayBeOfOneSource(scope)) return;
    for (const { path, operator, isPart } of filters) {
      const { table } =
        path.length > 1 ? (this.#resolver.findTable(scope, path.slice(0, -1)) ?? {}) : {};
      // With an OR, it reads whole tables, except queries in their place.
      if (!table || (hasOr && !table.query) || this.#resolver.isModel(table)) continue;
      const isEarly = isPart || (operator === "ofNull" && table.isOptional === true);
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
              "MindsDB applies this condition before it joins tables of different sources, so rows that have a match seem to have none. Use {0} instead.",
              fixed,
            );
      yield { ...surely(placeOf(path), message), code: "earlyFilter", text, choices: [fixed] };
    }
  }

  /** Whether PostgreSQL finds a column in quotes only, which the server leaves out unless the word needs them. */
  #losesQuotes({ text }: NamePart, { path }: QueryTable): boolean {
    const key = text.toLowerCase();
    const found = /^[a-z_]\w*$/.test(key) ? this.#resolver.postgresTable(path) : undefined;
    if (!found || quotedWords.has(key)) return false;
    const name = this.#resolver.columnsOfObject(found)?.get(key);
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

  #limitedAlone({ limit, tables: [table] }: QueryScope): QueryTable | undefined {
    if (!table?.path) return undefined;
    if (!this.#resolver.isKnowledgeBase(table)) return undefined;
    const isByRelevance = limit.order.every(isRelevance);
    const { hasOffset, isGrouped, readsAllRows } = limit;
    return hasOffset || isGrouped || readsAllRows || !isByRelevance ? table : undefined;
  }

  #limitedInJoin(scope: QueryScope): QueryTable | undefined {
    const { limit, condition, tables } = scope;
    const { joins, hasOffset } = limit;
    if (limit.isGrouped || joins.size === 0 || this.#resolver.mayBeOfOneSource(scope)) {
      return undefined;
    }
    const few = tables.slice(0, maxTables);
    const hasModel = few.some((one) => this.#resolver.isModel(one));
    const keepsOne = joins.has("RIGHT") || joins.has("FULL");
    const isInner = !hasModel && joins.has("INNER");
    if (hasOffset && (isInner || keepsOne)) return undefined;
    // The LIMIT of a query in place of a table is taken for that of the statement.
    const isCut = isInner || (keepsOne && !hasModel);
    const limited = isCut && few.find(({ query }) => query && this.#hasLimit(query));
    if (limited) return limited;
    const [first, second] = few
      .filter((one) => one.path && !this.#resolver.isModel(one))
      .sort((a, b) => a.path![0]!.start - b.path![0]!.start);
    if (!first) return undefined;
    // Of the tables after the first, only rows that match it are read.
    if (keepsOne && second) return first;
    const isOfFirst = (path: NamePath | undefined): boolean =>
      path !== undefined &&
      path.length > 1 &&
      this.#resolver.findTable(scope, path.slice(0, -1))?.table === first;
    if (!limit.order.every(isOfFirst)) return undefined;
    if (limit.readsAllRows || keepsOne) return first;
    // It cuts the joined rows before it puts them in order: wrong where a row of the first table has many matches.
    if (isInner && limit.order.length > 0) return first;
    const isRead = (table: QueryTable): boolean =>
      !condition.hasOr && (table === first || (isInner && joins.size === 1));
    // The inputs of a model are no filters.
    const before = condition.filters.filter(({ path, operator, isPart }) => {
      const { table } = this.#resolver.findTable(scope, path.slice(0, -1)) ?? {};
      if (isPart || !table || path.length < 2) return false;
      return this.#resolver.isModel(table) ? operator === "=" : isRead(table);
    });
    const filtersLater = condition.count > before.length;
    return hasOffset || filtersLater ? first : undefined;
  }

  /** Whether a query, or one in place of its tables, has a LIMIT. */
  #hasLimit(query: QueryScope): boolean {
    const seen = new Set([query]);
    for (const { limit, tables } of seen) {
      this.#resolver.lookUp(tables.length + 1);
      if (limit.clause) return true;
      if (this.#resolver.isSpent) return false;
      for (const { query: inner } of tables) if (inner) seen.add(inner);
    }
    return false;
  }

  /** A search in a knowledge base returns ten rows where no LIMIT says otherwise: too few to count, join, or look up. */
  *#checkSearch(scope: QueryScope): Generator<NameProblem> {
    const { limit, tables, condition } = scope;
    this.#innerQueries ??= this.#findInnerQueries();
    const isInner = scope.isStored === true || this.#innerQueries.has(scope);
    const readsAll = limit.isGrouped || limit.readsAllRows || tables.length > 1;
    const searches = condition.filters.filter(({ path }) =>
      /^(chunk_)?content$/i.test(path.at(-1)!.text),
    );
    if (searches.length === 0) return;
    if (tables.length === 1 && this.#resolver.isKnowledgeBase(tables[0]!)) {
      for (const { path, operator } of searches) if (operator === "LIKE") yield likeSearch(path);
    }
    // Rows are searched for and then filtered, or in a join not searched for.
    const isLost = condition.hasOr && (tables.length > 1 || condition.count > 1);
    if (isLost && tables.slice(0, maxTables).some((one) => this.#resolver.isKnowledgeBase(one))) {
      const message = l10n.t(
        "MindsDB can't combine a search with OR. Use IN for several texts, or put the search in a subquery with a LIMIT (100 at most).",
      );
      const { path } = searches[0]!;
      yield { ...surely(placeOf(path), message), code: "earlyLimit", text: path.at(-1)!.text };
      return;
    }
    // In another order than that of the search, the first rows are any.
    const isSorted = !limit.order.every(isRelevance);
    if (limit.clause || !(readsAll || isInner || isSorted)) return;
    for (const { path } of tables.slice(0, maxTables)) {
      if (!this.#resolver.isKnowledgeBase({ path })) continue;
      const message = readsAll
        ? l10n.t(
            "Without LIMIT, MindsDB reads only 10 rows of a search. Put the search in a subquery with a LIMIT (100 at most).",
          )
        : l10n.t(
            "Without LIMIT, MindsDB reads only 10 rows of a search. Add a LIMIT to it (100 at most).",
          );
      yield { ...surely(placeOf(path!), message), code: "earlyLimit", text: path!.at(-1)!.text };
    }
  }

  /** Searches that the server drops or refuses: for the values of a column, and in ON (26.1.0). */
  *#checkSearchedColumns(scope: QueryScope): Generator<NameProblem> {
    const { searches, tables } = scope;
    if (searches.length === 0) return;
    const searched = tables.slice(0, maxTables).find((one) => this.#resolver.isKnowledgeBase(one));
    for (const { path, isOn } of searches.slice(0, maxUnknown)) {
      const qualifier = path.slice(0, -1);
      const table =
        qualifier.length > 0 ? this.#resolver.findTable(scope, qualifier)?.table : searched;
      if (!table || !this.#resolver.isKnowledgeBase(table)) continue;
      const message = isOn
        ? l10n.t(
            "MindsDB can't search in ON. Put the search in a subquery with a LIMIT (100 at most).",
          )
        : l10n.t(
            "MindsDB ignores this condition: it can search for a text, but not for the values of a column.",
          );
      yield { ...surely(placeOf(path), message), code: "earlyFilter", text: path.at(-1)!.text };
    }
  }

  /** Subqueries as outputs where the server calculates itself: it puts a value in their place, without the alias (26.1.0). */
  *#checkScalarSubqueries(scope: QueryScope): Generator<NameProblem> {
    const { scalarSubqueries, tables } = scope;
    if (scalarSubqueries.length === 0 || tables.length === 0) return;
    if (this.#resolver.mayBeOfOneSource(scope)) return;
    for (const { start, end, text, query } of scalarSubqueries.slice(0, maxUnknown)) {
      if (this.#readsOuterTable(query)) continue;
      const message = l10n.t(
        "MindsDB loses the name of this subquery. Use {0} instead.",
        "coalesce((SELECT …), NULL)",
      );
      yield calculation({ start, end }, message, `coalesce(${text}, NULL)`);
    }
  }

  /** Whether a subquery names a table of the query around it. Then it can be run only where its source has all tables. */
  #readsOuterTable(query: QueryScope): boolean {
    return query.columns.slice(0, maxUnknown).some((path) => {
      const found = path.length > 1 && this.#resolver.findTable(query, path.slice(0, -1));
      return found && found.query !== query;
    });
  }

  /** Two outputs of one name whose rows are written to a table, which gets one of them (26.1.0). */
  *#checkStoredNames({ isStored, outputs }: QueryScope): Generator<NameProblem> {
    if (!isStored) return;
    const names = new Set<string>();
    const named = namedOutputs(outputs.slice(0, maxUnknown));
    for (const { column, place } of named.sort((a, b) => a.place.start - b.place.start)) {
      const key = column.toLowerCase();
      if (names.has(key)) {
        const message = l10n.t(
          "MindsDB stores only one of the columns named {0}. Give one of them another name.",
          column,
        );
        yield { ...surely(place, message), code: "lostData", text: column };
      }
      names.add(key);
    }
  }

  /** Those whose rows are joined, counted, filtered, or looked up by the query around them. */
  #findInnerQueries(): Set<QueryScope> {
    const found = new Set<QueryScope>();
    for (const { inner, tables, limit, condition } of this.#names.scopes) {
      for (const query of inner) found.add(query);
      const readsAll = limit.isGrouped || limit.readsAllRows || tables.length > 1;
      if (!readsAll && condition.count === 0) continue;
      for (const table of tables.slice(0, maxTables)) {
        const read = this.#resolver.queryOf(table);
        if (read) found.add(read);
      }
    }
    return found;
  }

  /** Patterns with `\%` or `\_`, which the server reads otherwise than PostgreSQL and MySQL do (26.1.0). */
  *#checkPatterns(scope: QueryScope): Generator<NameProblem> {
    const { escapes } = scope;
    if (escapes.length === 0 || this.#resolver.mayBeOfOneSource(scope)) return;
    for (const span of escapes.slice(0, maxUnknown)) {
      const message = l10n.t(
        "MindsDB knows no escape in this pattern. Use starts_with(…), strpos(…), or regexp_matches(…).",
      );
      yield { ...surely(span, message), code: "earlyFilter", text: "\\" };
    }
  }

  /** Columns without their table in the ON of tables that the server joins itself, where it does not find them (26.1.0). */
  *#checkJoinColumns(scope: QueryScope): Generator<NameProblem> {
    const { joinColumns } = scope;
    if (joinColumns.length === 0 || this.#resolver.mayBeOfOneSource(scope)) return;
    for (const part of joinColumns.slice(0, maxUnknown)) {
      const fixed = this.#qualify(part, scope);
      if (fixed === undefined) continue;
      const message = l10n.t(
        "In ON, MindsDB needs the table before this column. Use {0} instead.",
        fixed,
      );
      yield { ...surely(part, message), text: part.text, choices: [fixed] };
    }
  }

  /** Ids of a knowledge base are texts, also if whole numbers were inserted. */
  *#checkIds({ tables, condition }: QueryScope): Generator<NameProblem> {
    const [table, ...others] = tables;
    if (!table || others.length > 0 || !condition.filters.some(isIdOrder)) return;
    if (!this.#resolver.isKnowledgeBase(table)) return;
    for (const { path } of condition.filters.filter(isIdOrder)) {
      const message = l10n.t(
        "MindsDB compares these ids as text: 3 comes after 200. Use CAST(id AS int) around a subquery that reads them.",
      );
      yield { ...surely(placeOf(path), message), code: "earlyFilter", text: path.at(-1)!.text };
    }
  }

  /** A SELECT with texts whose rows are inserted into PostgreSQL, where empty ones become NULL (26.1.0). */
  *findEmptyTexts(target: NamePath): Generator<NameProblem> {
    const scope = this.#names.scopes.find(({ isStored }) => isStored);
    if (!this.#resolver.postgresTable(target) || !scope || !this.#returnsText(scope)) return;
    const message = l10n.t("MindsDB stores NULL for the empty texts of this SELECT.");
    yield { ...surely(placeOf(target), message), code: "emptyText", text: target.at(-1)!.text };
  }

  #returnsText(scope: QueryScope): boolean {
    for (const output of scope.outputs.slice(0, maxUnknown)) {
      if (output === "unnamed") continue;
      if ("column" in output) {
        if (this.#isOfType(output.value, scope, "text", 0)) return true;
      } else {
        for (const one of scope.tables.slice(0, maxTables)) {
          if (output.allOf !== undefined && !isNamed(one, output.allOf)) continue;
          if (this.#hasText(one)) return true;
        }
      }
    }
    return false;
  }

  /** Whether a table of PostgreSQL has a column of texts. */
  #hasText({ path }: QueryTable): boolean {
    const found = this.#resolver.postgresTable(path);
    if (!found || !this.#resolver.columnsOfObject(found)) return false;
    const types = this.#server.types(found.parts);
    this.#resolver.lookUp(types.size);
    return (
      !this.#resolver.isSpent && [...types.values()].some((one) => isOfColumnType(one, "text"))
    );
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
      const table = qualifier.length > 0 ? this.#resolver.findTable(scope, qualifier)?.table : only;
      if (!table?.path || seen.has(table)) continue;
      seen.add(table);
      const found = this.#resolver.resolve(table.path);
      if (found.kind !== "object" || found.type !== "view") continue;
      const clause = this.#server.lateClause(found.parts, this.#context.mayRequest);
      const quoted = nameText(found.parts);
      if (clause === undefined || quoted === undefined) continue;
      const last = table.path.at(-1)!;
      const message = l10n.t(
        "MindsDB applies conditions on the columns of {0} before {1} in its query. Read it in a subquery.",
        last.text,
        clause,
      );
      const alias = table.alias === undefined ? ` AS ${nameText([last.text])!}` : "";
      const choices = [`(SELECT * FROM ${quoted})${alias}`];
      yield {
        ...surely(placeOf(table.path), message),
        code: "earlyFilter",
        text: last.text,
        choices,
      };
    }
  }

  /** What the server calculates otherwise than PostgreSQL, where it does it itself (26.1.0). */
  *#checkCalculations(scope: QueryScope): Generator<NameProblem> {
    const { divisions, differences, additions, deviations } = scope;
    const all = [divisions, differences, additions, deviations];
    if (all.every(({ length }) => length === 0) || this.#resolver.mayBeOfOneSource(scope)) return;
    for (const one of deviations.slice(0, maxUnknown)) {
      const { paths, type } = one.only ?? {};
      if (paths?.some((path) => !this.#hasType(path, scope, type!))) continue;
      if (paths?.length === 0 && !this.#readsPostgres()) continue;
      yield deviation(one);
    }
    for (const { start, end, text, whole, isWindowed } of divisions.slice(0, maxUnknown)) {
      if (!this.#readsPostgres() || !this.#isWhole(whole, scope)) continue;
      if (isWindowed) {
        const message = l10n.t(
          "MindsDB calculates this with decimals, unlike PostgreSQL. For a whole number, calculate both in a subquery, and use trunc(…) around it.",
        );
        yield { ...surely({ start, end }, message), code: "calculation", text };
        continue;
      }
      const message = l10n.t(
        "MindsDB calculates this with decimals, unlike PostgreSQL. Use trunc(…) for a whole number.",
      );
      yield calculation({ start, end }, message, `trunc(${text})`);
    }
    for (const one of additions.slice(0, maxUnknown)) {
      const { start, end, date, operator, days, column } = one;
      if (!date.path || !this.#hasType(date.path, scope, "date")) continue;
      if (column && !this.#hasType(column, scope, "whole")) continue;
      const added = column ? `${days} * INTERVAL '1 day'` : `INTERVAL '${days} days'`;
      const fixed = `${date.text} ${operator} ${added}`;
      yield calculation({ start, end }, notCalculated(fixed), fixed);
    }
    for (const { start, end, operands, comparedWith } of differences.slice(0, maxUnknown)) {
      if (!comparedWith.every((path) => this.#hasType(path, scope, "whole"))) continue;
      const dates = operands.map(({ text, path, query }) => {
        if (!path && !query) return text;
        const isDate = query ? this.#returns(query, "date") : this.#hasType(path!, scope, "date");
        return isDate ? `CAST(${text} AS date)` : undefined;
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

  /** Time spans as outputs of a statement: the server returns them as numbers, without a unit (26.1.0). */
  *#checkSpans(scope: QueryScope): Generator<NameProblem> {
    if (scope.spans.length === 0 || scope.isStored || this.#findReadQueries().has(scope)) return;
    const isOfOneSource = this.#resolver.mayBeOfOneSource(scope);
    for (const one of scope.spans.slice(0, maxUnknown)) {
      const { start, end, text, withoutZones, paths, queries, isOfTime } = one;
      const areOf = (type: ColumnType): boolean[] => [
        ...paths.map((path) => this.#hasType(path, scope, type)),
        ...queries.map((query) => this.#returns(query, type)),
      ];
      const areTimes = areOf("time");
      // few: the two of a difference.
      if (!isOfTime && !areTimes.includes(true)) continue;
      const areDates = areOf("date");
      if (!areTimes.every((isTime, at) => isTime || areDates[at])) continue;
      const fixed = `CAST(${isOfOneSource ? text : withoutZones} AS text)`;
      const message = isOfOneSource
        ? l10n.t("MindsDB returns this as a number of nanoseconds. Use {0} instead.", fixed)
        : l10n.t(
            "MindsDB returns this as a number of nanoseconds, or fails if only one of the times has a time zone. Use {0} instead.",
            fixed,
          );
      yield calculation({ start, end }, message, fixed);
    }
  }

  /** Those that other queries read. */
  #findReadQueries(): Set<QueryScope> {
    if (this.#readQueries) return this.#readQueries;
    this.#readQueries = new Set();
    for (const { inner, tables } of this.#names.scopes) {
      const queries = tables.slice(0, maxTables).map((table) => this.#resolver.queryOf(table));
      for (const query of [...inner, ...queries]) if (query) this.#readQueries.add(query);
    }
    return this.#readQueries;
  }

  /** A name in GROUP BY that is an output and a column: PostgreSQL groups by the column, the server by the output (26.1.0). */
  *#checkGroups(scope: QueryScope): Generator<NameProblem> {
    const { groups, outputs } = scope;
    if (groups.length === 0 || this.#resolver.mayBeOfOneSource(scope) || !this.#readsPostgres()) {
      return;
    }
    const calculated = new Set(
      namedOutputs(outputs).flatMap((one) => (one.isColumn ? [] : [one.column.toLowerCase()])),
    );
    for (const part of groups.slice(0, maxUnknown)) {
      const fixed = calculated.has(part.text.toLowerCase())
        ? this.#qualify(part, scope)
        : undefined;
      if (fixed !== undefined) yield calculation(part, calculatedOtherwise(fixed), fixed);
    }
  }

  /** A column with its table, if only one has it. */
  #qualify({ text }: NamePart, { tables }: QueryScope): string | undefined {
    const [table, ...others] = tables.slice(0, maxTables).filter((one) => {
      const columns = this.#resolver.columnsOf(one, 0);
      return columns && this.#resolver.hasColumn(columns, text.toLowerCase());
    });
    const name = table?.alias ?? table?.path?.at(-1)?.text;
    if (name === undefined || others.length > 0 || this.#resolver.isSpent) return undefined;
    return nameText([name, text]);
  }

  #readsPostgres(): boolean {
    const some = this.#names.objects.slice(0, maxTables);
    return some.some((path) => this.#resolver.postgresTable(path) !== undefined);
  }

  #isWhole(
    { columns, summed, queries }: WholeParts,
    scope: QueryScope,
    wanted: ColumnType = "whole",
    depth = 0,
  ): boolean {
    if (depth > maxDepth) return false;
    return (
      columns.every((path) => this.#hasType(path, scope, wanted, depth)) &&
      summed.every((path) => this.#hasType(path, scope, "int", depth)) &&
      queries.every((query) => this.#returns(query, wanted, depth + 1))
    );
  }

  /** Whether a subquery in an expression returns a value of such a type. */
  #returns(query: SqlNode, wanted: ColumnType, depth = 0): boolean {
    const inner = this.#names.queryOf(query);
    return !!inner?.value && this.#isOfType(inner.value, inner, wanted, depth);
  }

  /** Whether a name is a column of PostgreSQL of such a type, or what queries in place of tables make of one. */
  #hasType(path: NamePath, scope: QueryScope, wanted: ColumnType, depth = 0): boolean {
    const key = path.at(-1)!.text.toLowerCase();
    const qualifier = path.slice(0, -1);
    const table =
      qualifier.length > 0 ? this.#resolver.findTable(scope, qualifier)?.table : undefined;
    const tables = table ? [table] : scope.tables.slice(0, maxTables);
    return tables.some((one) => this.#hasColumnOfType(one, key, wanted, depth));
  }

  #hasColumnOfType(table: QueryTable, key: string, wanted: ColumnType, depth: number): boolean {
    const inner = this.#resolver.queryOf(table);
    if (inner) return this.#returnsType(inner, key, wanted, depth + 1);
    const found = this.#resolver.postgresTable(table.path);
    // Has them requested.
    const columns = found && this.#resolver.columnsOfObject(found);
    const type = columns && this.#server.types(found.parts).get(key);
    return type !== undefined && isOfColumnType(type, wanted);
  }

  /** Whether a query returns a column of such a type. */
  #returnsType(query: QueryScope, key: string, wanted: ColumnType, depth: number): boolean {
    const known = this.#outputTypes.get(query) ?? new Map<string, boolean>();
    this.#outputTypes.set(query, known);
    const id = `${wanted} ${key}`;
    const former = known.get(id);
    if (former !== undefined || depth > maxDepth) return former === true;
    // It may read itself.
    known.set(id, false);
    this.#resolver.lookUp(query.outputs.length);
    if (this.#resolver.isSpent) return false;
    const isOf = (output: QueryOutput): boolean => {
      if (output === "unnamed") return false;
      if ("allOf" in output) {
        const { allOf } = output;
        return query.tables
          .slice(0, maxTables)
          .some(
            (one) =>
              (allOf === undefined || isNamed(one, allOf)) &&
              this.#hasColumnOfType(one, key, wanted, depth),
          );
      }
      if (output.column.toLowerCase() !== key) return false;
      return this.#isOfType(output.value, query, wanted, depth);
    };
    const isReturned = query.outputs.some(isOf);
    known.set(id, isReturned);
    return isReturned;
  }

  #isOfType(
    { whole, date }: CalculatedValue,
    scope: QueryScope,
    wanted: ColumnType,
    depth: number,
  ): boolean {
    if (wanted === "date") return date !== undefined && this.#hasType(date, scope, wanted, depth);
    if (!whole) return false;
    // What is made of no column, such as count(*), is a whole number.
    const isOfNumbers = /^(whole|int|exact)$/.test(wanted);
    if (!isOfNumbers && whole.columns.length === 0) return false;
    if (wanted === "int" && whole.isLong) return false;
    return this.#isWhole(whole, scope, wanted, depth);
  }
}

function namedOutputs(outputs: readonly QueryOutput[]): Extract<QueryOutput, { column: string }>[] {
  return outputs.flatMap((one) => (one !== "unnamed" && "column" in one ? [one] : []));
}

/** `id > 200` */
function isIdOrder({ path, isNumberOrder }: ColumnFilter): boolean {
  return isNumberOrder && /^id$/i.test(path.at(-1)!.text);
}

function isRelevance(term: NamePath | undefined): boolean {
  return /^(relevance|distance)$/i.test(term?.at(-1)?.text ?? "");
}

function likeSearch(path: NamePath): NameProblem {
  const message = l10n.t(
    "MindsDB searches by meaning here, as with =. It does not compare the text.",
  );
  return { ...surely(placeOf(path), message), code: "earlyFilter", text: path.at(-1)!.text };
}

function deviation({ start, end, kind, fixed }: Deviation): NameProblem {
  const messages = {
    bytes: () => l10n.t("MindsDB counts bytes here, not characters. Use {0} instead.", fixed),
    wholeText: () =>
      l10n.t("MindsDB compares this pattern with the whole text. Use {0} instead.", fixed),
    decimalText: () =>
      l10n.t(
        "MindsDB leaves out the last zeros of this number, unlike PostgreSQL. Cast it to its number of decimals first, such as {0}.",
        fixed,
      ),
    missing: () => notCalculated(fixed),
    other: () => calculatedOtherwise(fixed),
  };
  const problem = calculation({ start, end }, messages[kind](), fixed);
  // How many decimals the column has is not listed, and with fewer the number is rounded.
  return kind === "decimalText" ? { ...problem, choices: [] } : problem;
}

function calculation(span: Span, message: string, fixed: string): NameProblem {
  return { ...surely(span, message), code: "calculation", text: fixed, choices: [fixed] };
}
