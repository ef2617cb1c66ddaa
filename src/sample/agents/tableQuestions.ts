// Converts a table request to SQL, and the query result to an answer in text.
import { formatValue } from "../server/state.ts";
import type { Relation } from "../server/state.ts";
import { average, type Aggregate, type TableRequest } from "./tableRequest.ts";

/** A query that answers a question. If it is `final`, its rows are the answer; otherwise `say` formats the answer. */
export interface TableQuery {
  purpose: string;
  sql: string;
  final: boolean;
  say: (result: Relation) => string;
}

/** The parts of a request for SQL and answers. `where` is the conditions in SQL, `filters` the same in words. */
interface Wanted {
  noun: string;
  name: string;
  columns: string[];
  measure: string;
  group: string | undefined;
  where: string;
  filters: string;
}

/** Builds the query for a request. */
export function queryFor({ table, intent, measure, group, conditions }: TableRequest): TableQuery {
  const all = conditions.map(({ sql }) => sql);
  const wanted: Wanted = {
    noun: table.noun[0] ?? "rows",
    name: `${table.source}.${table.name}`,
    columns: table.columns,
    // By convention the last column of a sample table is its main measure.
    measure: measure ?? table.columns.at(-1) ?? "",
    group,
    where: all.length > 0 ? ` WHERE ${all.join(" AND ")}` : "",
    filters: all.length > 0 ? ` with ${all.join(" and ").replaceAll("'", "")}` : "",
  };
  switch (intent.kind) {
    case "count":
      return countRows(wanted);
    case "countByGroup":
      return group === undefined
        ? countRows(wanted)
        : countByGroup(wanted, group, intent.descending);
    case "values":
      return group === undefined ? countRows(wanted) : listValues(wanted, group);
    case "aggregate":
      return group === undefined
        ? aggregateRows(wanted, intent.aggregate)
        : compareGroups(wanted, group, intent.aggregate, intent.aggregate.sql !== "MIN");
    case "rank":
      return group === undefined
        ? rankRows(wanted, intent.limit, intent.descending)
        : compareGroups(wanted, group, average, intent.descending);
    case "list":
      return listRows(wanted, intent.limit);
  }
}

function countRows({ noun, name, group, where, filters }: Wanted): TableQuery {
  if (group === undefined) {
    return {
      purpose: `Count the ${noun}`,
      sql: `SELECT COUNT(*) AS n FROM ${name}${where}`,
      final: false,
      say: ({ rows }) =>
        `There are **${formatCell(rows[0]?.[0])}** ${noun}${filters} in \`${name}\`.`,
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
      const lead = `The ${descending ? "most" : "fewest"} ${noun}${filters}, **${formatCell(n)}**, are in **${formatCell(first)}**.`;
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
      `There are **${formatCell(result.rows.length)}** values of \`${group}\` among the ${noun}${filters}:\n\n${markdownTable(result)}`,
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
      const lead = `The ${what} \`${measure}\` of ${noun}${filters} is **${formatCell(value)}**, in **${formatCell(first)}**.`;
      return `${lead}\n\n${markdownTable(result)}`;
    },
  };
}

function rankRows(
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

function aggregateRows(
  { noun, name, measure, where, filters }: Wanted,
  aggregate: Aggregate,
): TableQuery {
  return {
    purpose: `Work out the ${aggregate.name} ${measure}`,
    sql: `SELECT ${aggregate.sql}(${measure}) AS ${aggregate.name}, COUNT(*) AS n FROM ${name}${where}`,
    final: false,
    say({ rows }) {
      const [value, n] = rows[0] ?? [];
      return `The ${aggregate.name} \`${measure}\` is **${formatCell(value)}**, over ${formatCell(n)} ${noun}${filters}.`;
    },
  };
}

function listRows({ noun, name, columns, where, filters }: Wanted, limit: number): TableQuery {
  return {
    purpose: `List the ${noun}${filters}`,
    sql: `SELECT ${columns.join(", ")} FROM ${name}${where} LIMIT ${limit}`,
    final: true,
    say: (result) => `The ${noun}${filters} asked for:\n\n${markdownTable(result, limit)}`,
  };
}

/** Formats a relation as a Markdown table of at most `limit` rows. */
export function markdownTable(relation: Relation, limit = 12): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rows = relation.rows
    .slice(0, limit)
    .map((row) => line(row.map((cell) => formatCell(cell).replaceAll("|", "\\|"))));
  const isNumber = relation.columns.map((_, i) => typeof relation.rows[0]?.[i] === "number");
  return [
    line(relation.columns),
    line(isNumber.map((right) => (right ? "---:" : "---"))),
    ...rows,
  ].join("\n");
}

function formatCell(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toFixed(1))) : formatValue(value);
}
