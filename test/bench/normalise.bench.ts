// A stream's bytes to a transcript, against the SSE parser alone and each event's JSON kept in a list.
// Run it by itself: node test/bench/normalise.bench.ts
import { createParser } from "eventsource-parser";
import { emptyTranscript, reduce } from "../../src/chat/transcript.ts";
import { createFrameParser } from "../../src/mindsdb/stream/frameParser.ts";
import { StepNormalizer } from "../../src/mindsdb/stream/stepNormalizer.ts";
import { cutAt, recordedStreams, toBytes } from "../unit/mindsdb/stream/recorded.ts";
import { compare, printRows, type BenchRow } from "./bench.ts";

/** What a socket gives at once. */
const chunkLength = 65_536;

function ours(pieces: readonly Uint8Array[]): void {
  const transcript = emptyTranscript({
    chatId: "bench",
    agent: { connectionId: "c", connection: "c", project: "mindsdb", name: "agent" },
  });
  reduce(transcript, { type: "asked", run: 1, question: "?", startedAt: 0 });
  const normaliser = new StepNormalizer();
  const parser = createFrameParser((frame) => {
    for (const event of normaliser.read(frame)) {
      reduce(transcript, { type: "stepped", run: 1, at: 0, event });
    }
  });
  for (const piece of pieces) parser.feed(piece);
  parser.finish();
}

function parserAlone(pieces: readonly Uint8Array[]): number {
  const events: unknown[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) });
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
  return events.length;
}

function inChunks(bytes: Uint8Array): Uint8Array[] {
  const offsets = Array.from(
    { length: Math.ceil(bytes.length / chunkLength) - 1 },
    (_, index) => (index + 1) * chunkLength,
  );
  return cutAt(bytes, offsets);
}

function bytesOf(frames: readonly unknown[]): Uint8Array {
  return toBytes(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
}

/** A tool's call and 16 MB that it gave back, as the server sends it: twice in one event. */
function largeObservation(): Uint8Array {
  const action = { tool: "sql_db_query", tool_input: "SELECT *", log: "I query." };
  const observation = "1,666,great,downtown,3154\r\n".repeat(600_000);
  return bytesOf([
    { type: "start", prompt: "?" },
    { actions: [action], messages: [{ content: "I query." }], trace_id: "" },
    { steps: [{ action, observation }], messages: [], trace_id: "" },
    { type: "end" },
  ]);
}

function manySteps(count: number): Uint8Array {
  const frames = Array.from({ length: count }, (_, index) => {
    const tool_input = `SELECT * FROM files.home_rentals WHERE id = ${String(index)}`;
    const action = { tool: "sql_db_query", tool_input, log: `Action Input: ${tool_input}` };
    const observation = "Output columns: 'id', 'rental_price'\r\n1,3154\r\n";
    return [
      { actions: [action], messages: [{ content: action.log }], trace_id: "" },
      { steps: [{ action, observation }], messages: [{ content: observation }], trace_id: "" },
    ];
  });
  return bytesOf(frames.flat());
}

export function run(): Promise<BenchRow[]> {
  const recorded = recordedStreams.map(({ bytes, chunks = [] }) => {
    let at = 0;
    return cutAt(
      bytes,
      chunks.slice(0, -1).map(([, length]) => (at += length)),
    );
  });
  const row = (name: string, streams: Uint8Array[][], budget: number, times: number) =>
    compare(name, budget, {
      ours: () => {
        for (const pieces of streams) ours(pieces);
      },
      other: () => {
        for (const pieces of streams) parserAlone(pieces);
      },
      times,
    });
  return Promise.resolve([
    row(`the ${String(recorded.length)} recorded streams`, recorded, 2, 200),
    row("an observation of 16 MB", [inChunks(largeObservation())], 1.5, 1),
    row("10,000 steps", [inChunks(manySteps(10_000))], 2, 3),
  ]);
}

if (import.meta.filename === process.argv[1]) printRows(await run());
