// Turns what a question asks of a table into SQL, and its result into words.
import { textOf } from "./state.ts";
import type { Relation } from "./state.ts";
import { average, type Aggregate, type TableRequest } from "./tableRequest.ts";

/** A query that answers a question. A `final` one gives the rows asked for, so they are the answer. */
export interface TableQuery {
  purpose: string;
  sql: string;
  final: boolean;
  say: (result: Relation) => string;
}

/** A request with its names. `where` and `filters` say the same in SQL and in words. */
interface Wanted {
  noun: string;
  name: string;
  columns: string[];
  measure: string;
  group: string | undefined;
  where: string;
  filters: string;
}

/** The query for a request. */
export function queryFor({ table, intent, measure, group, conditions }: TableRequest): TableQuery {
  const all = conditions.map(({ sql }) => sql);
  const wanted: Wanted = {
    noun: table.noun[0] ?? "rows",
    name: `${table.source}.${table.name}`,
    columns: table.columns,
    // What a table is about mostly stands last in it.
    measure: measure ?? table.columns.at(-1) ?? "",
    group,
    where: all.length > 0 ? ` WHERE ${all.join(" AND ")}` : "",
    filters: all.length > 0 ? ` with ${all.join(" and ").replaceAll("'", "")}` : "",
  };
  switch (intent.kind) {
    case "count":
      return count(wanted);
    case "countByGroup":
      return group === undefined ? count(wanted) : countByGroup(wanted, group, intent.descending);
    case "values":
      return group === undefined ? count(wanted) : listValues(wanted, group);
    case "aggregate":
      return group === undefined
        ? single(wanted, intent.aggregate)
        : compareGroups(wanted, group, intent.aggregate, intent.aggregate.sql !== "MIN");
    case "rank":
      return group === undefined
        ? rank(wanted, intent.limit, intent.descending)
        : compareGroups(wanted, group, average, intent.descending);
    case "list":
      return list(wanted, intent.limit);
  }
}

function count({ noun, name, group, where, filters }: Wanted): TableQuery {
  if (group === undefined) {
    return {
      purpose: `Count the ${noun}`,
      sql: `SELECT COUNT(*) AS n FROM ${name}${where}`,
      final: false,
      say: ({ rows }) => `There are **${shown(rows[0]?.[0])}** ${noun}${filters} in \`${name}\`.`,
    };
  }
  return {
    purpose: `Count the ${noun} by ${group}`,
    sql: `SELECT ${group}, COUNT(*) AS n FROM ${name}${where} GROUP BY ${group} ORDER BY n DESC`,
    final: false,
    say: (result) => `The ${noun}${filters} by \`${group}\`:\n\n${markdownTable(result)}`,
  };
}

function countByGroup(
  { noun, name, where, filters }: Wanted,
  group: string,
  descending: boolean,
): TableQuery {
  return {
    purpose: `Count the ${noun} by ${group}`,
    sql: `SELECT ${group}, COUNT(*) AS n FROM ${name}${where} GROUP BY ${group} ORDER BY n ${descending ? "DESC" : "ASC"}`,
    final: false,
    say(result) {
      const [first, n] = result.rows[0] ?? [];
      const lead = `The ${descending ? "most" : "fewest"} ${noun}${filters}, **${shown(n)}**, are in **${shown(first)}**.`;
      return `${lead}\n\n${markdownTable(result)}`;
    },
  };
}

function listValues({ noun, name, where, filters }: Wanted, group: string): TableQuery {
  return {
    purpose: `List the values of ${group}`,
    sql: `SELECT ${group}, COUNT(*) AS n FROM ${name}${where} GROUP BY ${group} ORDER BY ${group}`,
    final: false,
    say: (result) =>
      `There are **${shown(result.rows.length)}** values of \`${group}\` among the ${noun}${filters}:\n\n${markdownTable(result)}`,
  };
}

function compareGroups(
  { noun, name, measure, where, filters }: Wanted,
  group: string,
  aggregate: Aggregate,
  descending: boolean,
): TableQuery {
  const alias = `${aggregate.name}_${measure}`;
  const select = `SELECT ${group}, ${aggregate.sql}(${measure}) AS ${alias}, COUNT(*) AS n FROM ${name}${where}`;
  const isExtreme = aggregate.sql === "MAX" || aggregate.sql === "MIN";
  const order = descending ? "highest" : "lowest";
  const what = isExtreme ? aggregate.name : `${order} ${aggregate.name}`;
  return {
    purpose: `Compare the ${aggregate.name} ${measure} by ${group}`,
    sql: `${select} GROUP BY ${group} ORDER BY ${alias} ${descending ? "DESC" : "ASC"}`,
    final: false,
    say(result) {
      const [first, value] = result.rows[0] ?? [];
      const lead = `The ${what} \`${measure}\` of ${noun}${filters} is **${shown(value)}**, in **${shown(first)}**.`;
      return `${lead}\n\n${markdownTable(result)}`;
    },
  };
}

function rank(
  { noun, name, columns, measure, where, filters }: Wanted,
  limit: number,
  descending: boolean,
): TableQuery {
  const purpose = `List the ${limit} ${noun} with the ${descending ? "highest" : "lowest"} ${measure}`;
  const order = `ORDER BY ${measure} ${descending ? "DESC" : "ASC"} LIMIT ${limit}`;
  return {
    purpose,
    sql: `SELECT ${columns.join(", ")} FROM ${name}${where} ${order}`,
    final: true,
    say: (result) => `The ${noun}${filters} asked for:\n\n${markdownTable(result, limit)}`,
  };
}

function single({ noun, name, measure, where, filters }: Wanted, aggregate: Aggregate): TableQuery {
  return {
    purpose: `Work out the ${aggregate.name} ${measure}`,
    sql: `SELECT ${aggregate.sql}(${measure}) AS ${aggregate.name}, COUNT(*) AS n FROM ${name}${where}`,
    final: false,
    say({ rows }) {
      const [value, n] = rows[0] ?? [];
      return `The ${aggregate.name} \`${measure}\` is **${shown(value)}**, over ${shown(n)} ${noun}${filters}.`;
    },
  };
}

function list({ noun, name, columns, where, filters }: Wanted, limit: number): TableQuery {
  return {
    purpose: `List the ${noun}${filters}`,
    sql: `SELECT ${columns.join(", ")} FROM ${name}${where} LIMIT ${limit}`,
    final: true,
    say: (result) => `The ${noun}${filters} asked for:\n\n${markdownTable(result, limit)}`,
  };
}

/** A relation as a Markdown table of at most that many rows. */
export function markdownTable(relation: Relation, limit = 12): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rows = relation.rows
    .slice(0, limit)
    .map((row) => line(row.map((cell) => shown(cell).replaceAll("|", "\\|"))));
  const isNumber = relation.columns.map((_, i) => typeof relation.rows[0]?.[i] === "number");
  return [
    line(relation.columns),
    line(isNumber.map((right) => (right ? "---:" : "---"))),
    ...rows,
  ].join("\n");
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toFixed(1))) : textOf(value);
}
