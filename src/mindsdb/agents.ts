// Agents: what a project has, and asking one.
import * as v from "valibot";
import { apiPath, type CallOptions, type Client } from "./client.ts";
import { decodeList, decodeOne, optionalText, optionalTexts } from "./decode.ts";
import { AppError } from "./errors.ts";
import { compareNames } from "./projects.ts";
import { quoteName, quoteText, runSql } from "./sql.ts";
import { readSteps } from "./stream/read.ts";
import type { StepEvent } from "./stream/steps.ts";

export interface Agent {
  name: string;
  /** Like "openai · gpt-4o"; absent where the server's default model is used. */
  model?: string;
  tables: string[];
  knowledgeBases: string[];
  promptTemplate?: string;
  createdAt?: string;
}

/** One turn of a conversation; the new question comes last, with an empty answer (server.md 5, `messages`). */
export interface Turn {
  question: string;
  answer: string;
}

const modelField = v.fallback(
  v.optional(v.looseObject({ provider: optionalText, model_name: optionalText })),
  undefined,
);

const agentRow = v.looseObject({
  name: v.string(),
  model: modelField,
  model_name: optionalText,
  provider: optionalText,
  data: v.fallback(
    v.optional(v.looseObject({ tables: optionalTexts, knowledge_bases: optionalTexts })),
    undefined,
  ),
  prompt_template: optionalText,
  created_at: optionalText,
});

/** A project's agents, by name. One request. Keys, which real servers send in clear, are remembered for redaction. */
export async function listAgents(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Agent[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/agents`, options);
  return decodeList(agentRow, client.secrets.redactValue(answer))
    .map(toAgent)
    .sort((a, b) => compareNames(a.name, b.name));
}

function toAgent(row: v.InferOutput<typeof agentRow>): Agent {
  // Older rows carry provider and model_name at the top (server.md 4).
  const provider = row.model?.provider ?? row.provider;
  const modelName = row.model?.model_name ?? row.model_name;
  const model = [provider, modelName].filter(Boolean).join(" · ");
  return {
    name: row.name,
    tables: row.data?.tables ?? [],
    knowledgeBases: row.data?.knowledge_bases ?? [],
    ...(model === "" ? {} : { model }),
    ...(row.prompt_template === undefined ? {} : { promptTemplate: row.prompt_template }),
    ...(row.created_at === undefined ? {} : { createdAt: row.created_at }),
  };
}

/**
 * Asks an agent and yields what it does as it comes. Ends after the stream's end; throws AppError "cutOff" if the
 * stream closes without one. Leaving the iteration, or the signal, closes the socket at once (the server works on).
 */
export async function* askAgent(
  client: Client,
  project: string,
  agent: string,
  messages: Turn[],
  signal?: AbortSignal,
): AsyncGenerator<StepEvent> {
  const path = apiPath`/api/projects/${project}/agents/${agent}/completions/stream`;
  const body = await client.stream(path, { messages: checked(messages) }, signal);
  yield* readSteps(body, signal ? { signal } : {});
}

/**
 * One answer, for callers that want no steps: the plain endpoint, else the stream, else SQL. The plain endpoint fails
 * on every 26.x server (HTTP 500), and on 25.x it returns a failure of the language model as if it were the answer.
 */
export async function askForAnswer(
  client: Client,
  project: string,
  agent: string,
  messages: Turn[],
  signal?: AbortSignal,
): Promise<string> {
  const ways = [askPlain, askByStream, askBySql];
  let failure: unknown;
  for (const ask of ways) {
    try {
      return await ask(client, project, agent, checked(messages), signal);
    } catch (error) {
      if (!(error instanceof AppError) || !isWorthAnotherWay(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

function isWorthAnotherWay(error: AppError): boolean {
  return error.kind === "serverFault" || error.kind === "badAnswer" || error.kind === "cutOff";
}

const plainAnswer = v.looseObject({ message: v.looseObject({ content: v.string() }) });

async function askPlain(
  client: Client,
  project: string,
  agent: string,
  messages: Turn[],
  signal?: AbortSignal,
): Promise<string> {
  const path = apiPath`/api/projects/${project}/agents/${agent}/completions`;
  const answer = await client.post(path, { messages }, { signal, timeoutMs: 0 });
  const { content } = decodeOne(plainAnswer, answer).message;
  if (isModelFailure(content)) throw new AppError("agentFailed", client.secrets.redact(content));
  return content;
}

/** How 25.14.1 words a failing language model inside a 200 (server.md 12). */
function isModelFailure(content: string): boolean {
  return /^(Error code: \d{3} - |Connection error\.$|Request timed out\.$)/.test(content);
}

async function askByStream(
  client: Client,
  project: string,
  agent: string,
  messages: Turn[],
  signal?: AbortSignal,
): Promise<string> {
  let answer: string | undefined;
  for await (const event of askAgent(client, project, agent, messages, signal)) {
    if (event.type === "answer") answer = event.text;
    if (event.type === "failed") {
      throw new AppError("agentFailed", client.secrets.redact(event.message));
    }
  }
  if (answer === undefined) throw new AppError("badAnswer", "The agent ended without an answer.");
  return answer;
}

async function askBySql(
  client: Client,
  project: string,
  agent: string,
  messages: Turn[],
  signal?: AbortSignal,
): Promise<string> {
  const question = messages[messages.length - 1]?.question ?? "";
  const from = `${quoteName(project)}.${quoteName(agent)}`;
  const query = `SELECT answer FROM ${from} WHERE question = ${quoteText(question)}`;
  const { rows } = await runSql(client, query, { signal, timeoutMs: 0 });
  const answer = rows[0]?.[0];
  if (typeof answer !== "string") {
    throw new AppError("badAnswer", "The agent ended without an answer.");
  }
  return answer;
}

/** An empty question is never sent: real servers run it and bill the model. */
function checked(messages: Turn[]): Turn[] {
  const last = messages[messages.length - 1];
  if (!last || last.question.trim() === "" || last.answer !== "") {
    throw new AppError("refused", "There is no question to ask.");
  }
  return messages;
}
