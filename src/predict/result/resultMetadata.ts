// The metadata of a stored result: what is needed to show it again and to find out whether it is outdated.
import path from "node:path";
import * as v from "valibot";
import { resultColumn, storedProgress } from "../messages.ts";
import { modelName } from "../notebook/modelName.ts";
import { readJsonFile, writeJsonFile } from "./jsonFile.ts";

export const resultMetadataFile = "result.json";
const maxBytes = 32 * 1024 ** 2;

/** The version of the format; results with another one are ignored. */
const format = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const columnSource = v.object({
  column: resultColumn,
  from: v.picklist(["reply", "explanation", "interval", "row", "error", "list"]),
});
/**
 * A column and the source of its values: the reply, the target's explanation, the row by the column's name, or computed
 * from these; in a statement's table, whose rows are lists, the row by the column's place.
 */
export type ColumnSource = v.InferOutput<typeof columnSource>;

const columns = v.object({
  /** The predicted column; undefined while unknown. */
  target: v.optional(v.string()),
  sources: v.array(columnSource),
});
/** The columns as plain data, which can be posted to a worker thread. */
export type ColumnsData = v.InferOutput<typeof columns>;

/** The data needed to read the rows in a result's files. */
const rows = v.object({ length: count, refused: count, columns });
export type StoredRows = v.InferOutput<typeof rows>;

/** A training of a model. The date distinguishes trainings with the same version number. */
const training = v.object({ version: v.number(), createdAt: v.optional(v.string()) });

/** The origin of a result: time, server, model, and rows. */
export const origin = v.object({
  /** ms since 1970. */
  startedAt: v.number(),
  connectionId: v.string(),
  /** Hash of the cell when it ran (see cellKeys.ts). */
  contentHash: v.string(),
  model: v.optional(modelName),
  training: v.optional(training),
  /** The second model of a comparison. */
  comparedWith: v.optional(v.object({ model: modelName, training: v.optional(training) })),
  /** `modified` is in ms since 1970. */
  rowsFile: v.optional(v.object({ address: v.string(), bytes: v.number(), modified: v.number() })),
  /** Set if the rows were on the server; the table as the recipe names it, absent for a query. */
  serverRows: v.optional(v.object({ table: v.optional(v.string()) })),
  /** The table on the server that was predicted into, as data source, schema if any, and name. */
  into: v.optional(v.object({ table: v.array(v.string()), statement: v.string() })),
});
export type RunOrigin = v.InferOutput<typeof origin>;

/** How the run ended. */
export const outcome = v.object({
  state: v.variant("kind", [
    v.object({ kind: v.literal("done"), message: v.optional(v.string()) }),
    v.object({ kind: v.literal("stopped"), message: v.optional(v.string()) }),
    v.object({ kind: v.literal("failed"), message: v.string() }),
  ]),
  ...storedProgress.entries,
});

const storedResult = v.object({ format: v.literal(format), origin, outcome, rows });
export type ResultMetadata = Omit<v.InferOutput<typeof storedResult>, "format">;

/** Stores the metadata in the folder of a result. */
export function writeResultMetadata(folder: string, result: ResultMetadata): Promise<void> {
  return writeJsonFile(path.join(folder, resultMetadataFile), { format, ...result });
}

/** Reads the metadata in the folder of a result. Throws if it is missing or invalid, or has another format. */
export async function readResultMetadata(folder: string): Promise<ResultMetadata> {
  return v.parse(storedResult, await readJsonFile(path.join(folder, resultMetadataFile), maxBytes));
}
