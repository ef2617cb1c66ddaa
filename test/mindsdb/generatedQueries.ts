// Generated queries over two data sources, a file and views, with the same names in MindsDB and in a PostgreSQL.
import * as fc from "fast-check";

type Columns = Record<string, "number" | "text">;

const members: Columns = { id: "number", name: "text", city: "text", score: "number" };
const loans: Columns = { id: "number", member: "number", amount: "number", days: "number" };
/** By their names in MindsDB and, as schema and table, in PostgreSQL. */
export const queriedTables: Record<string, Columns> = {
  "query_a.members": members,
  "query_a.branches": { id: "number", title: "text", region: "text" },
  "query_b.loans": loans,
  "query_b.fines": { id: "number", loan: "number", fee: "number", note: "text" },
  "files.query_prices": { id: "number", label: "text", price: "number" },
  "mindsdb.query_members": members,
  "mindsdb.query_loans": loans,
  "mindsdb.query_first": members,
};

/** Creates all of them in PostgreSQL, where those of the file and the views are tables as well. */
export const queriedTablesInPostgres = `
  CREATE SCHEMA query_a; CREATE SCHEMA query_b; CREATE SCHEMA files; CREATE SCHEMA mindsdb;
  CREATE TABLE query_a.members AS
    SELECT g AS id, (ARRAY['Ada', 'Bo', 'Cyd'])[1 + g % 3] || g AS name, (ARRAY['Bonn', 'Trier', NULL])[1 + g % 3] AS city,
      CASE WHEN g % 6 = 0 THEN NULL ELSE (g * 7) % 25 END AS score FROM generate_series(1, 40) AS g;
  CREATE TABLE query_a.branches AS
    SELECT g AS id, 'Branch ' || g AS title, (ARRAY['north', NULL, 'east'])[1 + g % 3] AS region FROM generate_series(1, 7) AS g;
  CREATE TABLE query_b.loans AS
    SELECT g AS id, 1 + (g * 11) % 50 AS member, CASE WHEN g % 7 = 0 THEN NULL ELSE ((g * 17) % 60)::float8 / 2 END AS amount,
      CASE WHEN g % 5 = 0 THEN NULL ELSE g % 12 END AS days FROM generate_series(1, 90) AS g;
  CREATE TABLE query_b.fines AS
    SELECT g AS id, (g * 3) % 100 AS loan, g % 8 + 0.5::float8 AS fee, (ARRAY['late', 'torn', NULL])[1 + g % 3] AS note
    FROM generate_series(1, 30) AS g;
  CREATE TABLE files.query_prices AS
    SELECT g AS id, (ARRAY['Bonn', 'Dune', 'Emma'])[1 + g % 3] AS label, (g * 19) % 20 + 0.25::float8 AS price
    FROM generate_series(1, 20) AS g;
  CREATE VIEW mindsdb.query_members AS SELECT * FROM query_a.members WHERE score > 5;
  CREATE VIEW mindsdb.query_loans AS SELECT id, member, amount, days FROM query_b.loans;
  CREATE VIEW mindsdb.query_first AS SELECT * FROM query_a.members ORDER BY id LIMIT 9`;

export interface GeneratedQuery {
  sql: string;
  /** Whether its ORDER BY leaves no two different rows in either order. */
  isOrdered: boolean;
}

/**
 * Left out is what SQL leaves to each engine: where NULL is in a descending order, how halves are rounded, what `/` makes of
 * whole numbers.
 */
export const generatedQuery: fc.Arbitrary<GeneratedQuery> = fc
  .gen()
  .map((g) => new QueryGenerator(g).query());

interface Table {
  sql: string;
  alias: string;
  columns: Columns;
}

class QueryGenerator {
  readonly #g: fc.GeneratorValue;
  #aliases = 0;
  /** Queries in queries. */
  #left = 2;

  constructor(g: fc.GeneratorValue) {
    this.#g = g;
  }

  query(): GeneratedQuery {
    const first = this.#table();
    const tables = [first];
    let from = first.sql;
    for (let more = this.#number(0, 2); more > 0; more--) {
      const next = this.#table();
      const kind = this.#pick("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
      from += ` ${kind} ${next.sql} ON ${this.#column(tables)} = ${this.#column([next])}`;
      tables.push(next);
      if (this.#chance(15)) from += ` AND ${this.#condition(tables, 0)}`;
    }
    if (this.#chance(60)) from += ` WHERE ${this.#condition(tables, 2)}`;
    const ids = tables.map(({ alias }) => `${alias}.id`);
    switch (this.#pick("rows", "first", "first", "groups", "totals")) {
      case "rows": {
        const outputs = [this.#value(tables, 1), this.#column(tables, "text")];
        const sql = `SELECT ${this.#named(outputs)} FROM ${from}`;
        return this.#ordered(sql, [...(this.#chance(40) ? [this.#term(tables)] : []), ...ids]);
      }
      case "first": {
        // Other columns would tell rows apart that this order does not.
        const column = this.#column([first]);
        const sql = `SELECT ${first.alias}.id, ${column} AS c2 FROM ${from}`;
        return this.#ordered(sql, [column, `${first.alias}.id`]);
      }
      case "groups": {
        const group = this.#column(tables, this.#pick("number", "text"));
        const sql = `SELECT ${this.#named([group, "count(*)", `sum(${this.#value(tables, 1)})`])} FROM ${from} GROUP BY ${group}`;
        const having = this.#chance(25) ? ` HAVING count(*) > ${this.#number(1, 4)}` : "";
        return this.#ordered(sql + having, ["c1"]);
      }
      case "totals": {
        const totals = ["count(*)", `max(${this.#value(tables, 1)})`];
        return { sql: `SELECT ${this.#named(totals)} FROM ${from}`, isOrdered: false };
      }
    }
  }

  #ordered(sql: string, terms: readonly string[]): GeneratedQuery {
    if (this.#chance(40)) return { sql, isOrdered: false };
    const limit = this.#chance(80) ? ` LIMIT ${this.#number(1, 12)}` : "";
    const offset = limit !== "" && this.#chance(25) ? ` OFFSET ${this.#number(1, 9)}` : "";
    return { sql: `${sql} ORDER BY ${terms.join(", ")}${limit}${offset}`, isOrdered: true };
  }

  #table(): Table {
    const alias = `t${String(++this.#aliases)}`;
    if (this.#left > 0 && this.#chance(12)) {
      this.#left--;
      const inner = this.#table();
      const where = this.#chance(50) ? ` WHERE ${this.#condition([inner], 1)}` : "";
      const limit = this.#chance(30) ? ` ORDER BY ${inner.alias}.id LIMIT 9` : "";
      const columns = Object.keys(inner.columns).map((name) => `${inner.alias}.${name}`);
      const sql = `(SELECT ${columns.join(", ")} FROM ${inner.sql}${where}${limit}) AS ${alias}`;
      return { sql, alias, columns: inner.columns };
    }
    const name = this.#pick(...Object.keys(queriedTables));
    return { sql: `${name} AS ${alias}`, alias, columns: queriedTables[name]! };
  }

  #condition(tables: readonly Table[], depth: number): string {
    const inner = (): string => this.#condition(tables, depth - 1);
    const column = this.#column(tables);
    const text = this.#column(tables, "text");
    const not = this.#chance(30) ? "NOT " : "";
    const forms: (() => string)[] = [
      () => `${this.#value(tables, depth)} ${this.#pick("=", "<", ">=", "<>")} ${this.#constant()}`,
      () => `${column} < ${this.#column(tables)}`,
      () => `${text} ${not}LIKE '%${this.#pick("o", "a", "B")}%'`,
      () => `${text} = '${this.#pick("Bonn", "late", "east")}'`,
      () => `${this.#pick(column, text)} IS ${not}NULL`,
      () => `${column} ${not}IN (${this.#constant()}, ${this.#constant()})`,
      () => `${column} BETWEEN ${this.#number(0, 8)} AND ${this.#number(9, 30)}`,
    ];
    if (depth > 0) {
      forms.push(
        () => `${inner()} AND ${inner()}`,
        () => `(${inner()} OR ${inner()})`,
        () => `NOT (${inner()})`,
        () => `NOT ${this.#pick(column, text)} IS ${not}NULL`,
      );
      if (this.#left-- > 0) {
        const other = this.#table();
        const wanted = this.#column([other]);
        const query = `SELECT ${wanted} FROM ${other.sql} WHERE ${wanted} IS NOT NULL`;
        forms.push(
          () => `${column} ${not}IN (${query})`,
          () => `${column} > (SELECT min(${wanted}) FROM ${other.sql})`,
        );
      }
    }
    return this.#pick(...forms)();
  }

  #value(tables: readonly Table[], depth: number): string {
    const column = this.#column(tables);
    if (depth <= 0) return column;
    return this.#pick(
      () => column,
      () => column,
      () => `coalesce(${column}, ${this.#constant()})`,
      () => `${column} ${this.#pick("+", "-", "*")} ${this.#column(tables)}`,
      () => `CASE WHEN ${this.#condition(tables, 0)} THEN ${column} ELSE ${this.#constant()} END`,
    )();
  }

  #term(tables: readonly Table[]): string {
    return this.#column(tables) + this.#pick("", " NULLS FIRST", " DESC NULLS LAST");
  }

  #column(tables: readonly Table[], kind: "number" | "text" = "number"): string {
    const all = tables.flatMap(({ alias, columns }) =>
      Object.keys(columns).flatMap((name) => (columns[name] === kind ? [`${alias}.${name}`] : [])),
    );
    return all.length > 0 ? this.#pick(...all) : "'x'";
  }

  #named(outputs: readonly string[]): string {
    return outputs.map((output, at) => `${output} AS c${String(at + 1)}`).join(", ");
  }

  #constant(): string {
    return String(this.#number(0, 25));
  }

  #number(min: number, max: number): number {
    return this.#g(fc.integer, { min, max });
  }

  #chance(percent: number): boolean {
    return this.#number(0, 99) < percent;
  }

  #pick<Item>(...items: Item[]): Item {
    return items[this.#number(0, items.length - 1)]!;
  }
}
