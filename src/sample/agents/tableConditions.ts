// Reads conditions on table columns from a question: values that occur in the table, room counts, "under 2000".
import { formatValue } from "../server/state.ts";
import type { Table } from "../server/state.ts";

/** A condition on one column, in SQL. */
export interface TableCondition {
  column: string;
  sql: string;
  /** How many values the question names; 0 for numeric conditions. */
  values: number;
}

const numberWords = "no one two three four five six seven eight nine ten".split(" ");

/** A number in digits or a number word up to ten. `source` is a pattern with one group. */
export const numeral = {
  source: `((?<!\\d)\\d+|\\b(?:zero|${numberWords.join("|")}))`,
  read(text: string): number {
    const spelled = numberWords.indexOf(text.toLowerCase().replace("zero", "no"));
    return spelled >= 0 ? spelled : Number(text.replaceAll(",", ""));
  },
};

const comparisons: [words: string, operator: string][] = [
  ["under|below|less than|fewer than|cheaper than|smaller than", "<"],
  ["over|above|more than|larger than|bigger than", ">"],
  ["at least", ">="],
  ["at most|up to|no more than", "<="],
];
const anyComparison = comparisons.map(([words]) => words).join("|");

function findOperator(words: string | undefined): string {
  if (words === undefined) return "=";
  const found = comparisons.find(([known]) => known.split("|").includes(words.toLowerCase()));
  return found?.[1] ?? "=";
}

/** A column as it is written in SQL. Uploaded tables can have any columns. */
export function quoteColumn(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : `\`${name}\``;
}

/** Reads the conditions of a question, at most one per text column, then those on numbers. */
export function readConditions(table: Table, question: string): TableCondition[] {
  const bounds = ["number_of_rooms", "number_of_bathrooms"].map((column) =>
    readCountCondition(table, column, question),
  );
  const found = [
    ...readTextConditions(table, question),
    ...bounds,
    readBoundCondition(table, question),
  ];
  return found.filter((condition) => condition !== undefined);
}

function readTextConditions(table: Table, question: string): TableCondition[] {
  return table.columns.flatMap((column, at) => {
    const values = [...new Set(table.rows.map((row) => row[at]))].filter(
      (value) => typeof value === "string",
    );
    const named = values.filter((value) => {
      const escaped = formatValue(value).replace(/[^\p{L}\p{N}_\s]/gu, "\\$&");
      const words = escaped.replaceAll("_", "[ _-]");
      const pattern = column === "location" ? `${words} locations?` : words;
      return new RegExp(`\\b${pattern}\\b`, "i").test(question);
    });
    const list = named.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ");
    if (named.length === 0) return [];
    const quoted = quoteColumn(column);
    const sql = named.length === 1 ? `${quoted} = ${list}` : `${quoted} IN (${list})`;
    return [{ column, sql, values: named.length }];
  });
}

const anywhere =
  /^(?:total|general|all|average|detail|english|sql|dollars?|euros?|order|town|city|data\w*|tables?|there|here|it|them|this|that)$/i;

/**
 * Reads the place at the end of a question, as in "… in Berlin?", that no row of the table names. Its condition matches
 * nothing: without it, the answer would be about all rows.
 */
export function readUnknownPlace(table: Table, question: string): TableCondition | undefined {
  const column = "neighborhood";
  if (!table.columns.includes(column) || readTextConditions(table, question).length > 0) {
    return undefined;
  }
  const name = String.raw`\p{L}[\p{L}\p{N}_'-]{0,60}`;
  const atEnd = new RegExp(
    String.raw`\b[Ii]n\s(?:the\s)?(${name}(?:\s\p{Lu}[\p{L}\p{N}_'-]{0,60}){0,3})\s?[?.!]{0,3}$`,
    "u",
  );
  const place = atEnd.exec(question.trim())?.[1];
  if (place === undefined || anywhere.test(place)) return undefined;
  const known = [...Object.values(table.words), new RegExp(`^(?:${table.noun.join("|")})$`, "i")];
  if (known.some((words) => words.test(place))) return undefined;
  return { column, sql: `${column} = '${place.replaceAll("'", "''")}'`, values: 1 };
}

/** Reads a number alone, as in "And with three?", as the count that the previous question was about. */
export function readNextCount(
  question: string,
  before: readonly TableCondition[],
): TableCondition | undefined {
  const counted = before.find(({ column }) => column.startsWith("number_of_"));
  const pattern = `^\\s*(?:and|what about|how about)\\s+(?:(?:those|homes|ones)\\s+)?(?:with\\s+|for\\s+)?${numeral.source}\\s*[?.!]*$`;
  const number = new RegExp(pattern, "i").exec(question)?.[1];
  if (!counted || number === undefined) return undefined;
  return { ...counted, sql: `${counted.column} = ${String(numeral.read(number))}` };
}

/** Reads phrases such as "two rooms", "more than 2 bathrooms" and "three or more rooms". */
function readCountCondition(
  table: Table,
  column: string,
  question: string,
): TableCondition | undefined {
  if (!table.columns.includes(column)) return undefined;
  const unit = column === "number_of_rooms" ? "(?:bed)?rooms?" : "bathrooms?";
  const pattern = `(?:\\b(${anyComparison})\\s+)?${numeral.source}(\\s+or\\s+more)?[- ]${unit}\\b`;
  const [, words, number, orMore] = new RegExp(pattern, "i").exec(question) ?? [];
  if (number === undefined) return undefined;
  const operator = orMore === undefined ? findOperator(words) : ">=";
  return { column, sql: `${column} ${operator} ${String(numeral.read(number))}`, values: 0 };
}

/** Reads phrases such as "under $2,000", "over 800 sqft" and "between 1000 and 2000". */
function readBoundCondition(table: Table, question: string): TableCondition | undefined {
  if (!table.columns.includes("rental_price")) return undefined;
  const amount = "\\$?(\\d[\\d,]*)(?![\\d,])(?![- ]*(?:bed|bath)?rooms?)";
  const unit = "(?:\\s*(sqft|square|days?))?";
  const range = new RegExp(`\\bbetween\\s+${amount}\\s+and\\s+${amount}${unit}`, "i");
  const [, low, high, rangeUnit] = range.exec(question) ?? [];
  if (low !== undefined && high !== undefined) {
    const column = findColumn(rangeUnit);
    const sql = `${column} BETWEEN ${String(numeral.read(low))} AND ${String(numeral.read(high))}`;
    return { column, sql, values: 0 };
  }
  const bound = new RegExp(`\\b(${anyComparison})\\s+${amount}${unit}`, "i");
  const [, words, limit, boundUnit] = bound.exec(question) ?? [];
  if (limit === undefined) return undefined;
  const column = findColumn(boundUnit);
  return {
    column,
    sql: `${column} ${findOperator(words)} ${String(numeral.read(limit))}`,
    values: 0,
  };
}

function findColumn(unit: string | undefined): string {
  if (unit === undefined) return "rental_price";
  return /^days?$/i.test(unit) ? "days_on_market" : "sqft";
}
