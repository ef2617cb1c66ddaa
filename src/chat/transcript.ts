// A conversation with an agent as plain data, and the one reducer that host and page use unchanged.
import type { AgentStep, StepEvent } from "../mindsdb/stream/steps.ts";

/** Where a run stands. Exactly one of the last five is how every run ends. */
export type RunState = "running" | "answered" | "stopped" | "failed" | "cutOff" | "noAnswer";

/** A step with the times the host gave it, in ms since the run began. */
export interface TimedStep extends AgentStep {
  at: number;
  /** When the next step (or the end) came; absent while it is the last one. */
  until?: number;
}

export interface Answer {
  format: "markdown" | "table";
  text: string;
  /** The whole text's length, where `text` is only its beginning. */
  length?: number;
}

/** One question and what came of it. */
export interface Run {
  id: number;
  question: string;
  /** Epoch ms. */
  startedAt: number;
  state: RunState;
  steps: TimedStep[];
  answer?: Answer;
  /** Why it failed or was cut off: one sentence, redacted. */
  reason?: string;
  /** ms from start to end, once ended. */
  took?: number;
}

export interface Transcript {
  chatId: string;
  agent: { connectionId: string; connection: string; project: string; name: string };
  runs: Run[];
}

/** Everything that can happen to a transcript; `at` is ms since the run began (the clock is the host's). */
export type ChatEvent =
  | { type: "asked"; run: number; question: string; startedAt: number }
  | { type: "stepped"; run: number; at: number; event: StepEvent }
  | {
      type: "ended";
      run: number;
      at: number;
      state: Exclude<RunState, "running">;
      reason?: string;
    };
