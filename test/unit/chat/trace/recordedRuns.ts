// The runs of all recorded streams, with times.
import type { AgentRun } from "../../../../src/chat/transcript.ts";
import type { TraceOptions } from "../../../../src/chat/trace/spans.ts";
import { bodyOf, recordedStreams, toBytes } from "../../mindsdb/stream/recorded.ts";
import { runOf } from "../../mindsdb/stream/runOf.ts";

const startedAt = Date.UTC(2026, 10, 23, 8, 30);
const stepTime = 20.5;

export interface RecordedRun {
  name: string;
  run: AgentRun;
}

/**
 * A stream with documents, of which no server could be recorded: the two events for them that 25.14.1 has in its source,
 * between those of a recording.
 */
const documents = [
  { content: "Pets are welcome.", metadata: { id: "d1", relevance: 0.75, place: "attic" } },
  { page_content: "A garden in a quiet street.", metadata: { id: 7, score: 0.5 } },
  { content: "Nobody knows where this is from." },
];
const retrievalStream = {
  name: "made/retrieval",
  question: "Which flat has a garden?",
  bytes: toBytes(
    [
      { type: "start", prompt: "Which flat has a garden?", trace_id: "" },
      { type: "event", name: "retriever_end", data: { documents }, trace_id: "" },
      { type: "context", content: documents.slice(0, 1) },
      { output: "The one in the attic.", messages: [{ content: "AI: The one in the attic." }] },
      { type: "end" },
    ]
      .map((frame) => `data: ${JSON.stringify(frame)}\n\n`)
      .join(""),
  ),
};

/** Each step takes `stepTime` ms. */
export const recordedRuns: RecordedRun[] = await Promise.all(
  [...recordedStreams, retrievalStream].map(async ({ name, question = "", bytes }, index) => {
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
