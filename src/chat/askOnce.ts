// Asks an agent one question outside of any stored conversation, for tests and comparisons.
import type { AgentAccess } from "./agentAccess.ts";
import { Conversation } from "./conversation.ts";
import {
  emptyTranscript,
  reduce,
  type AgentRun,
  type ChatAgent,
  type Transcript,
} from "./transcript.ts";

interface AskOnceOptions {
  chatId: string;
  agent: ChatAgent;
  question: string;
  access: AgentAccess;
  /** Seconds the agent may take; 0 is no limit. */
  timeLimit: () => number;
  signal: AbortSignal;
  onError: (what: string, error: unknown) => void;
}

/** A question with what became of it. */
export interface OneRun {
  /** Redacted, with this run only. */
  transcript: Transcript;
  /** The same run unredacted, to be judged: never shown or stored. Its state is that of the redacted run. */
  original: AgentRun;
}

/**
 * Resolves when the run has ended, however it ended. Rejects with the signal's reason; the server cannot be told and may
 * continue. An empty question is a run without an answer: servers would send it to the model and bill it.
 */
export function askOnce(options: AskOnceOptions): Promise<OneRun> {
  const { chatId, agent, question, access, timeLimit, signal, onError } = options;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const original: AgentRun = {
      id: 1,
      question,
      startedAt: Date.now(),
      state: "running",
      steps: [],
    };
    const originals: Transcript = { chatId, agent, runs: [original], waiting: [] };
    const startedAt = performance.now();
    const at = (): number => performance.now() - startedAt;
    const recording: AgentAccess = {
      ...access,
      async *ask(...request) {
        for await (const event of access.ask(...request)) {
          reduce(originals, { type: "stepped", run: 1, at: at(), event });
          yield event;
        }
      },
    };
    const stop = (): void => {
      conversation.abandon();
      reject(signal.reason as Error);
    };
    const conversation = new Conversation({
      transcript: emptyTranscript({ chatId, agent }),
      access: recording,
      now: () => Date.now(),
      nextId: () => 1,
      timeLimit,
      onEvent: (event) => {
        if (event.type !== "ended") return;
        signal.removeEventListener("abort", stop);
        reduce(originals, { type: "ended", run: 1, at: at(), state: event.state });
        resolve({ transcript: conversation.transcript, original });
      },
      onFrame: () => undefined,
      onOffer: () => undefined,
      onError,
    });
    signal.addEventListener("abort", stop, { once: true });
    conversation.ask(question);
    if (!conversation.running && conversation.transcript.runs.length === 0) {
      signal.removeEventListener("abort", stop);
      const run: AgentRun = { ...original, state: "noAnswer" };
      resolve({ transcript: { ...conversation.transcript, runs: [run] }, original: run });
    }
  });
}
