// A scripted language model with embeddings on loopback, speaking OpenAI's API: the one thing in these tests that is
// not real. What it says is in script.ts.
import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { readTextCall, readToolCall, type ModelCall } from "./dialects.ts";
import { FAILURES, type Trouble } from "./script.ts";

export interface LanguageModel {
  /** The base address for OpenAI clients, ending in `/v1`. */
  readonly url: string;
  /** All that it has been told, call by call: the messages of each as one text. */
  readonly conversations: readonly string[];
  /** How often it has been asked for embeddings. */
  readonly embeddingCalls: number;
  /** How many calls are being held. */
  readonly held: number;
  /** How long each embedding takes, in ms. */
  embeddingDelay: number;
  /** The status with which embeddings fail; undefined: they do not. */
  embeddingFailure: keyof typeof FAILURES | undefined;
  /** Lets the held calls go on. */
  release(): void;
  stop(): Promise<void>;
}

interface Message {
  role: string;
  /** A text, or parts of one. */
  content: unknown;
}

interface ChatRequest {
  stream?: boolean;
  messages: Message[];
  tools?: { function: { name: string; parameters: { properties: object } } }[];
}

interface EmbeddingRequest {
  /** Texts, or texts as numbers of tokens. */
  input: string | (string | number[])[];
}

const EMBEDDING_SIZE = 256;
const COMPLETION = { id: "chatcmpl-1", created: 1_700_000_000, model: "scripted" };

/** Starts a model on a free port. */
export async function startLanguageModel(): Promise<LanguageModel> {
  const conversations: string[] = [];
  let embeddingCalls = 0;
  const held = new Set<() => void>();
  const release = () => {
    for (const goOn of held) goOn();
    held.clear();
  };

  const chat = async (request: ChatRequest, response: http.ServerResponse) => {
    const prompt = lastPrompt(request);
    const tool = request.tools?.[0]?.function;
    conversations.push(request.messages.map(textOf).join("\n\n"));
    const turn = tool
      ? readToolCall(prompt, Object.keys(tool.parameters.properties))
      : readTextCall(prompt);
    const trouble = troubleIn(turn);
    if (trouble === "unreachable") return void response.destroy();
    if (typeof trouble === "number") {
      return sendFailure(response, trouble);
    }
    if (trouble === "held") await new Promise<void>((resolve) => held.add(resolve));
    const [type, body] =
      request.stream && typeof turn.reply === "string"
        ? ["text/event-stream", completionEvents(turn.reply)]
        : ["application/json", JSON.stringify(completion(turn.reply, tool?.name))];
    if (trouble === "broken") sendHalf(response, body, type);
    else response.writeHead(200, { "Content-Type": type }).end(body);
  };

  const server = http.createServer((request, response) => {
    // MindsDB 26.x loses calls over connections that stay open.
    response.shouldKeepAlive = false;
    const answer = async (body: unknown): Promise<void> => {
      if (!request.url?.endsWith("/embeddings")) return chat(body as ChatRequest, response);
      embeddingCalls++;
      await sleep(model.embeddingDelay);
      const { embeddingFailure: status } = model;
      if (status !== undefined) return sendFailure(response, status);
      sendJson(response, embeddings(body as EmbeddingRequest));
    };
    // A server that is killed can be in the middle of its request.
    void json(request).then(answer, () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: LanguageModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    conversations,
    get embeddingCalls() {
      return embeddingCalls;
    },
    embeddingDelay: 0,
    embeddingFailure: undefined,
    get held() {
      return held.size;
    },
    release,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return model;
}

function lastPrompt({ messages }: ChatRequest): string {
  return textOf(messages.findLast((message) => message.role === "user"));
}

function textOf(message: Message | undefined): string {
  const { content } = message ?? {};
  return typeof content === "string" ? content : JSON.stringify(content);
}

function troubleIn({ scene, first, results }: ModelCall): Trouble | undefined {
  const { trouble } = scene;
  if (!trouble) return undefined;
  const isNow = trouble.when === "early" ? first : results > 0;
  return isNow ? trouble.kind : undefined;
}

function completion(reply: ModelCall["reply"], tool: string | undefined): object {
  const message =
    typeof reply === "string"
      ? { role: "assistant", content: reply }
      : {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "call_1",
              type: "function",
              function: { name: tool, arguments: JSON.stringify(reply) },
            },
          ],
        };
  const reason = typeof reply === "string" ? "stop" : "tool_calls";
  return {
    ...COMPLETION,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: reason }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The same text in some pieces, as server-sent events. */
function completionEvents(text: string): string {
  const pieces = text.match(/[^]{1,12}/g) ?? [];
  const deltas = [...pieces.map((content) => ({ role: "assistant", content })), undefined];
  const events = deltas.map((delta) => {
    const choice = { index: 0, delta: delta ?? {}, finish_reason: delta ? null : "stop" };
    return JSON.stringify({ ...COMPLETION, object: "chat.completion.chunk", choices: [choice] });
  });
  return [...events, "[DONE]"].map((event) => `data: ${event}\n\n`).join("");
}

function sendJson(response: http.ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function sendFailure(response: http.ServerResponse, status: keyof typeof FAILURES): void {
  const error = { message: FAILURES[status], type: "scripted", param: null, code: null };
  sendJson(response, { error }, status);
}

function sendHalf(response: http.ServerResponse, body: string, type: string): void {
  response.writeHead(200, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

function embeddings({ input }: EmbeddingRequest): object {
  const texts = typeof input === "string" ? [input] : input;
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: embed(typeof text === "string" ? text.toLowerCase().match(/\w+/g) : text),
  }));
  return { object: "list", data, model: "scripted", usage: { prompt_tokens: 1, total_tokens: 1 } };
}

/** Counts words (or tokens) by their hash, at length 1: texts that share words lie close to each other. */
function embed(words: readonly (string | number)[] | null): number[] {
  const counts = new Array<number>(EMBEDDING_SIZE).fill(0);
  for (const word of words ?? []) {
    const hash = createHash("sha256").update(String(word)).digest();
    const place = hash.readUInt16LE() % EMBEDDING_SIZE;
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const length = Math.hypot(...counts) || 1;
  return counts.map((count) => count / length);
}
