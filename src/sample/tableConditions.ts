// The conditions that a question states on the columns of a table: names that occur in it, rooms, "under 2000".
import { textOf } from "./state.ts";
import type { Table } from "./state.ts";

/** A condition on one column, in SQL. */
export interface TableCondition {
  column: string;
  sql: string;
  /** How many values it allows, if it names them. */
  values: number;
}

const numberWords = "zero one two three four five six seven eight nine ten".split(" ");

/** A number in digits or as a word up to ten; `source` has one group. */
export const numeral = {
  source: `((?<!\\d)\\d+|\\b(?:${numberWords.join("|")}))`,
  read(text: string): number {
    const spelled = numberWords.indexOf(text.toLowerCase());
    return spelled >= 0 ? spelled : Number(text.replaceAll(",", ""));
  },
};

const comparisons: [words: string, operator: string][] = [
  ["under|below|less than|fewer than|cheaper than", "<"],
  ["over|above|more than", ">"],
  ["at least", ">="],
  ["at most|up to|no more than", "<="],
];
const anyComparison = comparisons.map(([words]) => words).join("|");

function operatorOf(words: string | undefined): string {
  if (words === undefined) return "=";
  const found = comparisons.find(([known]) => known.split("|").includes(words.toLowerCase()));
  return found?.[1] ?? "=";
}

/** What a question says of the table's columns: those of text first, one condition for each. */
export function readConditions(table: Table, question: string): TableCondition[] {
  const bounds = ["number_of_rooms", "number_of_bathrooms"].map((column) =>
    countCondition(table, column, question),
  );
  const found = [...textConditions(table, question), ...bounds, boundCondition(table, question)];
  return found.filter((condition) => condition !== undefined);
}

function textConditions(table: Table, question: string): TableCondition[] {
  return table.columns.flatMap((column, at) => {
    const values = [...new Set(table.rows.map((row) => row[at]))].filter(
      (value) => typeof value === "string",
    );
    const named = values.filter((value) => {
      const words = textOf(value).replaceAll("_", "[ _-]");
      const pattern = column === "location" ? `${words} locations?` : words;
      return new RegExp(`\\b${pattern}\\b`, "i").test(question);
    });
    const list = named.map((value) => `'${value}'`).join(", ");
    if (named.length === 0) return [];
    const sql = named.length === 1 ? `${column} = ${list}` : `${column} IN (${list})`;
    return [{ column, sql, values: named.length }];
  });
}

/** Like "two rooms", "more than 2 bathrooms", "three or more rooms". */
function countCondition(
  table: Table,
  column: string,
  question: string,
): TableCondition | undefined {
  if (!table.columns.includes(column)) return undefined;
  const unit = column === "number_of_rooms" ? "(?:bed)?rooms?" : "bathrooms?";
  const pattern = `(?:\\b(${anyComparison})\\s+)?${numeral.source}(\\s+or\\s+more)?[- ]${unit}\\b`;
  const [, words, number, orMore] = new RegExp(pattern, "i").exec(question) ?? [];
  if (number === undefined) return undefined;
  const operator = orMore === undefined ? operatorOf(words) : ">=";
  return { column, sql: `${column} ${operator} ${String(numeral.read(number))}`, values: 0 };
}

/** Like "under $2,000", "over 800 sqft", "between 1000 and 2000". */
function boundCondition(table: Table, question: string): TableCondition | undefined {
  if (!table.columns.includes("rental_price")) return undefined;
  const amount = "\\$?(\\d[\\d,]*)(?![\\d,])(?![- ]*(?:bed|bath)?rooms?)";
  const unit = "(?:\\s*(sqft|square|days?))?";
  const range = new RegExp(`\\bbetween\\s+${amount}\\s+and\\s+${amount}${unit}`, "i");
  const [, low, high, rangeUnit] = range.exec(question) ?? [];
  if (low !== undefined && high !== undefined) {
    const column = columnOf(rangeUnit);
    const sql = `${column} BETWEEN ${String(numeral.read(low))} AND ${String(numeral.read(high))}`;
    return { column, sql, values: 0 };
  }
  const bound = new RegExp(`\\b(${anyComparison})\\s+${amount}${unit}`, "i");
  const [, words, limit, boundUnit] = bound.exec(question) ?? [];
  if (limit === undefined) return undefined;
  const column = columnOf(boundUnit);
  return {
    column,
    sql: `${column} ${operatorOf(words)} ${String(numeral.read(limit))}`,
    values: 0,
  };
}

function columnOf(unit: string | undefined): string {
  if (unit === undefined) return "rental_price";
  return /^days?$/i.test(unit) ? "days_on_market" : "sqft";
}
