// Questions about the numbers in a table: simple rules that turn one into SQL and its result into words.
import { textOf } from "./state.ts";
import type { Relation, Table } from "./state.ts";

/** A query that answers a question. A `final` one gives the rows asked for, so they are the answer. */
export interface TableQuery {
  purpose: string;
  sql: string;
  final: boolean;
  say: (result: Relation) => string;
}

/** What a question asks of a table. `where` and `filters` say the same in SQL and in words. */
interface Wanted {
  noun: string;
  name: string;
  columns: string[];
  measure: string;
  group: string | undefined;
  where: string;
  filters: string;
}

interface Aggregate {
  words: RegExp;
  sql: string;
  name: string;
}

const average: Aggregate = {
  words: /\b(average|mean|typical(ly)?)\b/i,
  sql: "AVG",
  name: "average",
};
const total: Aggregate = { words: /\b(total|sum)\b/i, sql: "SUM", name: "total" };
const aggregates: Aggregate[] = [
  average,
  total,
  { words: /\b(highest|maximum|max|most|top)\b/i, sql: "MAX", name: "highest" },
  { words: /\b(lowest|minimum|min|least)\b/i, sql: "MIN", name: "lowest" },
];

const numberWords = "zero one two three four five six seven eight nine ten".split(" ");
const anyNumber = `((?<!\\d)\\d+|${numberWords.join("|")})`;

/**
 * The query for a question about numbers in one of the tables: the one whose words it has most of. `before` is what was
 * asked in the same breath: its conditions go on where the question states none of its own.
 */
export function askTables(tables: Table[], question: string, before = ""): TableQuery | undefined {
  const [best] = tables
    .map((table) => ({ table, words: wordsShared(table, question) }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words);
  return best && askTable(best.table, question, before);
}

function wordsShared(table: Table, question: string): number {
  const noun = new RegExp(`\\b(${table.noun.join("|")})\\b`, "i");
  return [noun, ...Object.values(table.words)].filter((words) => words.test(question)).length;
}

function askTable(table: Table, question: string, before: string): TableQuery | undefined {
  const group = groupIn(table, question);
  const own = conditionsIn(table, question);
  // What compares all groups is not about one of them.
  const conditions = own.length > 0 || group !== undefined ? own : conditionsIn(table, before);
  const wanted: Wanted = {
    noun: table.noun[0] ?? "rows",
    name: `${table.source}.${table.name}`,
    columns: table.columns,
    measure: measureIn(table, question),
    group,
    where: conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "",
    filters: conditions.length > 0 ? ` with ${conditions.join(" and ").replaceAll("'", "")}` : "",
  };
  const ranking = /\b(cheap\w*|small\w*|expensive|large\w*|bigg\w*)\b/i.exec(question)?.[1];
  const descending = !/^(cheap|small)/i.test(ranking ?? "");
  const aggregate = aggregates.find(({ words }) => words.test(question));
  const counted = /\b(?:how many|count(?: of)?|number of)\s+(\w+)/i.exec(question)?.[1];
  if (!aggregate && counted !== undefined) {
    return table.words[wanted.measure]?.test(counted) ? single(wanted, total) : count(wanted);
  }
  if (wanted.group !== undefined && (aggregate ?? ranking) !== undefined) {
    const compared = ranking === undefined && aggregate ? aggregate : average;
    return compareGroups(wanted, wanted.group, compared, descending);
  }
  if (ranking !== undefined) return rank(wanted, countIn(question), descending);
  return aggregate && single(wanted, aggregate);
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
    say: (result) => `The ${noun}${filters} asked for:\n\n${markdownTable(result)}`,
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

/** The column after "by", "per" or "each", or the one that "which" asks for. */
function groupIn(table: Table, question: string): string | undefined {
  const asked = /\b(?:by|per|each|every|which|what)\s+(?:the\s+|number of\s+)?(\w+)/gi;
  for (const [, word = ""] of question.matchAll(asked)) {
    const column = Object.entries(table.words).find(([, words]) => words.test(word))?.[0];
    if (column !== undefined && (isText(table, column) || column.startsWith("number_of"))) {
      return column;
    }
  }
  return undefined;
}

/** The number a question is about: the first column whose words it has, else the last column. */
function measureIn(table: Table, question: string): string {
  const numbers = Object.entries(table.words).filter(([column]) => !isText(table, column));
  const found = numbers.find(([, words]) => words.test(question))?.[0];
  return found ?? table.columns.at(-1) ?? "";
}

function isText(table: Table, column: string): boolean {
  return typeof table.rows[0]?.[table.columns.indexOf(column)] === "string";
}

/** Conditions a question states: names that occur in the table, rooms, "under 2000", "over 800 sqft". */
function conditionsIn(table: Table, question: string): string[] {
  const found: string[] = [];
  table.columns.forEach((column, at) => {
    if (!isText(table, column)) return;
    for (const value of new Set(table.rows.map((row) => textOf(row[at])))) {
      const words = value.replaceAll("_", "[ _-]");
      const named = column === "location" ? `${words} locations?` : words;
      if (new RegExp(`\\b${named}\\b`, "i").test(question)) found.push(`${column} = '${value}'`);
    }
  });
  const rooms = new RegExp(`${anyNumber}[- ](?:bed)?rooms?\\b`, "i").exec(question)?.[1];
  if (rooms !== undefined && table.columns.includes("number_of_rooms")) {
    found.push(`number_of_rooms = ${toNumber(rooms)}`);
  }
  const bound =
    /\b(under|below|less than|over|above|more than)\s+\$?([\d,]+)(\s*(?:sqft|square))?/i;
  const [, word = "", limit, isSize] = bound.exec(question) ?? [];
  if (limit !== undefined && table.columns.includes("rental_price")) {
    const operator = /^(under|below|less)/i.test(word) ? "<" : ">";
    found.push(
      `${isSize ? "sqft" : "rental_price"} ${operator} ${Number(limit.replaceAll(",", ""))}`,
    );
  }
  return found;
}

/** How many rows a ranking asks for: five unless it says. */
function countIn(question: string): number {
  const asked = new RegExp(`${anyNumber}(?=\\s+(most|cheap|small|expensive|larg|big))`, "i");
  const word = asked.exec(question)?.[1];
  return word === undefined ? 5 : Math.max(1, toNumber(word));
}

function toNumber(word: string): number {
  const spelled = numberWords.indexOf(word.toLowerCase());
  return spelled >= 0 ? spelled : Number(word);
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
