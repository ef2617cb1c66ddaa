// The runs of all recorded streams, with times.
import type { AgentRun } from "../../../../src/chat/transcript.ts";
import type { TraceOptions } from "../../../../src/chat/trace/spans.ts";
import { bodyOf, recordedStreams } from "../../mindsdb/stream/recorded.ts";
import { runOf } from "../../mindsdb/stream/runOf.ts";

const startedAt = Date.UTC(2026, 10, 23, 8, 30);
const stepTime = 20.5;

export interface RecordedRun {
  name: string;
  run: AgentRun;
}

/** Each step takes `stepTime` ms. */
export const recordedRuns: RecordedRun[] = await Promise.all(
  recordedStreams.map(async ({ name, question = "", bytes }, index) => {
    const run = await runOf(question, bodyOf([bytes]));
    for (const [place, step] of run.steps.entries()) {
      step.at = place * stepTime;
      step.until = step.at + stepTime;
    }
    return { name, run: { ...run, id: index + 1, startedAt, took: run.steps.length * stepTime } };
  }),
);

export function findRun(name: string): AgentRun {
  const found = recordedRuns.find((one) => one.name === name);
  if (!found) throw new Error(`no recording ${name}`);
  return found.run;
}

export const traceOptions: TraceOptions = {
  chatId: "4f9c9c0c-7d0e-4d3a-9a58-6f7f5f8a1f00",
  agent: { connectionId: "c", connection: "Rentals", project: "mindsdb", name: "rental_agent" },
  address: "http://127.0.0.1:47334",
  hasContent: false,
  redact: (text) => text,
};
