// Answers from servers that do not stream: complete, and without steps.
import * as l10n from "@vscode/l10n";
import { setTimeout as sleep } from "node:timers/promises";
import type { Turn } from "./conversationTurn.ts";
import { badAnswer } from "./decode.ts";
import { apiPath, type Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { AppError } from "./errors.ts";
import { asText, isObject } from "./json.ts";
import type { StepEvent } from "./stream/stepEvents.ts";

/** Delay before the notice that the server does not stream: errors such as a missing agent arrive earlier. */
const noticeAfterMs = 1_000;

/**
 * True for a refusal of the stream's path itself. Real servers have the path and say in words that the agent, or its
 * project, is not there (seen on 26.1.0 and 25.14.1).
 */
export function isStreamAbsent(error: unknown, path: string): error is AppError {
  if (!(error instanceof AppError) || /%2F|%0[AD]/i.test(path)) return false;
  if (error.status === 405) return true;
  return error.status === 404 && !/\b(agent|project)\b/i.test(error.message.replaceAll(path, ""));
}

/**
 * Asks the plain endpoint, after a step that says why there are no others. `refused` is how the stream's path answered;
 * it is thrown again if neither path is there. Throws AppError.
 */
export async function* askPlain(
  client: Client,
  { project, agent }: { project: string; agent: string },
  messages: Turn[],
  refused: AppError,
  signal?: AbortSignal,
): AsyncGenerator<StepEvent> {
  const path = apiPath`/api/projects/${project}/agents/${agent}/completions`;
  const request = client
    .post(
      path,
      { messages },
      { signal, timeoutMs: 0, limits: responseLimits.listing, cost: "byAction" },
    )
    .then(
      (reply) => ({ reply }),
      (error: unknown) => ({ error: areBothAbsent(refused, error) ? refused : error }),
    );
  if (refused.status === 404) {
    const early = await Promise.race([request, sleep(noticeAfterMs, undefined, { ref: false })]);
    if (early && "error" in early) throw early.error;
  }
  yield { type: "step", step: { n: 1, kind: "notStreamed", state: "running", parts: [] } };
  const outcome = await request;
  if ("error" in outcome) throw outcome.error;
  const answer = readPlainAnswer(outcome.reply);
  if (!answer) {
    const message = l10n.t("The response has no text from the agent.");
    throw badAnswer(message, outcome.reply, client.secrets);
  }
  yield { type: "add", n: 1, parts: [], state: "done" };
  yield* answerEvents(answer);
}

function areBothAbsent(refused: AppError, error: unknown): boolean {
  if (refused.status !== 404 || !(error instanceof AppError)) return false;
  return error.status === 404 || error.status === 405;
}

/** The content of a body without events. */
type PlainAnswer = { text: string } | { failed: string };

/** The events for an answer that the streaming endpoint sent as one body. */
export function* wholeAnswer(answer: PlainAnswer): Generator<StepEvent> {
  yield { type: "step", step: { n: 1, kind: "notStreamed", state: "done", parts: [] } };
  yield* answerEvents(answer);
}

function* answerEvents(answer: PlainAnswer): Generator<StepEvent> {
  if ("failed" in answer) yield { type: "failed", message: answer.failed, early: false };
  else yield { type: "answer", format: "markdown", text: answer.text };
  yield { type: "end" };
}

/** The fields that an answer may be in, the likeliest first: the published API does not show the body. */
const answerFields = ["message", "answer", "output", "content", "text", "response", "result"];

/**
 * The answer in a body, or the failure it tells; undefined if it holds neither. MindsDB 25 writes
 * `{"message": {"content"}}`, and puts failures of the language model there too (seen on 25.14.1).
 */
export function readPlainAnswer(body: unknown): PlainAnswer | undefined {
  const error = isObject(body) ? body["error"] : undefined;
  if (error) return { failed: textIn(error) ?? asText(error) };
  const text = textIn(body);
  if (text === undefined) return undefined;
  return isModelFailure(text) ? { failed: text } : { text };
}

/** Like `readPlainAnswer`, for the unparsed body. */
export function parsePlainAnswer(body: string): PlainAnswer | undefined {
  try {
    return readPlainAnswer(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** Maximum nesting of the answer: lists of messages or choices, or objects in objects. */
const maxDepth = 4;

function textIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (depth === maxDepth) return undefined;
  if (Array.isArray(value)) return textIn(value.at(-1), depth + 1);
  if (!isObject(value)) return undefined;
  for (const field of [...answerFields, "choices", "messages", "data"]) {
    const text = textIn(value[field], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Whether the text is how 25.14.1 reports a failing language model in a 200. */
function isModelFailure(content: string): boolean {
  return /^(Error code: \d{3} - |Connection error\.$|Request timed out\.$)/.test(content);
}
