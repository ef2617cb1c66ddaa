// How a sample agent answers: simple rules turn a question into queries that really run, over the
// agent's tables and knowledge bases, and their results into text. No language model is involved.
import type { Document, Index } from "./retrieval.ts";
import { SqlError } from "./sql.ts";
import { textOf } from "./state.ts";
import type { Agent, KnowledgeBase, Project, Relation, State, Table } from "./state.ts";

/** What an agent does, one thing after the other; the stream puts it into words of its dialect. */
export type AgentEvent =
  | { kind: "plan"; steps: string[] }
  | {
      kind: "query";
      tool: "table" | "knowledge base";
      purpose: string;
      sql: string;
      final: boolean;
    }
  | { kind: "result"; relation: Relation }
  | { kind: "failure"; message: string }
  | { kind: "answer"; text: string }
  | { kind: "table"; relation: Relation }
  | { kind: "gaveUp"; message: string };

/** One question of a conversation with its answer. */
export interface Turn {
  question: string;
  answer: string;
}

/** What an agent may use. */
export interface Scope {
  tables: Table[];
  knowledgeBases: { project: string; kb: KnowledgeBase }[];
}

/** The tables and knowledge bases an agent's lists name; `*` stands for any part of a name. */
export function scopeOf(state: State, data: Agent["data"]): Scope {
  const tables = state.tables.filter((table) =>
    (data?.tables ?? []).some((pattern) => matches(pattern, `${table.source}.${table.name}`)),
  );
  const all = state.projects.flatMap((p) =>
    p.knowledgeBases.map((kb) => ({ project: p.name, kb })),
  );
  const knowledgeBases = all.filter(({ project, kb }) =>
    (data?.knowledge_bases ?? []).some((pattern) => {
      const full = pattern.includes(".") ? pattern : `${defaultProject(state).name}.${pattern}`;
      return matches(full, `${project}.${kb.row.name}`);
    }),
  );
  return { tables, knowledgeBases };
}

/** The project that cannot be deleted. */
export function defaultProject(state: State): Project {
  const found = state.projects.find((project) => !project.deletable);
  if (!found) throw new Error("a server has a default project");
  return found;
}

/** Whether a name fits a pattern with `*`. */
function matches(pattern: string, name: string): boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`).test(name);
}

/** One piece of a question, with the query that answers it and the words for what it gives. */
type Task =
  | {
      kind: "table";
      purpose: string;
      sql: string;
      final: boolean;
      say: (result: Relation) => string;
    }
  | { kind: "search"; purpose: string; sql: string; kb: KnowledgeBase; question: string }
  | { kind: "sql"; purpose: string; sql: string };

/** Answers a question; `run` runs SQL. The events are computed as they are asked for. */
export function* answer(
  state: State,
  scope: Scope,
  question: string,
  history: Turn[],
  run: (sql: string) => Relation,
): Generator<AgentEvent> {
  const tasks = plan(state, scope, inContext(question, history));
  const steps = tasks.map((task) => task.purpose);
  yield {
    kind: "plan",
    steps: tasks.length === 0 ? ["Answer directly"] : [...steps, "Answer in text"],
  };
  const texts: string[] = [];
  for (const task of tasks) {
    const final = task.kind === "table" && task.final && tasks.length === 1;
    const attempts = task.kind === "sql" ? 3 : 1;
    for (let attempt = 1; ; attempt++) {
      const tool = task.kind === "search" ? "knowledge base" : "table";
      yield { kind: "query", tool, purpose: task.purpose, sql: task.sql, final };
      try {
        const relation = allowed(task.sql) ? run(task.sql) : refuse(task.sql);
        if (final) {
          yield { kind: "table", relation };
          return;
        }
        yield { kind: "result", relation };
        texts.push(say(task, relation));
        break;
      } catch (error) {
        if (!(error instanceof SqlError)) throw error;
        yield { kind: "failure", message: error.message };
        if (attempt < attempts) continue;
        const message = `Failed to execute exploratory SQL query after ${attempts} consecutive unsuccessful SQL queries. Last error: ${error.message}\nSQL:\n${task.sql}`;
        yield { kind: "gaveUp", message };
        return;
      }
    }
  }
  yield { kind: "answer", text: texts.length === 0 ? introduction(scope) : texts.join("\n\n") };
}

function allowed(sql: string): boolean {
  return /^\s*(select|show|describe|explain)\b/i.test(sql);
}

function refuse(sql: string): never {
  throw new SqlError(`Query is not allowed: ${sql}`);
}

/** A question like "And in the Harbor?" means the one before it, with other particulars. */
function inContext(question: string, history: Turn[]): string {
  const before = history.at(-1)?.question;
  const follows = /^(and|what about|how about|the same)\b/i.test(question.trim());
  return before !== undefined && follows
    ? `${before.replace(/[?.!\s]+$/, "")} ${question}`
    : question;
}

/** What to do for a question: each of its sentences is a matter for a table or for a search. */
function plan(state: State, scope: Scope, question: string): Task[] {
  const sql =
    /^\s*(select\s[^]*\sfrom\s|drop\s+\w+\s+\w+|delete\s+from\s|insert\s+into\s|update\s+\S+\s+set\s)/i;
  if (sql.test(question) && scope.tables.length > 0) {
    return [{ kind: "sql", purpose: "Run the given SQL", sql: question.trim() }];
  }
  if (/^\s*(hi|hello|hey|good (morning|evening)|thanks?( you)?)\b[^?]*$/i.test(question)) return [];
  const parts = question.split(
    /\?\s+|,?\s+and\s+(?=(?:what|which|how|may|can|is|are|do|does|where)\b)/i,
  );
  return parts
    .filter((part) => part.trim() !== "")
    .flatMap((part) => {
      for (const table of scope.tables) {
        const task = tableTask(table, part);
        if (task) return [task];
      }
      return searchTasks(state, scope, part.trim());
    });
}

const numberWords = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

function toCount(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const spelled = numberWords.indexOf(word.toLowerCase());
  return spelled >= 0 ? spelled : Number(word) || undefined;
}

const aggregates: { words: RegExp; sql: string; name: string }[] = [
  { words: /\b(average|mean|typical(ly)?|on average)\b/i, sql: "AVG", name: "average" },
  { words: /\b(total|sum)\b/i, sql: "SUM", name: "total" },
  { words: /\b(highest|maximum|max|most|top)\b/i, sql: "MAX", name: "highest" },
  { words: /\b(lowest|minimum|min|least)\b/i, sql: "MIN", name: "lowest" },
];

/** The query for a question about numbers in a table; nothing if it is not such a question. */
function tableTask(table: Table, question: string): Task | undefined {
  const name = `${table.source}.${table.name}`;
  const group = groupColumn(table, question);
  const about = Object.values(table.words).some((words) => words.test(question));
  const subject = about || question.toLowerCase().includes(table.noun);
  if (!subject && !/\b(homes?|flats?|apartments?|listings?|rentals?)\b/i.test(question))
    return undefined;
  const where = conditions(table, question);
  const suffix = where.length > 0 ? ` WHERE ${where.join(" AND ")}` : "";
  const measure = measureColumn(table, question);
  const filtered = where.length > 0 ? ` with ${where.join(" and ").replaceAll("'", "")}` : "";

  const ranking = /\b(cheap\w*|small\w*|expensive|large\w*|bigg\w*)\b/i.exec(question)?.[1] ?? "";
  const aggregate = aggregates.find(({ words }) => words.test(question));
  const counts = /\b(how many|count|number of)\b/i.test(question);
  if (counts && !aggregate) {
    const select = group ? `${group}, COUNT(*) AS n` : "COUNT(*) AS n";
    const tail = group ? ` GROUP BY ${group} ORDER BY n DESC` : "";
    const purpose = `Count the ${table.noun}${group ? ` by ${group}` : ""}`;
    const say = (result: Relation) =>
      group
        ? `The ${table.noun}${filtered} by \`${group}\`, most first:\n\n${markdownTable(result)}`
        : `There are **${format(result.rows[0]?.[0])}** ${table.noun}${filtered} in \`${name}\`.`;
    return {
      kind: "table",
      purpose,
      sql: `SELECT ${select} FROM ${name}${suffix}${tail}`,
      final: false,
      say,
    };
  }
  const descending = !/cheap|small/i.test(ranking);
  if (group && (aggregate || ranking)) {
    const { sql, name: word } = aggregate && !ranking ? aggregate : { sql: "AVG", name: "average" };
    const alias = `${word}_${measure}`;
    const select = `SELECT ${group}, ${sql}(${measure}) AS ${alias}, COUNT(*) AS n FROM ${name}${suffix}`;
    const order = `GROUP BY ${group} ORDER BY ${alias} ${descending ? "DESC" : "ASC"}`;
    const purpose = `The ${word} ${measure} by ${group}`;
    const say = (result: Relation) =>
      `The ${word} \`${measure}\` by \`${group}\`, ${descending ? "highest" : "lowest"} first. **${String(result.rows[0]?.[0])}** leads with ${format(result.rows[0]?.[1])}.\n\n${markdownTable(result)}`;
    return { kind: "table", purpose, sql: `${select} ${order}`, final: false, say };
  }
  if (ranking) {
    const asked = new RegExp(
      `(\\d+|${numberWords.join("|")})(?=\\s+(most|cheap|small|expensive|larg|big))`,
      "i",
    );
    const limit = toCount(asked.exec(question)?.[1]) ?? 5;
    const purpose = `The ${limit} ${table.noun} with the ${descending ? "highest" : "lowest"} ${measure}`;
    const order = `ORDER BY ${measure} ${descending ? "DESC" : "ASC"} LIMIT ${limit}`;
    const sql = `SELECT ${table.columns.join(", ")} FROM ${name}${suffix} ${order}`;
    const say = (result: Relation) => `${purpose}${filtered}:\n\n${markdownTable(result)}`;
    return { kind: "table", purpose, sql, final: true, say };
  }
  if (!aggregate) return undefined;
  const sql = `SELECT ${aggregate.sql}(${measure}) AS ${aggregate.name}, COUNT(*) AS n FROM ${name}${suffix}`;
  const say = (result: Relation) =>
    `The ${aggregate.name} \`${measure}\` is **${format(result.rows[0]?.[0])}**, over ${format(result.rows[0]?.[1])} ${table.noun}${filtered}.`;
  return { kind: "table", purpose: `The ${aggregate.name} ${measure}`, sql, final: false, say };
}

/** The column after "by", "per" or "each", or the one that "which" asks for. */
function groupColumn(table: Table, question: string): string | undefined {
  const asked = /\b(?:by|per|each|every|which|what)\s+(?:the\s+|number of\s+)?(\w+)/gi;
  for (const [, word = ""] of question.matchAll(asked)) {
    const column = Object.entries(table.words).find(([, words]) => words.test(word))?.[0];
    if (column !== undefined && (isText(table, column) || column.startsWith("number_of")))
      return column;
  }
  return undefined;
}

/** The number a question is about: the first column whose words it has, else the last column. */
function measureColumn(table: Table, question: string): string {
  const numbers = Object.entries(table.words).filter(([column]) => !isText(table, column));
  const found = numbers.find(([, words]) => words.test(question))?.[0];
  return found ?? table.columns.at(-1) ?? "";
}

function isText(table: Table, column: string): boolean {
  return typeof table.rows[0]?.[table.columns.indexOf(column)] === "string";
}

/** Conditions a question states: names that occur in the table, rooms, "under 2000", "over 800 sqft". */
function conditions(table: Table, question: string): string[] {
  const found: string[] = [];
  table.columns.forEach((column, at) => {
    if (!isText(table, column)) return;
    for (const value of new Set(table.rows.map((row) => textOf(row[at])))) {
      const words = value.replaceAll("_", "[ _-]");
      const named = column === "location" ? `${words} locations?` : words;
      if (new RegExp(`\\b${named}\\b`, "i").test(question)) found.push(`${column} = '${value}'`);
    }
  });
  const rooms = new RegExp(`(\\d+|${numberWords.join("|")})[- ](?:bed)?rooms?\\b`, "i").exec(
    question,
  );
  const count = toCount(rooms?.[1]);
  if (count !== undefined && table.columns.includes("number_of_rooms")) {
    found.push(`number_of_rooms = ${count}`);
  }
  const bound =
    /\b(under|below|less than|over|above|more than)\s+\$?([\d,]+)(\s*(?:sqft|square))?/i.exec(
      question,
    );
  if (bound && table.columns.includes("rental_price")) {
    const operator = /under|below|less/i.test(bound[1] ?? "") ? "<" : ">";
    const column = bound[3] === undefined ? "rental_price" : "sqft";
    found.push(`${column} ${operator} ${Number(bound[2]?.replaceAll(",", ""))}`);
  }
  return found;
}

/** A search of each knowledge base, the most promising first; nothing without knowledge bases. */
function searchTasks(state: State, scope: Scope, question: string): Task[] {
  const best = scope.knowledgeBases
    .map(({ project, kb }) => ({
      project,
      kb,
      distance: kb.index.search(question)[0]?.distance ?? 1,
    }))
    .sort((a, b) => a.distance - b.distance)[0];
  if (!best) return [];
  const columns = state.dialect === "26" ? "id, title, chunk_content, relevance" : "*";
  const quoted = question.replace(/[?.!]+$/, "").replaceAll("'", "''");
  const name = `${best.project}.${best.kb.row.name}`;
  const sql = `SELECT ${columns} FROM ${name} WHERE content = '${quoted}' LIMIT 3`;
  return [{ kind: "search", purpose: `Search ${name}`, sql, kb: best.kb, question }];
}

function say(task: Task, result: Relation): string {
  if (task.kind === "table") return task.say(result);
  if (task.kind === "sql")
    return `The query gives ${result.rows.length} rows.\n\n${markdownTable(result, 20)}`;
  const ids = result.rows.map((row) => row[result.columns.indexOf("id")]);
  const relevance = result.rows.map((row) => Number(row[result.columns.indexOf("relevance")]));
  const documents = ids.flatMap((id, i) => {
    const found = task.kb.index.documents.find((document) => document.id === id);
    return found && (relevance[i] ?? 0) > 0.5
      ? [{ document: found, relevance: relevance[i] ?? 0 }]
      : [];
  });
  if (documents.length === 0) return `I found nothing about that in \`${task.kb.row.name}\`.`;
  const closest = documents.filter((d) => d.relevance > (documents[0]?.relevance ?? 0) - 0.08);
  const quotes = closest.map(({ document }, i) => {
    return `${bestSentences(task.kb.index, task.question, document)} [${i + 1}]`;
  });
  const sources = closest.map(
    ({ document, relevance: r }, i) =>
      `${i + 1}. *${String(document.metadata["title"])}* (\`${document.id}\`, relevance ${r.toFixed(2)})`,
  );
  return `${quotes.join("\n\n")}\n\n**Sources**\n\n${sources.join("\n")}`;
}

/** The two sentences of a document that have most in common with the question, in their order. */
function bestSentences(index: Index, question: string, document: Document): string {
  const [, ...sentences] = document.content.split(/(?<=[.!?])\s+/);
  const scored = sentences.map((text, at) => ({ text, at, score: index.overlap(question, text) }));
  const best = [...scored].sort((a, b) => b.score - a.score).slice(0, 2);
  return best
    .filter(({ score }, i) => i === 0 || score > 0)
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join(" ");
}

function introduction(scope: Scope): string {
  const things = [
    ...scope.tables.map((table) => `the table \`${table.source}.${table.name}\``),
    ...scope.knowledgeBases.map(
      ({ project, kb }) => `the knowledge base \`${project}.${kb.row.name}\``,
    ),
  ];
  if (things.length === 0) {
    return "Hello. This agent has no tables and no knowledge bases, so there is nothing it can look up.";
  }
  return `Hello. I answer questions from ${things.join(" and ")}.`;
}

/** A relation as a Markdown table of at most that many rows. */
function markdownTable(relation: Relation, limit = 12): string {
  const line = (cells: unknown[]) =>
    `| ${cells.map((cell) => format(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  const rows = relation.rows.slice(0, limit).map(line);
  const rule = `|${relation.columns.map((_, i) => (typeof relation.rows[0]?.[i] === "number" ? " ---: |" : " --- |")).join("")}`;
  return [line(relation.columns), rule, ...rows].join("\n");
}

function format(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toFixed(1))) : textOf(value);
}
