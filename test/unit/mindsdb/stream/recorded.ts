// The recorded streams of real servers, and functions that split and change their bytes.
import fs from "node:fs";
import path from "node:path";
import type { StepEvent } from "../../../../src/mindsdb/stream/stepEvents.ts";
import { StepNormalizer } from "../../../../src/mindsdb/stream/stepNormalizer.ts";

const folder = path.resolve(import.meta.dirname, "../../../fixtures/streams");

interface IndexEntry {
  file: string;
  status: number;
  contentType: string | null;
  question?: string;
  /** The arrival time in ms and the length of each HTTP chunk; empty if not recorded. */
  chunks?: [ms: number, length: number][];
}

export interface RecordedBody extends IndexEntry {
  /** For example "26.1.0/text_direct". */
  name: string;
  bytes: Uint8Array;
}

/** All recordings of the stream endpoint: event streams and error bodies. */
export const recordedBodies: RecordedBody[] = fs.readdirSync(folder).flatMap((version) => {
  const index = fs.readFileSync(path.join(folder, version, "index.json"), "utf8");
  return (JSON.parse(index) as IndexEntry[]).map((entry) => ({
    ...entry,
    name: `${version}/${path.parse(entry.file).name}`,
    bytes: new Uint8Array(fs.readFileSync(path.join(folder, version, entry.file))),
  }));
});

export const recordedStreams = recordedBodies.filter(({ status }) => status === 200);
export const recordedErrors = recordedBodies.filter(({ status }) => status !== 200);

/** The recordings without duplicates. */
export const distinctStreams = [
  ...new Map(recordedStreams.map((stream) => [toText(stream.bytes), stream])).values(),
];

export function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The events of a whole stream. */
export function eventsOf(bytes: Uint8Array): StepEvent[] {
  const normaliser = new StepNormalizer();
  const lines = toText(bytes).split("\n");
  return lines.flatMap((line) => (line.startsWith("data: ") ? normaliser.read(line.slice(6)) : []));
}

/** Returns the stream with other line endings. */
export function withLineEnds(bytes: Uint8Array, lineEnd: "\r\n" | "\r"): Uint8Array {
  return toBytes(toText(bytes).replaceAll("\n", lineEnd));
}

/** Returns the stream with UTF-8 characters where real servers write `\uXXXX`. */
export function unescaped(bytes: Uint8Array): Uint8Array {
  const lines = toText(bytes).split("\n");
  return toBytes(
    lines
      .map((line) =>
        line.startsWith("data: ") ? `data: ${JSON.stringify(JSON.parse(line.slice(6)))}` : line,
      )
      .join("\n"),
  );
}

/** Splits bytes before each of these offsets, which must be in ascending order. */
export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const offset of offsets) {
    pieces.push(bytes.subarray(from, offset));
    from = offset;
  }
  pieces.push(bytes.subarray(from));
  return pieces;
}

/** A body as a socket delivers it: its chunks, then `then` is awaited, then it closes. */
export async function* bodyOf(
  pieces: Iterable<Uint8Array>,
  then: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    await Promise.resolve();
    yield piece;
  }
  await then();
}
