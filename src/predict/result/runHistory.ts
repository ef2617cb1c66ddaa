// The last runs of a cell. They are stored beside its result and go on to that of the next run.
import path from "node:path";
import * as v from "valibot";
import { parseNumberLiteral } from "../rows/jsonLiteral.ts";
import { readJsonFile, writeJsonFile } from "./jsonFile.ts";
import { origin, outcome } from "./resultMetadata.ts";
import type { ResultTable } from "./resultTable.ts";

/** Runs of a cell that are kept, and the first rows of each whose predictions are. */
const maxPastRuns = 10;
const maxPastRows = 1_000;
const rowsAtOnce = 50;

/** A prediction in a history is cut off after this many characters. */
const maxPredictionLength = 200;

const maxFileBytes = 16 * 1024 * 1024;
const fileName = "history.json";

const pastRun = v.object({
  origin,
  outcome,
  /** Of the first rows: the prediction as JSON, of two models with a tab between them, or why the row was refused. */
  predictions: v.array(v.string()),
});
export type PastRun = v.InferOutput<typeof pastRun>;
const pastRuns = v.array(pastRun);

/** A history with a run that has ended. Those of statements, or without rows, are not compared. */
export async function addRun(
  history: readonly PastRun[],
  run: Pick<PastRun, "origin" | "outcome">,
  table: ResultTable,
): Promise<PastRun[]> {
  if (!run.origin.model || run.outcome.count === 0) return [...history];
  const last = { ...run, predictions: await readPredictions(table) };
  return [...history, last].slice(-maxPastRuns);
}

/** The predictions of the first rows of a result, without what explains them. */
async function readPredictions(table: ResultTable): Promise<string[]> {
  const { columns } = table;
  const models = columns.some(({ part }) => part === "difference") ? 2 : 1;
  // The predictions themselves are before confidences, intervals and the like.
  const predicted = [...columns.keys()]
    .filter((at) => columns[at]!.part === "predicted")
    .slice(0, models);
  const predictions: string[] = [];
  // In pieces: a row can have thousands of other values.
  for (let from = 0; from < maxPastRows; from += rowsAtOnce) {
    const rows = await table.window(from, rowsAtOnce);
    for (const { values, refused } of rows) {
      const text = refused ?? predicted.map((at) => values[at] ?? "").join("\t");
      predictions.push(text.slice(0, maxPredictionLength));
    }
    if (rows.length < rowsAtOnce) break;
  }
  return predictions;
}

/** A row, counted from 1, whose prediction has changed. */
interface PredictionChange {
  row: number;
  before: string;
  after: string;
  /** How far apart they are. */
  size: number;
}

/** The rows whose predictions differ between two runs, those that are furthest apart first. */
export function findChanges(
  before: readonly string[],
  after: readonly string[],
): PredictionChange[] {
  return after
    .slice(0, before.length)
    .map((text, at) => {
      const size = measureChange(before[at]!, text);
      return { row: at + 1, before: before[at]!, after: text, size };
    })
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.size - a.size);
}

/** How far two predictions are apart; of two models, the larger distance. Other texts are further apart than numbers. */
function measureChange(before: string, after: string): number {
  const now = after.split("\t");
  const distances = before
    .split("\t")
    .slice(0, now.length)
    .map((text, at) => {
      if (text === now[at]) return 0;
      const distance = Math.abs(parseNumberLiteral(text) - parseNumberLiteral(now[at]!));
      return Number.isFinite(distance) ? distance : Number.MAX_VALUE;
    });
  return Math.max(...distances);
}

/** The runs in the folder of a result, the oldest first; none if there is no history, or none that can be read. */
export async function readHistory(folder: string): Promise<PastRun[]> {
  try {
    return v.parse(pastRuns, await readJsonFile(path.join(folder, fileName), maxFileBytes));
  } catch {
    return [];
  }
}

/** Stores the last runs in the folder of a result. */
export async function writeHistory(folder: string, runs: readonly PastRun[]): Promise<void> {
  if (runs.length > 0) await writeJsonFile(path.join(folder, fileName), runs);
}
