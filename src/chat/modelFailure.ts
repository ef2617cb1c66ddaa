// What servers pass on of a language model that failed: the text of a Python exception, with the provider's answer in it.
import { readPythonDict } from "./tables/pythonDict.ts";

export interface ModelFailure {
  kind:
    "keyRefused" | "modelUnknown" | "rateLimit" | "quota" | "refused" | "failed" | "unreachable";
  /** The provider's HTTP status; absent where the provider did not answer. */
  status?: number;
  /** What the provider says, in one line of its own; empty if it says nothing that can be read. */
  says: string;
}

/** No more of a message is read, in characters. */
const maxRead = 100_000;

/** What stands before it: "Agent streaming failed: ", "Agent failed with model error: ". */
const prefix = /^(?:[A-Za-z ]{1,60}: )?/;

/** 26.x: `status_code: 429, model_name: m, body: {…}`; 25.x: `Error code: 429 - {…}`. */
const answered = /^(?:status_code: |Error code: )(\d{3})\b/;

/** 25.14 and 26.1 say the first, their client library the second. */
const unanswered = /^(?:Connection error|Request timed out)\.?\s*$/;

/** The failure of a language model that a message is about; undefined if it is about something else. */
export function readModelFailure(message: string): ModelFailure | undefined {
  const text = message.slice(0, maxRead).trim();
  const words = text.slice(prefix.exec(text)?.[0].length ?? 0);
  if (unanswered.test(words)) return { kind: "unreachable", says: "" };
  // Without a prefix of its own the text begins like one.
  const [, digits] = answered.exec(words) ?? answered.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const status = Number(digits);
  const body = bodyOf(text);
  return { kind: kindOf(status, body), status, says: providerMessage(body) };
}

function kindOf(status: number, body: string): ModelFailure["kind"] {
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

/** The provider's answer: a Python dictionary, or a list with one. */
function bodyOf(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  return start < 0 ? "" : text.slice(start, end + 1);
}

/** OpenAI and Google nest what they say in `error`; the client library of 26.x has taken it out for some. */
function providerMessage(body: string): string {
  const answer = readPythonDict(body);
  const error = answer?.get("error");
  const inner = error === undefined ? undefined : readPythonDict(error);
  const said = answer?.get("message") ?? inner?.get("message") ?? (inner ? undefined : error) ?? "";
  return said.trim().split("\n", 1)[0] ?? "";
}
