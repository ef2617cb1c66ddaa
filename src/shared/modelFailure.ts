// Reads a language model's failure from a server's message: a Python exception that contains the provider's response.
import { readPythonDict } from "./pythonDict.ts";

export interface ModelFailure {
  kind:
    "keyRefused" | "modelUnknown" | "rateLimit" | "quota" | "refused" | "failed" | "unreachable";
  /** The provider's HTTP status; absent if the provider did not respond. */
  status?: number;
  /** The provider's message in one line; empty if it cannot be read. */
  says: string;
}

/** Limits the time for long messages, in characters. */
const maxRead = 100_000;

/** Prefix before the exception: "Agent streaming failed: ", "Agent failed with model error: ". */
const prefix = /^(?:[A-Za-z ]{1,60}: )?/;

/** 26.x: `status_code: 429, model_name: m, body: {…}`; 25.x: `Error code: 429 - {…}`. */
const answered = /^(?:status_code: |Error code: )(\d{3})\b/;

/** The first is from MindsDB 25.14 and 26.1, the second from their client library. */
const unanswered = /^(?:Connection error|Request timed out)\.?\s*$/;

/** Returns the language model's failure that a message describes; undefined if it describes something else. */
export function readModelFailure(message: string): ModelFailure | undefined {
  const text = message.slice(0, maxRead).trim();
  const unprefixed = text.slice(prefix.exec(text)?.[0].length ?? 0);
  if (unanswered.test(unprefixed)) return { kind: "unreachable", says: "" };
  // In a message without a prefix, the status itself matches the prefix pattern.
  const [, digits] = answered.exec(unprefixed) ?? answered.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const status = Number(digits);
  const body = parseBody(text);
  return { kind: classifyFailure(status, body), status, says: providerMessage(body) };
}

function classifyFailure(status: number, body: string): ModelFailure["kind"] {
  switch (status) {
    case 401:
    case 403:
      return "keyRefused";
    case 404:
      return "modelUnknown";
    case 429:
      return body.includes("insufficient_quota") ? "quota" : "rateLimit";
  }
  return status < 500 ? "refused" : "failed";
}

/** Returns the provider's message in a Python exception; the text itself if it has none. */
export function readProviderMessage(text: string): string {
  return providerMessage(parseBody(text.slice(0, maxRead))) || text;
}

/** The provider's response: a Python dictionary, or a list with one. */
function parseBody(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return start < 0 ? "" : text.slice(start, end + 1);
}

/** OpenAI and Google nest the message in `error`; the client library of 26.x has unwrapped it for some providers. */
function providerMessage(body: string): string {
  const answer = readPythonDict(body);
  const error = answer?.get("error");
  const inner = error === undefined ? undefined : readPythonDict(error);
  const message =
    answer?.get("message") ?? inner?.get("message") ?? (inner ? undefined : error) ?? "";
  return message.trim().split("\n", 1)[0] ?? "";
}
