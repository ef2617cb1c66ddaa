// Reads from a question what it asks of a table, with simple rules. A follow-up inherits what it does not state from the
// previous question.
import {
  numeral,
  readConditions,
  readNextCount,
  readUnknownPlace,
  type TableCondition,
} from "./tableConditions.ts";
import type { Table } from "../server/state.ts";

interface Aggregate {
  words: RegExp;
  sql: string;
  name: string;
}

export const average: Aggregate = {
  words: /\b(average|mean|typical(ly)?)\b/i,
  sql: "AVG",
  name: "average",
};
const total: Aggregate = { words: /\b(total|sum)\b/i, sql: "SUM", name: "total" };
const aggregates: Aggregate[] = [
  average,
  total,
  { words: /\b(highest|maximum|max|most|top)\b/i, sql: "MAX", name: "highest" },
  { words: /\b(lowest|minimum|min|least|fewest)\b/i, sql: "MIN", name: "lowest" },
];

/** The intent of a question. */
type Intent =
  | { kind: "count" }
  /** The group with the most rows (descending) or the fewest. */
  | { kind: "countByGroup"; descending: boolean }
  /** The distinct values of the group column. */
  | { kind: "values" }
  | { kind: "aggregate"; aggregate: Aggregate }
  | { kind: "rank"; descending: boolean; limit: number }
  | { kind: "list"; limit: number };

export interface TableRequest {
  table: Table;
  intent: Intent;
  /** The numeric column that the question is about. */
  measure: string | undefined;
  /** The column whose values are compared. */
  group: string | undefined;
  conditions: TableCondition[];
}

/** The previous request, and whether the question depends on it. */
export interface Context {
  request: TableRequest | undefined;
  isFollowUp: boolean;
}

/** The maximum number of rows in an answer, as on real servers. */
const maxRows = 100;

/** Reads the request for the table that shares most words with the question; undefined if it is about no table. */
export function readRequest(
  tables: Table[],
  question: string,
  { request: before, isFollowUp }: Context = { request: undefined, isFollowUp: false },
): TableRequest | undefined {
  const isBefore = (table: Table): number => Number(isFollowUp && table === before?.table);
  const [best] = tables
    .map((table) => ({ table, words: countSharedWords(table, question) }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || isBefore(b.table) - isBefore(a.table));
  const table = best?.table ?? (isFollowUp ? before?.table : undefined);
  if (!table) return undefined;
  const nextCount = isFollowUp && readNextCount(question, before?.conditions ?? []);
  const own = nextCount ? [nextCount] : readConditions(table, question);
  const measure = readMeasure(table, question);
  const group = readGroup(table, question) ?? findComparedColumn(own);
  const intent = readIntent(table, question, group, own, measure);
  const unknown = readUnknownPlace(table, question);
  const stated = unknown ? [...own, unknown] : own;
  if (!isFollowUp || !before) {
    if (!intent) return undefined;
    // A comparison of all groups must not inherit a condition on one of them.
    const isOpen = stated.length === 0 && group === undefined;
    return {
      table,
      intent,
      measure,
      group,
      conditions: isOpen ? keepConditions(before, table) : stated,
    };
  }
  const isSilent = !intent && own.length === 0 && measure === undefined && group === undefined;
  if (isSilent) return undefined;
  const columns = stated.map(({ column }) => column);
  // few: the columns that a question names.
  const others = keepConditions(before, table).filter(({ column }) => !columns.includes(column));
  const isKept =
    before.group !== undefined &&
    table.columns.includes(before.group) &&
    !columns.includes(before.group) &&
    intent?.kind !== "count" &&
    intent?.kind !== "list";
  return {
    table,
    intent: intent ?? before.intent,
    measure: measure ?? (table === before.table ? before.measure : undefined),
    group: group ?? (isKept ? before.group : undefined),
    conditions: [...stated, ...others],
  };
}

/** Returns the conditions of the previous request whose columns this table has. */
function keepConditions(before: TableRequest | undefined, table: Table): TableCondition[] {
  // few: the columns that a question names.
  return (before?.conditions ?? []).filter(({ column }) => table.columns.includes(column));
}

function buildNounPattern(table: Table): string {
  return `(?:${table.noun.join("|")})`;
}

function countSharedWords(table: Table, question: string): number {
  const noun = new RegExp(`\\b${buildNounPattern(table)}\\b`, "i");
  return [noun, ...Object.values(table.words)].filter((words) => words.test(question)).length;
}

const superlative =
  "cheapest|cheaper|smallest|smaller|largest|larger|biggest|bigger|expensive|priciest";

function readIntent(
  table: Table,
  question: string,
  group: string | undefined,
  conditions: TableCondition[],
  measure: string | undefined,
): Intent | undefined {
  const noun = buildNounPattern(table);
  const has = (pattern: string): boolean => new RegExp(pattern, "i").test(question);
  const ofNoun = `\\b(cheap|small|large|big)(?=\\s+${noun}\\b)|\\b(cheap)\\b`;
  // "Larger than 1000" is a condition, "larger than the harbor" a comparison.
  const ranking = new RegExp(`\\b(${superlative})\\b(?! than \\$?\\d)|${ofNoun}`, "i").exec(
    question,
  )?.[0];
  const descending = !/^(cheap|small)/i.test(ranking ?? "") && !/least expensive/i.test(question);
  const most = new RegExp(`\\b(most|fewest|least)\\s+(?:home\\s+)?${noun}\\b`, "i").exec(question);
  if (group !== undefined && most) {
    return { kind: "countByGroup", descending: most[1]?.toLowerCase() === "most" };
  }
  // "The most parks" is nothing that a table without parks tells.
  const isMeasured = measure !== undefined || !/\b(?:most|least|fewest)\b/i.test(question);
  const aggregate =
    ranking === undefined && isMeasured
      ? aggregates.find(({ words }) => words.test(question))
      : undefined;
  const given = aggregates.slice(0, 2).find(({ words }) => words.test(question));
  if (ranking !== undefined && given && group === undefined) {
    return { kind: "aggregate", aggregate: given };
  }
  if (ranking !== undefined) {
    return { kind: "rank", descending, limit: readRankLimit(table, question) };
  }
  const counted = /\b(?:how many|count(?: of)?|number of)\s+(\w+)/i.exec(question)?.[1];
  if (!aggregate && counted !== undefined) {
    const isMeasure = measure !== undefined && table.words[measure]?.test(counted) === true;
    if (isMeasure) return { kind: "aggregate", aggregate: total };
    const isGroup = group === undefined ? false : table.words[group]?.test(counted) === true;
    const isNoun = new RegExp(`^${noun}$`, "i").test(counted);
    return { kind: isGroup && !isNoun ? "values" : "count" };
  }
  const isExtreme = aggregate?.sql === "MAX" || aggregate?.sql === "MIN";
  if (isExtreme && group === undefined && has(`\\b(?:which|what)\\s+${noun}\\b`)) {
    return {
      kind: "rank",
      descending: aggregate.sql === "MAX",
      limit: readRankLimit(table, question),
    };
  }
  if (aggregate) return { kind: "aggregate", aggregate };
  if (asksAmount(table, question, measure, conditions)) {
    return { kind: "aggregate", aggregate: average };
  }
  if (/\bcompare\b/i.test(question) && group !== undefined) {
    return { kind: "aggregate", aggregate: average };
  }
  const lists = "\\b(?:list|show|find|give)\\b";
  if (has(`${lists}[^]{0,300}\\b(?:${noun}|them|those)\\b|\\b(?:which|what)\\s+${noun}\\b`)) {
    const isOpen = !has(lists) && conditions.length === 0;
    if (!isOpen) return { kind: "list", limit: readLimit(table, question) ?? maxRows };
  }
  const isAsked = has(`${lists}|\\b(?:are there|do you have|there are|exist)\\b`);
  return group !== undefined && isAsked ? { kind: "values" } : undefined;
}

/** True for "How much is a flat in Old Town?", "What does a home cost?" and "price in harbor". */
function asksAmount(
  table: Table,
  question: string,
  measure: string | undefined,
  conditions: TableCondition[],
): boolean {
  const has = (pattern: string): boolean => new RegExp(pattern, "i").test(question);
  const noun = buildNounPattern(table);
  const isAboutRows = conditions.length > 0 || has(`\\b${noun}\\b`);
  if (measure === undefined) {
    const asked = "\\bhow much (?:is|are|for|does|do|would|will)\\b[^]{0,300}";
    return table.columns.includes("rental_price") && has(`${asked}\\b${noun}\\b`);
  }
  const amount = "(?:rental price|price|rent|cost)s?";
  if (has(`^\\s*(?:what(?:'s|s| is| are) )?(?:the )?${amount}\\s*[?.!]*$`)) return true;
  const asked =
    "\\bhow (?:much|long)\\b|\\bwhat(?: i|')s the\\b|" +
    `\\bwhat (?:do|does|will|would)\\b[^]{0,300}\\bcosts?\\b|^\\s*(?:the )?${amount} (?:in|for|of)\\b`;
  return isAboutRows && has(asked);
}

/** Returns the column of which the question names two or more values. */
function findComparedColumn(conditions: TableCondition[]): string | undefined {
  return conditions.find(({ values }) => values > 1)?.column;
}

/** Returns the column after a word such as "by", "per", "each" or "which". */
function readGroup(table: Table, question: string): string | undefined {
  const asked = new RegExp(
    "\\b(?:by|per|each|every|which is|which|what is|what|how many|list|show|compare)\\s+(?:are\\s+|all\\s+)?(?:the\\s+)?" +
      `(?:number of\\s+|(?:most\\s+|least\\s+)?(?:${superlative})\\s+)?(\\w+)`,
    "gi",
  );
  for (const [all, word = ""] of question.matchAll(asked)) {
    // few: the columns that the sample has words for.
    const column = Object.entries(table.words).find(([, words]) => words.test(word))?.[0];
    if (column === undefined || new RegExp(`^${buildNounPattern(table)}$`, "i").test(word)) {
      continue;
    }
    const isSum = /^how many/i.test(all);
    if (isText(table, column) || (column.startsWith("number_of") && !isSum)) return column;
  }
  return undefined;
}

/** Returns the first numeric column whose words occur in the question. */
function readMeasure(table: Table, question: string): string | undefined {
  const numbers = Object.entries(table.words).filter(([column]) => !isText(table, column));
  return numbers.find(([, words]) => words.test(question))?.[0];
}

function isText(table: Table, column: string): boolean {
  return typeof table.rows[0]?.[table.columns.indexOf(column)] === "string";
}

/** Returns how many rows a ranking asks for. Default: one for "the cheapest home", otherwise five. */
function readRankLimit(table: Table, question: string): number {
  const isOne = /\b(home|flat|apartment|listing|rental|which is)\b/i.test(question);
  return readLimit(table, question) ?? (isOne ? 1 : 5);
}

function readLimit(table: Table, question: string): number | undefined {
  const next = `(?:most|least|cheap\\w*|small\\w*|expensive|larg\\w*|big\\w*|${buildNounPattern(table)})`;
  const asked = new RegExp(`${numeral.source}(?=\\s+${next}\\b)`, "i").exec(question)?.[1];
  return asked === undefined ? undefined : Math.min(maxRows, Math.max(1, numeral.read(asked)));
}
