// Suggests questions about an agent's data.
import {
  splitIntoWords,
  findCounted,
  isPlural,
  knowledgeBaseName,
  formatMeasure,
  plural,
  findRowNoun,
  singular,
} from "./questionNouns.ts";

export interface ConnectedData {
  tables: {
    /** Without its data source. */
    name: string;
    columns: string[];
    /** A few rows; empty if they could not be read. */
    rows: unknown[][];
  }[];
  knowledgeBases: {
    name: string;
    /** Topics of some of its texts, like their titles; empty if unknown. */
    subjects: string[];
  }[];
}

/** The questions in the user's language, with names as words. */
export interface QuestionTexts {
  /** `group` is in the singular, like "neighborhood". */
  highestAverage: (group: string, measure: string) => string;
  /** Both are in the plural, like "neighborhoods" and "parks". */
  maxQuestions: (groups: string, counted: string) => string;
  highest: (measure: string) => string;
  count: (rows: string) => string;
  /** For a table whose name is not a noun. */
  countOfTable: (table: string) => string;
  aboutOne: (knowledgeBase: string, subject: string) => string;
  /** For a name in the plural. */
  aboutSeveral: (knowledgeBase: string, subject: string) => string;
  topicsOfOne: (knowledgeBase: string) => string;
  topicsOfSeveral: (knowledgeBase: string) => string;
}

const maxSuggestions = 4;

/** Returns at most four questions; none for an agent without data. */
export function suggestQuestions(data: ConnectedData, texts: QuestionTexts): string[] {
  const ofTables = data.tables.map((table) => suggestForTable(table, texts));
  const ofBases = data.knowledgeBases.map((base) => questionsOfBase(base, texts));
  // Alternates, so that every item gets a question before any gets a second one.
  const all = [...ofTables, ...ofBases];
  const longest = Math.max(0, ...all.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, n) => all.flatMap((one) => one[n] ?? []));
  return [...new Set(inTurn.flat())].slice(0, maxSuggestions);
}

type Table = ConnectedData["tables"][number];

function suggestForTable({ name, columns, rows }: Table, texts: QuestionTexts): string[] {
  const valuesOf = (column: number) =>
    rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
  const numbers = columns.filter((column, at) => {
    const values = valuesOf(at);
    return values.length > 0 && values.every(isNumber) && !isKey(column);
  });
  const groups = columns.filter((column, at) => isGroup(column, valuesOf(at)));
  // The most interesting column is usually the last one.
  const last = numbers.at(-1);
  const measure = last === undefined ? undefined : formatMeasure(last);
  const group = groups[0] === undefined ? undefined : singular(splitIntoWords(groups[0]));
  // Uses another column for the second question, if there is one.
  const other = groups[1] === undefined ? group : singular(splitIntoWords(groups[1]));
  const counted = last === undefined ? undefined : findCounted(last);
  const noun = findRowNoun(name);
  return [
    ...(measure && group ? [texts.highestAverage(group, measure)] : []),
    ...(other && noun ? [texts.maxQuestions(plural(other), noun)] : []),
    ...(counted && noun ? [texts.maxQuestions(noun, counted)] : []),
    ...(measure && !counted ? [texts.highest(measure)] : []),
    noun ? texts.count(noun) : texts.countOfTable(splitIntoWords(name)),
  ];
}

/** True if a column's values divide the rows into a few groups. */
function isGroup(column: string, values: unknown[]): boolean {
  const isText = values.some((value) => typeof value === "string" && !isNumber(value));
  if (!isText || isKey(column) || new Set(values).size === values.length) return false;
  return !values.every((value) =>
    /^(?:yes|no|true|false|[yntf]|\d{4}-\d\d.*)$/is.test(String(value)),
  );
}

function questionsOfBase(
  { name, subjects }: ConnectedData["knowledgeBases"][number],
  texts: QuestionTexts,
): string[] {
  const base = knowledgeBaseName(name);
  const isMany = isPlural(base);
  if (subjects.length === 0) {
    return [isMany ? texts.topicsOfSeveral(base) : texts.topicsOfOne(base)];
  }
  const about = isMany ? texts.aboutSeveral : texts.aboutOne;
  return subjects.slice(0, 2).map((subject) => about(base, subject));
}

function isNumber(value: unknown): boolean {
  if (typeof value === "number") return true;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}

function isKey(column: string): boolean {
  return /(^|[_ ])(id|key|code|zip|year)$/i.test(column);
}
