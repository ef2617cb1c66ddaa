// Suggests questions about an agent's data, in the user's language.
import * as l10n from "@vscode/l10n";
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

const maxSuggestions = 4;

/** Returns at most four questions; none for an agent without data. */
export function suggestQuestions(data: ConnectedData): string[] {
  const ofTables = data.tables.map((table) => suggestForTable(table));
  const ofBases = data.knowledgeBases.map((base) => suggestForKnowledgeBase(base));
  // Alternates, so that every item gets a question before any gets a second one.
  const all = [...ofTables, ...ofBases];
  const longest = Math.max(0, ...all.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, n) => all.flatMap((one) => one[n] ?? []));
  return [...new Set(inTurn.flat())].slice(0, maxSuggestions);
}

type Table = ConnectedData["tables"][number];

function suggestForTable({ name, columns, rows }: Table): string[] {
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
  const questions: string[] = [];
  if (measure && group) {
    questions.push(l10n.t("Which {0} has the highest average {1}?", group, measure));
  }
  if (other && noun) questions.push(l10n.t("Which {0} have the most {1}?", plural(other), noun));
  if (counted && noun) questions.push(l10n.t("Which {0} have the most {1}?", noun, counted));
  if (measure && !counted) questions.push(l10n.t("What is the highest {0}?", measure));
  questions.push(
    noun
      ? l10n.t("How many {0} are there?", noun)
      : l10n.t("How many rows does {0} have?", splitIntoWords(name)),
  );
  return questions;
}

/** True if a column's values divide the rows into a few groups. */
function isGroup(column: string, values: unknown[]): boolean {
  const isText = values.some((value) => typeof value === "string" && !isNumber(value));
  if (!isText || isKey(column) || new Set(values).size === values.length) return false;
  return !values.every((value) =>
    /^(?:yes|no|true|false|[yntf]|\d{4}-\d\d.*)$/is.test(String(value)),
  );
}

function suggestForKnowledgeBase({
  name,
  subjects,
}: ConnectedData["knowledgeBases"][number]): string[] {
  const base = knowledgeBaseName(name);
  const isMany = isPlural(base);
  if (subjects.length === 0) {
    return [
      isMany
        ? l10n.t("What topics do the {0} cover?", base)
        : l10n.t("What topics does the {0} cover?", base),
    ];
  }
  return subjects
    .slice(0, 2)
    .map((subject) =>
      isMany
        ? l10n.t("What do the {0} say about {1}?", base, subject)
        : l10n.t("What does the {0} say about {1}?", base, subject),
    );
}

function isNumber(value: unknown): boolean {
  if (typeof value === "number") return true;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}

function isKey(column: string): boolean {
  return /(^|[_ ])(id|key|code|zip|year)$/i.test(column);
}
