// Answers questions without a language model: simple rules turn a question into SQL, the SQL runs over the
// agent's tables and knowledge bases, and the results become text.
import type { Document, Index } from "../knowledgeBases/retrieval.ts";
import { SqlError } from "../sql/tokens.ts";
import type { Agent, KnowledgeBase, Project, Relation, State, Table } from "../server/state.ts";
import { filesSource, formatValue } from "../server/state.ts";
import { markdownTable, queryFor } from "./tableSql.ts";
import type { TableQuery } from "./tableSql.ts";
import { readRequest, type Context, type TableRequest } from "./tableRequest.ts";
import { globWildcards, matchesWildcards } from "../../mindsdb/matchWildcards.ts";

/** One event of an agent's run. `streams.ts` formats it. */
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
  /** The rows of a final query, which are the answer. `text` is the same answer in text. */
  | { kind: "table"; relation: Relation; text: string }
  | { kind: "gaveUp"; message: string };

export interface Turn {
  question: string;
  answer: string;
}

/** The data that an agent can access. */
export interface Scope {
  tables: Table[];
  knowledgeBases: { project: string; kb: KnowledgeBase }[];
  /** The columns that its searches select. */
  searchColumns: string;
}

/** The tables and knowledge bases that match an agent's lists; `*` matches any part of a name. */
export function findScope(state: State, data: Agent["data"]): Scope {
  const tablePatterns = readPatterns(data?.tables);
  const tables = state.tables.filter((table) =>
    // few: the patterns of an agent.
    tablePatterns.some((pattern) =>
      matchesWildcards(`${filesSource}.${table.name}`, pattern, globWildcards),
    ),
  );
  const all = state.projects.flatMap((p) =>
    p.knowledgeBases.map((kb) => ({ project: p.name, kb })),
  );
  const patterns = readPatterns(data?.knowledge_bases);
  const knowledgeBases = all.filter(({ project, kb }) =>
    // few: the patterns of an agent.
    patterns.some((pattern) => {
      const full = pattern.includes(".") ? pattern : `${defaultProject(state).name}.${pattern}`;
      return matchesWildcards(`${project}.${kb.row.name}`, full, globWildcards);
    }),
  );
  return { tables, knowledgeBases, searchColumns: state.searchColumns };
}

/** The strings of an agent's list. The list comes from a request and can have any type. */
function readPatterns(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((pattern) => typeof pattern === "string") : [];
}

/** The default project, which is the one that cannot be deleted. Throws if there is none. */
export function defaultProject(state: State): Project {
  const found = state.projects.find((project) => !project.deletable);
  if (!found) throw new Error("a server has a default project");
  return found;
}

/** A query that answers one part of a question. */
type Task = TableQuery & { tool: "table" | "knowledge base"; attempts: number };

/** Yields the events of a run that answers a question. `run` executes SQL; nothing runs before its event is requested. */
export function* answer(
  scope: Scope,
  question: string,
  history: Turn[],
  run: (sql: string) => Relation,
): Generator<AgentEvent> {
  const tasks = planTasks(scope, question, history);
  const steps = tasks.map((task) => task.purpose);
  const isList = tasks.length === 1 && tasks[0]?.final === true;
  if (!isList) steps.push(tasks.length === 0 ? "Answer directly" : "Answer in text");
  yield { kind: "plan", steps };
  const texts: string[] = [];
  for (const task of tasks) {
    const relation = yield* runTask(task, isList, run);
    if (!relation) return;
    const text = task.say(relation);
    if (isList) {
      yield { kind: "table", relation, text };
      return;
    }
    yield { kind: "result", relation };
    texts.push(text);
  }
  const text = texts.length === 0 ? introduceAgent(scope, question) : texts.join("\n\n");
  yield { kind: "answer", text };
}

/** Runs a task's query, at most `attempts` times. Returns undefined if every attempt failed. */
function* runTask(
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

/** Matches questions that depend on the previous one, such as "And in the harbor?" or "How many are there?". */
const followUp =
  /^\s*(?:(?:and|what about|how about)\b|how many (?:are|of)\b|(?:which|what) (?:are|is|ones?|of)\s+(?:the\s+)?(?:\w+\s+)?(?:cheapest|smallest|largest|biggest|most expensive)\s*[?.!]*$|(?:list|show)(?: me)? (?:them|those)\b)/i;

/** The part of a conversation that a follow-up question refers to. */
interface Conversation {
  request: TableRequest | undefined;
  /** The text of the previous question if no table answers it; otherwise empty. */
  text: string;
}

/** Returns what a follow-up after `history` refers to. A question in `history` can itself be a follow-up. */
function readConversation(scope: Scope, history: Turn[]): Conversation {
  let previous: Conversation = { request: undefined, text: "" };
  for (const { question } of history) {
    const isFollowUp = followUp.test(question);
    let { request } = isFollowUp ? previous : { request: undefined };
    for (const [at, part] of splitQuestion(question).entries()) {
      const context: Context = { request, isFollowUp: isFollowUp && at === 0 };
      request =
        readRequest(scope.tables, part, context) ?? (context.isFollowUp ? undefined : request);
    }
    const text = isFollowUp ? `${previous.text} ${question}` : question;
    previous = { request, text: request ? "" : trimPunctuation(text) };
  }
  return previous;
}

function trimPunctuation(question: string): string {
  return question.replace(/(?<![?.!\s])[?.!\s]+$/, "");
}

const sqlStatement =
  /^\s*(select\s[^]*\sfrom\s|drop\s+\w+\s+\w+|delete\s+from\s|insert\s+into\s|update\s+\S+\s+set\s)/i;
const greeting = /^\s*(?:(?:hi|hello|hey|good (?:morning|evening)|thanks?(?: you)?)\b[^?]*)?$/i;
/** Questions about the agent itself. */
const aboutAgent =
  /^\s*(?:help\b|who are you\b|what can (?:you|i)\b|(?:what|which) (?:data|tables)\b|(?:list|show)(?: me)? the tables\b)/i;
/** The words before a request. */
const politeness = /^\s*(?:please\s+)?(?:(?:can|could|will|would)\s+you\s+(?:please\s+)?)?/i;
/** Requests to make or change something, which no search answers. */
const taskRequests = [
  /^(?:write|code|program|implement|debug|refactor|compose|translate|draw|plot|predict)\b/i,
  /^(?:create|generate|make)\b[^?]{0,100}\b(?:code|script|function|program|query|poem|story|chart|image|table)\b/i,
  /^(?:delete|drop|remove|change|update)\s+(?:all|every|the\s+(?:table|rows?|data))\b/i,
];

function isTaskRequest(question: string): boolean {
  const request = question.replace(politeness, "");
  return taskRequests.some((pattern) => pattern.test(request));
}

const betweenQuestions =
  /\?\s+|(?:,|(?<![\s,]))\s+and\s+(?=(?:what|which|how|may|can|is|are|do|does|where)\b)/i;

function splitQuestion(question: string): string[] {
  return question
    .split(betweenQuestions)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Returns a task for each part of a question: a table query or a search. */
function planTasks(scope: Scope, question: string, history: Turn[]): Task[] {
  if (sqlStatement.test(question) && scope.tables.length > 0) {
    const say = (result: Relation) =>
      `The query returned ${result.rows.length} rows.\n\n${markdownTable(result, 20)}`;
    const given = { purpose: "Run the given SQL", sql: question.trim(), final: false, say };
    return [{ ...given, tool: "table", attempts: 3 }];
  }
  if ([greeting, aboutAgent].some((pattern) => pattern.test(question))) return [];
  if (isTaskRequest(question)) return [];
  const previous = followUp.test(question) ? readConversation(scope, history) : undefined;
  let request = previous?.request;
  return splitQuestion(question).flatMap((part, at): Task[] => {
    const context: Context = { request, isFollowUp: at === 0 && previous !== undefined };
    request = readRequest(scope.tables, part, context);
    if (request) return [{ ...queryFor(request), tool: "table", attempts: 1 }];
    const searched = at === 0 && previous ? `${previous.text} ${part}`.trim() : part;
    return planSearch(scope, searched);
  });
}

/** Returns a search of the knowledge base with the closest document, or no task if there is no knowledge base. */
function planSearch(scope: Scope, question: string): Task[] {
  const [best] = scope.knowledgeBases
    .map((candidate) => ({ ...candidate, hit: candidate.kb.index.search(question)[0] }))
    .sort((a, b) => (a.hit?.distance ?? 1) - (b.hit?.distance ?? 1));
  if (!best) return [];
  const name = `${best.project}.${best.kb.row.name}`;
  const search = { tool: "knowledge base", final: false, attempts: 1 } as const;
  if (/\btopics\b[^?]{0,200}\b(?:cover(?:ed|s)?|there|in)\b/i.test(question)) {
    return [
      {
        ...search,
        purpose: `List what ${name} is about`,
        sql: `SELECT id, title FROM ${name} LIMIT 100`,
        say: ({ columns, rows }) => {
          const title = columns.indexOf("title");
          const titles = rows.map((row) => `- ${formatValue(row[title])}`);
          return `\`${best.kb.row.name}\` has ${String(rows.length)} documents:\n\n${titles.join("\n")}`;
        },
      },
    ];
  }
  const quoted = question.replace(/(?<![?.!\\])[?.!\\]+$/, "").replaceAll(/(?<!\\)\\*'/g, "''");
  return [
    {
      ...search,
      purpose: `Search ${name}`,
      sql: `SELECT ${scope.searchColumns} FROM ${name} WHERE content = '${quoted}' LIMIT 3`,
      say: (result) => formatQuotes(best.kb, question, result),
    },
  ];
}

/** Formats search results as quotes and a list of their documents. */
function formatQuotes(kb: KnowledgeBase, question: string, result: Relation): string {
  const column = (name: string) => result.columns.indexOf(name);
  const found = result.rows.flatMap((row) => {
    // few: a search finds three.
    const document = kb.index.documents.find(({ id }) => id === row[column("id")]);
    const relevance = Number(row[column("relevance")]);
    return document && relevance > 0.5 ? [{ document, relevance }] : [];
  });
  if (found.length === 0) {
    const none = `I found nothing about that in \`${kb.row.name}\`.`;
    return `${none} Sample agents follow simple rules and understand only simple questions in English.`;
  }
  const close = found.filter(({ relevance }) => relevance > (found[0]?.relevance ?? 0) - 0.04);
  const quotes = close.map(({ document }, i) => {
    return `${findBestSentences(kb.index, question, document)} [${i + 1}]`;
  });
  const sources = close.map(({ document, relevance }, i) => {
    const title = formatValue(document.metadata["title"]);
    return `${i + 1}. *${title}* (\`${document.id}\`, relevance ${relevance.toFixed(2)})`;
  });
  return `${quotes.join("\n\n")}\n\n**Sources**\n\n${sources.join("\n")}`;
}

/** Returns the two consecutive sentences of a document that overlap most with the question. */
function findBestSentences(index: Index, question: string, document: Document): string {
  const [, ...sentences] = document.content.split(/(?<=[.!?])\s+/);
  const pairs = sentences.map((sentence, i) =>
    [sentence, ...sentences.slice(i + 1, i + 2)].join(" "),
  );
  const scores = pairs.map((pair) => index.overlap(question, pair));
  return pairs[scores.indexOf(Math.max(...scores))] ?? document.content;
}

function introduceAgent(scope: Scope, question: string): string {
  const isUnanswered = !greeting.test(question) && !aboutAgent.test(question);
  const things = [
    ...scope.tables.map((table) => `the table \`${filesSource}.${table.name}\``),
    ...scope.knowledgeBases.map(
      ({ project, kb }) => `the knowledge base \`${project}.${kb.row.name}\``,
    ),
  ];
  const sources = things.join(" and ");
  if (isTaskRequest(question) && things.length > 0) {
    return `I can't do that: I only answer questions from ${sources}.`;
  }
  const start = isUnanswered ? "I can't answer that." : "Hello.";
  if (things.length === 0) {
    return `${start} This agent has no tables and no knowledge bases, so there is nothing it can look up.`;
  }
  return `${start} I answer questions from ${sources}.`;
}
