// Converts a table request to SQL, and the query result to an answer in text.
import { filesSource, formatValue } from "../server/state.ts";
import type { Relation } from "../server/state.ts";
import { quoteColumn } from "./tableConditions.ts";
import { average, type TableRequest } from "./tableRequest.ts";

/** A query that answers a question. If it is `final`, its rows are the answer; otherwise `say` formats the answer. */
export interface TableQuery {
  purpose: string;
  sql: string;
  final: boolean;
  say: (result: Relation) => string;
}

export function queryFor(request: TableRequest): TableQuery {
  return request.group === undefined ? queryRows(request) : queryGroups(request, request.group);
}

/** The parts of a request: what follows SELECT's columns, the measure, and the rows in words. */
function readParts({ table, measure, conditions }: TableRequest): {
  from: string;
  measure: string;
  noun: string;
  nouns: string;
} {
  const all = conditions.map(({ sql }) => sql);
  const noun = table.noun[0] ?? "rows";
  const where = all.length > 0 ? ` WHERE ${all.join(" AND ")}` : "";
  const filters = all.length > 0 ? ` with ${all.join(" and ").replaceAll("'", "")}` : "";
  return {
    from: `FROM ${filesSource}.${table.name}${where}`,
    // By convention the last column of a sample table is its main measure.
    measure: measure ?? table.columns.at(-1) ?? "",
    noun,
    nouns: `${noun}${filters}`,
  };
}

function queryRows(request: TableRequest): TableQuery {
  const { table, intent } = request;
  const { from, measure, noun, nouns } = readParts(request);
  const listRows = (purpose: string, limit: number, order = ""): TableQuery => ({
    purpose,
    sql: `SELECT ${table.columns.map(quoteColumn).join(", ")} ${from}${order} LIMIT ${limit}`,
    final: true,
    say: (result) => `Here are the ${nouns}:\n\n${markdownTable(result, limit)}`,
  });
  switch (intent.kind) {
    case "list":
      return listRows(`List the ${nouns}`, intent.limit);
    case "rank": {
      const [order, word] = intent.descending ? ["DESC", "highest"] : ["ASC", "lowest"];
      const purpose = `List the ${intent.limit} ${noun} with the ${word} ${measure}`;
      return listRows(purpose, intent.limit, ` ORDER BY ${quoteColumn(measure)} ${order}`);
    }
    case "aggregate": {
      const { name, sql } = intent.aggregate;
      return {
        purpose: `Calculate the ${name} ${measure}`,
        sql: `SELECT ${sql}(${quoteColumn(measure)}) AS ${name}, COUNT(*) AS n ${from}`,
        final: false,
        say({ rows }) {
          const [value, n] = (rows[0] ?? []).map(formatCell);
          if (n === "0") return `There are no ${nouns}.`;
          return `The ${name} \`${measure}\` is **${value}**, over ${n} ${nouns}.`;
        },
      };
    }
    case "count":
    case "countByGroup":
    case "values":
      return {
        purpose: `Count the ${noun}`,
        sql: `SELECT COUNT(*) AS n ${from}`,
        final: false,
        say: ({ rows }) =>
          `There are **${formatCell(rows[0]?.[0])}** ${nouns} in \`${filesSource}.${table.name}\`.`,
      };
  }
}

function queryGroups(request: TableRequest, group: string): TableQuery {
  const { intent } = request;
  const { from, measure, noun, nouns } = readParts(request);
  const column = quoteColumn(group);
  const compare = (
    purpose: string,
    [more, order]: [more: string, order: string],
    lead: (first: unknown[], groups: number) => string,
  ): TableQuery => ({
    purpose,
    sql: `SELECT ${column}, ${more}COUNT(*) AS n ${from} GROUP BY ${column} ORDER BY ${order}`,
    final: false,
    say(result) {
      const { rows } = result;
      if (rows.length === 0) return `There are no ${nouns}.`;
      return `${lead(rows[0] ?? [], rows.length)}\n\n${markdownTable(result)}`;
    },
  });
  switch (intent.kind) {
    case "list":
      return queryRows(request);
    case "count":
      return compare(
        `Count the ${noun} by ${group}`,
        ["", "n DESC"],
        () => `The ${nouns} by \`${group}\`:`,
      );
    case "countByGroup": {
      const [order, word] = intent.descending ? ["DESC", "most"] : ["ASC", "fewest"];
      return compare(
        `Count the ${noun} by ${group}`,
        ["", `n ${order}`],
        ([first, n]) =>
          `The ${word} ${nouns}, **${formatCell(n)}**, are in **${formatCell(first)}**.`,
      );
    }
    case "values":
      return compare(
        `List the values of ${group}`,
        ["", column],
        (_, groups) => `There are **${groups}** values of \`${group}\` among the ${nouns}:`,
      );
    case "aggregate":
    case "rank": {
      const { name, sql } = intent.kind === "aggregate" ? intent.aggregate : average;
      const descending = intent.kind === "rank" ? intent.descending : sql !== "MIN";
      const [order, word] = descending ? ["DESC", "highest"] : ["ASC", "lowest"];
      const what = sql === "MAX" || sql === "MIN" ? name : `${word} ${name}`;
      const alias = quoteColumn(`${name}_${measure}`);
      return compare(
        `Compare the ${name} ${measure} by ${group}`,
        [`${sql}(${quoteColumn(measure)}) AS ${alias}, `, `${alias} ${order}`],
        ([first, value]) =>
          `The ${what} \`${measure}\` of ${nouns} is **${formatCell(value)}**, in **${formatCell(first)}**.`,
      );
    }
  }
}

/** Formats a relation as a Markdown table of at most `limit` rows. */
export function markdownTable(relation: Relation, limit = 12): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rows = relation.rows
    .slice(0, limit)
    .map((row) => line(row.map((cell) => formatCell(cell).replaceAll("|", "\\|"))));
  const isNumber = relation.columns.map((_, i) => typeof relation.rows[0]?.[i] === "number");
  const rule = isNumber.map((right) => (right ? "---:" : "---"));
  return [line(relation.columns), line(rule), ...rows].join("\n");
}

function formatCell(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toFixed(1))) : formatValue(value);
}
