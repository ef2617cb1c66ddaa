// How a sample agent answers: simple rules turn a question into queries that really run, over the
// agent's tables and knowledge bases, and their results into text. No language model is involved.
import type { Document, Index } from "./retrieval.ts";
import { SqlError } from "./sql.ts";
import type { Agent, KnowledgeBase, Project, Relation, State, Table } from "./state.ts";
import { textOf } from "./state.ts";
import { markdownTable, queryFor } from "./tableQuestions.ts";
import type { TableQuery } from "./tableQuestions.ts";
import { readRequest, type Context, type TableRequest } from "./tableRequest.ts";
import { globWildcards, matchesWildcards } from "../mindsdb/wildcards.ts";

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
  /** The rows of a final query are the answer; `text` says the same for servers that want text. */
  | { kind: "table"; relation: Relation; text: string }
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
  /** The columns its searches ask for: agents of 25 take them all. */
  searchColumns: string;
}

/** The tables and knowledge bases an agent's lists name; `*` stands for any part of a name. */
export function scopeOf(state: State, data: Agent["data"]): Scope {
  const tables = state.tables.filter((table) =>
    patternsIn(data?.tables).some((pattern) =>
      matchesWildcards(`${table.source}.${table.name}`, pattern, globWildcards),
    ),
  );
  const all = state.projects.flatMap((p) =>
    p.knowledgeBases.map((kb) => ({ project: p.name, kb })),
  );
  const knowledgeBases = all.filter(({ project, kb }) =>
    patternsIn(data?.knowledge_bases).some((pattern) => {
      const full = pattern.includes(".") ? pattern : `${defaultProject(state).name}.${pattern}`;
      return matchesWildcards(`${project}.${kb.row.name}`, full, globWildcards);
    }),
  );
  const searchColumns = state.dialect === "25" ? "*" : "id, title, chunk_content, relevance";
  return { tables, knowledgeBases, searchColumns };
}

/** An agent's list as it was sent, which may be anything. */
function patternsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((pattern) => typeof pattern === "string") : [];
}

/** The project that cannot be deleted. */
export function defaultProject(state: State): Project {
  const found = state.projects.find((project) => !project.deletable);
  if (!found) throw new Error("a server has a default project");
  return found;
}

/** One query for one piece of a question, with the words for what it gives. */
type Task = TableQuery & { tool: "table" | "knowledge base"; attempts: number };

/** Answers a question; `run` runs SQL. The events are computed as they are asked for. */
export function* answer(
  scope: Scope,
  question: string,
  history: Turn[],
  run: (sql: string) => Relation,
): Generator<AgentEvent> {
  const tasks = tasksFor(scope, question, history);
  const steps = tasks.map((task) => task.purpose);
  const isList = tasks.length === 1 && tasks[0]?.final === true;
  if (!isList) steps.push(tasks.length === 0 ? "Answer directly" : "Answer in text");
  yield { kind: "plan", steps };
  const texts: string[] = [];
  for (const task of tasks) {
    const relation = yield* attempt(task, isList, run);
    if (!relation) return;
    const text = task.say(relation);
    if (isList) {
      yield { kind: "table", relation, text };
      return;
    }
    yield { kind: "result", relation };
    texts.push(text);
  }
  yield { kind: "answer", text: texts.length === 0 ? introduction(scope) : texts.join("\n\n") };
}

/** Runs a task's query, as often as it may fail; gives nothing when the agent gave up. */
function* attempt(
  { tool, purpose, sql, attempts }: Task,
  final: boolean,
  run: (sql: string) => Relation,
): Generator<AgentEvent, Relation | undefined> {
  let message = "";
  for (let i = 0; i < attempts; i++) {
    yield { kind: "query", tool, purpose, sql, final };
    try {
      if (/^\s*(select|show|describe|explain)\b/i.test(sql)) return run(sql);
      throw new SqlError(`Query is not allowed: ${sql}`);
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      message = error.message;
    }
    yield { kind: "failure", message };
  }
  const failed = `Failed to execute exploratory SQL query after ${attempts} consecutive unsuccessful SQL queries.`;
  yield { kind: "gaveUp", message: `${failed} Last error: ${message}\nSQL:\n${sql}` };
  return undefined;
}

/** A question that only makes sense after the one before it, like "And in the harbor?" or "How many are there?". */
const followUp =
  /^\s*(?:(?:and|what about|how about)\b|how many (?:are|of)\b|(?:which|what) (?:are|is|ones?|of)\s+(?:the\s+)?(?:\w+\s+)?(?:cheapest|smallest|largest|biggest|most expensive)\s*[?.!]*$|(?:list|show)(?: me)? (?:them|those)\b)/i;

/** What has been asked so far, as far as a question takes it up. */
interface Conversation {
  request: TableRequest | undefined;
  /** The words of a question that no table answers. */
  text: string;
}

/** What a question takes up: the one before it, which may take up another one. */
function conversationOf(scope: Scope, history: Turn[]): Conversation {
  let before: Conversation = { request: undefined, text: "" };
  for (const { question } of history) {
    const isFollowUp = followUp.test(question);
    let { request } = isFollowUp ? before : { request: undefined };
    for (const [at, part] of partsOf(question).entries()) {
      const context: Context = { request, isFollowUp: isFollowUp && at === 0 };
      request =
        readRequest(scope.tables, part, context) ?? (context.isFollowUp ? undefined : request);
    }
    const text = isFollowUp ? `${before.text} ${question}` : question;
    before = { request, text: request ? "" : withoutEnd(text) };
  }
  return before;
}

function withoutEnd(question: string): string {
  return question.replace(/(?<![?.!\s])[?.!\s]+$/, "");
}

const sqlStatement =
  /^\s*(select\s[^]*\sfrom\s|drop\s+\w+\s+\w+|delete\s+from\s|insert\s+into\s|update\s+\S+\s+set\s)/i;
const greeting = /^\s*(hi|hello|hey|good (morning|evening)|thanks?( you)?)\b[^?]*$/i;
const betweenQuestions =
  /\?\s+|(?:,|(?<![\s,]))\s+and\s+(?=(?:what|which|how|may|can|is|are|do|does|where)\b)/i;

function partsOf(question: string): string[] {
  return question
    .split(betweenQuestions)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** What to do for a question: each of its parts is a matter for a table or for a search. */
function tasksFor(scope: Scope, question: string, history: Turn[]): Task[] {
  if (sqlStatement.test(question) && scope.tables.length > 0) {
    const say = (result: Relation) =>
      `The query gives ${result.rows.length} rows.\n\n${markdownTable(result, 20)}`;
    const given = { purpose: "Run the given SQL", sql: question.trim(), final: false, say };
    return [{ ...given, tool: "table", attempts: 3 }];
  }
  if (greeting.test(question)) return [];
  const before = followUp.test(question) ? conversationOf(scope, history) : undefined;
  let request = before?.request;
  return partsOf(question).flatMap((part, at): Task[] => {
    const context: Context = { request, isFollowUp: at === 0 && before !== undefined };
    request = readRequest(scope.tables, part, context);
    if (request) return [{ ...queryFor(request), tool: "table", attempts: 1 }];
    const searched = at === 0 && before ? `${before.text} ${part}`.trim() : part;
    return searchFor(scope, searched);
  });
}

/** A search of the knowledge base that promises most; nothing without knowledge bases. */
function searchFor(scope: Scope, question: string): Task[] {
  const [best] = scope.knowledgeBases
    .map((candidate) => ({ ...candidate, hit: candidate.kb.index.search(question)[0] }))
    .sort((a, b) => (a.hit?.distance ?? 1) - (b.hit?.distance ?? 1));
  if (!best) return [];
  const name = `${best.project}.${best.kb.row.name}`;
  if (/\btopics\b[^?]*\b(?:cover|there|in)\b/i.test(question)) {
    return [
      {
        tool: "knowledge base",
        purpose: `List what ${name} is about`,
        sql: `SELECT id, title FROM ${name} LIMIT 100`,
        final: false,
        attempts: 1,
        say: ({ columns, rows }) => {
          const titles = rows.map((row) => `- ${textOf(row[columns.indexOf("title")])}`);
          return `\`${best.kb.row.name}\` has ${String(rows.length)} documents:\n\n${titles.join("\n")}`;
        },
      },
    ];
  }
  const quoted = question.replace(/(?<![?.!\\])[?.!\\]+$/, "").replaceAll(/(?<!\\)\\*'/g, "''");
  return [
    {
      tool: "knowledge base",
      purpose: `Search ${name}`,
      sql: `SELECT ${scope.searchColumns} FROM ${name} WHERE content = '${quoted}' LIMIT 3`,
      final: false,
      attempts: 1,
      say: (result) => quote(best.kb, question, result),
    },
  ];
}

/** The sentences found, with a list of the documents they come from. */
function quote(kb: KnowledgeBase, question: string, result: Relation): string {
  const column = (name: string) => result.columns.indexOf(name);
  const found = result.rows.flatMap((row) => {
    const document = kb.index.documents.find(({ id }) => id === row[column("id")]);
    const relevance = Number(row[column("relevance")]);
    return document && relevance > 0.5 ? [{ document, relevance }] : [];
  });
  if (found.length === 0) return `I found nothing about that in \`${kb.row.name}\`.`;
  const close = found.filter(({ relevance }) => relevance > (found[0]?.relevance ?? 0) - 0.04);
  const quotes = close.map(({ document }, i) => {
    return `${bestSentences(kb.index, question, document)} [${i + 1}]`;
  });
  const sources = close.map(({ document, relevance }, i) => {
    const title = textOf(document.metadata["title"]);
    return `${i + 1}. *${title}* (\`${document.id}\`, relevance ${relevance.toFixed(2)})`;
  });
  return `${quotes.join("\n\n")}\n\n**Sources**\n\n${sources.join("\n")}`;
}

/** The two neighbouring sentences of a document that have most in common with the question. */
function bestSentences(index: Index, question: string, document: Document): string {
  const [, ...sentences] = document.content.split(/(?<=[.!?])\s+/);
  const pairs = sentences.map((sentence, i) =>
    [sentence, ...sentences.slice(i + 1, i + 2)].join(" "),
  );
  const scores = pairs.map((pair) => index.overlap(question, pair));
  return pairs[scores.indexOf(Math.max(...scores))] ?? document.content;
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
