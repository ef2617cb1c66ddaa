// Interfaces to other features that the chat uses; `extension.ts` passes the implementation.
import type { Turn } from "../mindsdb/conversationTurn.ts";
import type { AgentRef } from "../mindsdb/references.ts";
import type { StepEvent } from "../mindsdb/stream/stepEvents.ts";
import type { ErrorExplanation } from "../shared/errorExplanation.ts";
import type { ConnectedData } from "./suggestions/suggestQuestions.ts";

export interface AgentAccess {
  /**
   * Asks the agent. `messages` are the answered turns, then the new question with an empty answer. Rejects with an
   * AppError, or with the signal's reason. `onFrame` gets each event of the stream unchanged, not redacted.
   */
  ask(
    agent: AgentRef,
    messages: Turn[],
    signal: AbortSignal,
    onFrame: (frame: string) => void,
  ): AsyncIterable<StepEvent>;
  /** Reads the agent's data for suggested questions; rejects like `ask`. */
  connectedData(agent: AgentRef, signal: AbortSignal): Promise<ConnectedData>;
  /** The connection's name; undefined once it is removed. */
  connectionName(connectionId: string): string | undefined;
  /** Whether the connection is there and not read-only. */
  acceptsChanges(connectionId: string): boolean;
  /** Returns the text without secrets, including those of the agent's connection. */
  redact(text: string, agent: AgentRef): string;
  /** Returns the message and the action for an error. */
  explain(error: unknown, agent: AgentRef): ErrorExplanation;
}
