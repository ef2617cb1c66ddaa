// Predicts a table with the hand-written loop in a process of its own, and reports how long that took, and its memory.
import { predictTable, type LoopServer } from "./handWrittenLoop.ts";
import { measurePeak } from "./peakMemory.ts";

export interface LoopReport {
  rows: number;
  seconds: number;
  /** Memory at its peak over what the process had before. */
  megabytes: number;
}

const peak = measurePeak(process.pid);
const started = performance.now();
const loop = JSON.parse(process.argv[2] ?? "") as LoopServer & { table: string };
const rows = await predictTable(loop);
const seconds = (performance.now() - started) / 1_000;
process.send?.({ rows, seconds, megabytes: peak() } satisfies LoopReport);
