// The outcome of one question to an agent, as far as assertions look at it.
import type { AgentRun, Transcript } from "../../chat/transcript.ts";
import { tryParseJson } from "../../mindsdb/json.ts";
import type { RankedDocument } from "./searchMetrics.ts";
import type { TestedAgent } from "../files/testFile.ts";

/** A tool that an agent has called, in the order of the calls. */
export interface ToolCall {
  /** The tool's name; `sql` for a query of an agent that names no tool (26.x). */
  name: string;
  /** For SQL `{query}`, otherwise the input: an object, or a text that is no JSON. */
  args: unknown;
}

/** Unredacted: never shown or stored. */
export interface AgentOutcome {
  output: string;
  /** From the question to the answer, in ms as seen by the client. */
  latencyMs: number;
  toolCalls: readonly ToolCall[];
  /** Steps that are thoughts. */
  reasoningSteps: number;
}

/** One execution of a question by an agent. */
export interface AskedRun {
  /** Redacted, with this run only. */
  transcript: Transcript;
  /** As it was, unredacted. */
  original: AgentRun;
  /** Removes the secrets of the agent's connection from a text. */
  redact: (text: string) => string;
}

/** A search of a knowledge base for a question. */
export interface SearchedRun {
  /** Unredacted. */
  documents: RankedDocument[];
  tookMs: number;
  /** Why the search failed, redacted. */
  reason?: string;
  /** Removes the secrets of the knowledge base's connection from a text. */
  redact: (text: string) => string;
}

/**
 * Asks an agent in a new conversation, or searches a knowledge base. Rejects with the signal's reason, and otherwise not.
 */
export type AskAgent = (
  agent: TestedAgent,
  question: string,
  signal: AbortSignal,
) => Promise<AskedRun | SearchedRun>;

/** The output of a search, for assertions: the ids as a JSON list, as promptfoo's provider gives them. */
export function toSearchOutcome({ documents, tookMs }: SearchedRun): AgentOutcome {
  const output = JSON.stringify(documents.map(({ id }) => id));
  return { output, latencyMs: tookMs, toolCalls: [], reasoningSteps: 0 };
}

/** The outcome that assertions judge; undefined if the run gave no answer. */
export function toOutcome(run: AgentRun): AgentOutcome | undefined {
  if (run.state !== "answered" || !run.answer) return undefined;
  const toolCalls = run.steps.flatMap((step): ToolCall[] => {
    if (step.kind !== "tool" && step.kind !== "sql") return [];
    const input = step.parts.find(({ kind }) => kind === "input" || kind === "sql")?.text;
    const name = step.tool ?? (step.kind === "sql" ? "sql" : "tool");
    if (step.kind === "sql") return [{ name, args: { query: input ?? "" } }];
    return [{ name, args: input === undefined ? undefined : parseArguments(input) }];
  });
  return {
    output: run.answer.text,
    latencyMs: run.answeredAt ?? run.took ?? 0,
    toolCalls,
    reasoningSteps: run.steps.filter(({ kind }) => kind === "thinking").length,
  };
}

/** The text of a call's arguments from which promptfoo reads the same value: it trims it, and parses what is JSON. */
export function formatArguments(args: unknown): string {
  const isPlain = typeof args === "string" && args !== "" && parseArguments(args) === args;
  return isPlain ? args : JSON.stringify(args);
}

/** promptfoo parses arguments that are JSON. */
function parseArguments(input: string): unknown {
  const trimmed = input.trim();
  if (trimmed === "") return undefined;
  const parsed = tryParseJson(trimmed);
  return parsed === undefined ? trimmed : parsed;
}
