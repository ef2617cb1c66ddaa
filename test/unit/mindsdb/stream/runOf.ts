// A question and the body that answers it, as the chat takes them.
import assert from "node:assert/strict";
import {
  emptyTranscript,
  findOutcome,
  reduce,
  type AgentRun,
} from "../../../../src/chat/transcript.ts";
import { readSteps } from "../../../../src/mindsdb/stream/readSteps.ts";

/** The run that comes of it, ended; the clock stands still. */
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
