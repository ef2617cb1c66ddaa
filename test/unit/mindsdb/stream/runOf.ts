// Runs a question with a given response body, like the chat does.
import assert from "node:assert/strict";
import {
  emptyTranscript,
  findOutcome,
  reduce,
  type AgentRun,
} from "../../../../src/chat/transcript.ts";
import { readSteps } from "../../../../src/mindsdb/stream/readSteps.ts";

/** Returns the finished run. The clock is fixed. */
export async function runOf(question: string, body: AsyncIterable<Uint8Array>): Promise<AgentRun> {
  const agent = { connectionId: "c", connection: "local", project: "mindsdb", name: "agent" };
  const transcript = emptyTranscript({ chatId: "chat", agent });
  reduce(transcript, { type: "asked", run: 1, question, startedAt: 0 });
  const [run] = transcript.runs;
  assert.ok(run);
  let failure: unknown;
  try {
    for await (const event of readSteps(body)) {
      reduce(transcript, { type: "stepped", run: 1, at: 0, event });
    }
  } catch (error) {
    failure = error;
  }
  reduce(transcript, { type: "ended", run: 1, at: 0, ...findOutcome(run, failure) });
  return run;
}
