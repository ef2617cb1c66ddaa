// Suggested questions, made from what an agent is connected to: a newcomer sees what can be asked at all.
import {
  splitIntoWords,
  countedBy,
  isPlural,
  knowledgeBaseName,
  measureOf,
  plural,
  rowsOf,
  singular,
} from "./questionNouns.ts";

export interface ConnectedData {
  tables: {
    /** Without its data source. */
    name: string;
    columns: string[];
    /** A few of its rows; none where they could not be read. */
    rows: unknown[][];
  }[];
  knowledgeBases: {
    name: string;
    /** What some of its texts are about, like their titles; none where that is not known. */
    subjects: string[];
  }[];
}

/** The questions, in the user's language; the names in them are written as words. */
export interface QuestionWords {
  /** `group` is one of its kind, like "neighborhood". */
  highestAverage: (group: string, measure: string) => string;
  /** Both in the plural, like "neighborhoods" and "parks". */
  most: (groups: string, counted: string) => string;
  highest: (measure: string) => string;
  count: (rows: string) => string;
  /** For a table whose name is no noun. */
  countOfTable: (table: string) => string;
  aboutOne: (knowledgeBase: string, subject: string) => string;
  /** The same for a name in the plural. */
  aboutSeveral: (knowledgeBase: string, subject: string) => string;
  topicsOfOne: (knowledgeBase: string) => string;
  topicsOfSeveral: (knowledgeBase: string) => string;
}

const most = 4;

/** At most four questions; none for an agent without data. */
export function suggestQuestions(data: ConnectedData, words: QuestionWords): string[] {
  const ofTables = data.tables.map((table) => questionsOfTable(table, words));
  const ofBases = data.knowledgeBases.map((base) => questionsOfBase(base, words));
  // In turn, so that everything is asked about once before anything is asked about twice.
  const all = [...ofTables, ...ofBases];
  const longest = Math.max(0, ...all.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, n) => all.flatMap((one) => one[n] ?? []));
  return [...new Set(inTurn.flat())].slice(0, most);
}

type Table = ConnectedData["tables"][number];

function questionsOfTable({ name, columns, rows }: Table, words: QuestionWords): string[] {
  const valuesOf = (column: number) =>
    rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
  const numbers = columns.filter((column, at) => {
    const values = valuesOf(at);
    return values.length > 0 && values.every(isNumber) && !isKey(column);
  });
  const groups = columns.filter((column, at) => isGroup(column, valuesOf(at)));
  // What a table is about mostly stands last in it.
  const last = numbers.at(-1);
  const measure = last === undefined ? undefined : measureOf(last);
  const group = groups[0] === undefined ? undefined : singular(splitIntoWords(groups[0]));
  // The one that is asked about twice is another one, if there is one.
  const other = groups[1] === undefined ? group : singular(splitIntoWords(groups[1]));
  const counted = last === undefined ? undefined : countedBy(last);
  const noun = rowsOf(name);
  return [
    ...(measure && group ? [words.highestAverage(group, measure)] : []),
    ...(other && noun ? [words.most(plural(other), noun)] : []),
    ...(counted && noun ? [words.most(noun, counted)] : []),
    ...(measure && !counted ? [words.highest(measure)] : []),
    noun ? words.count(noun) : words.countOfTable(splitIntoWords(name)),
  ];
}

/** Whether a column's values say to which of a few groups a row belongs. */
function isGroup(column: string, values: unknown[]): boolean {
  const isText = values.some((value) => typeof value === "string" && !isNumber(value));
  if (!isText || isKey(column) || new Set(values).size === values.length) return false;
  return !values.every((value) =>
    /^(?:yes|no|true|false|[yntf]|\d{4}-\d\d.*)$/is.test(String(value)),
  );
}

function questionsOfBase(
  { name, subjects }: ConnectedData["knowledgeBases"][number],
  words: QuestionWords,
): string[] {
  const base = knowledgeBaseName(name);
  const isMany = isPlural(base);
  if (subjects.length === 0) {
    return [isMany ? words.topicsOfSeveral(base) : words.topicsOfOne(base)];
  }
  const about = isMany ? words.aboutSeveral : words.aboutOne;
  return subjects.slice(0, 2).map((subject) => about(base, subject));
}

function isNumber(value: unknown): boolean {
  if (typeof value === "number") return true;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}

function isKey(column: string): boolean {
  return /(^|[_ ])(id|key|code|zip|year)$/i.test(column);
}
