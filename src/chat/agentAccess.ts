// What a chat needs of the rest of the product; `extension.ts` hands the instance over.
import type { AgentRef } from "../mindsdb/references.ts";
import type { StepEvent } from "../mindsdb/stream/stepEvents.ts";
import type { ConnectedData } from "./suggestions/suggestQuestions.ts";

/** A failure in words. */
export interface Explanation {
  /** One plain sentence without secrets. */
  message: string;
  /** What helps, other than asking again (a chat always offers that): at most one thing. */
  action?: { title: string; command: string; arguments: unknown[] };
}

export interface AgentAccess {
  /**
   * Asks. `messages` are the answered turns and, last, the new question with an empty answer. Rejects with an AppError,
   * or with the signal's reason once it is aborted. `onFrame` gets each event of the stream as it came, not redacted.
   */
  ask(
    agent: AgentRef,
    messages: { question: string; answer: string }[],
    signal: AbortSignal,
    onFrame: (frame: string) => void,
  ): AsyncIterable<StepEvent>;
  /** What the agent is connected to, for questions to begin with; rejects like `ask`. */
  connectedData(agent: AgentRef, signal: AbortSignal): Promise<ConnectedData>;
  /** The connection's name; undefined once it is removed. */
  connectionName(connectionId: string): string | undefined;
  /** The text without secrets, those of the agent's connection among them. */
  redact(text: string, agent: AgentRef): string;
  /** The sentence and the action for an error; its detail goes to the log. */
  explain(error: unknown, agent: AgentRef): Explanation;
}
