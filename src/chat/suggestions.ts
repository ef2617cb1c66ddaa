// Questions to begin with, made from what an agent is connected to: a newcomer sees what can be asked at all.

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
  averagePer: (measure: string, group: string) => string;
  highest: (measure: string, table: string) => string;
  count: (table: string) => string;
  about: (knowledgeBase: string, subject: string) => string;
  whatIsIn: (knowledgeBase: string) => string;
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
  const groups = columns.filter((column, at) => {
    const values = valuesOf(at);
    const isText = values.some((value) => typeof value === "string" && !isNumber(value));
    return isText && !isKey(column) && new Set(values).size < values.length;
  });
  // What a table is about mostly stands last in it.
  const measure = numbers.at(-1);
  const [group] = groups;
  const table = asWords(name);
  return [
    ...(measure && group ? [words.averagePer(asWords(measure), asWords(group))] : []),
    ...(measure ? [words.highest(asWords(measure), table)] : []),
    words.count(table),
  ];
}

function questionsOfBase(
  { name, subjects }: ConnectedData["knowledgeBases"][number],
  words: QuestionWords,
): string[] {
  const base = asWords(name);
  if (subjects.length === 0) return [words.whatIsIn(base)];
  return subjects.slice(0, 2).map((subject) => words.about(base, subject));
}

function isNumber(value: unknown): boolean {
  if (typeof value === "number") return true;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}

function isKey(column: string): boolean {
  return /(^|[_ ])(id|key|code|zip|year)$/i.test(column);
}

function asWords(name: string): string {
  return name.replace(/_+/g, " ").trim();
}
