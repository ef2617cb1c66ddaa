// The metadata of a stored result: what is needed to show it again and to find out whether it is outdated.
import * as v from "valibot";

/** The version of the format; results with another one are ignored. */
const format = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const column = v.object({
  name: v.string(),
  part: v.picklist(["predicted", "difference", "actual", "error", "input"]),
  kind: v.picklist(["text", "number", "interval"]),
});

/** The kind of the files on disk: of a prediction run, or of the table of a statement. */
const rows = v.variant("kind", [
  v.object({
    kind: v.literal("run"),
    length: count,
    refused: count,
    columns: v.object({
      target: v.optional(v.string()),
      sources: v.array(
        v.object({
          column,
          from: v.picklist(["reply", "explanation", "interval", "row", "error"]),
        }),
      ),
    }),
  }),
  v.object({ kind: v.literal("table"), length: count }),
]);
export type StoredRows = v.InferOutput<typeof rows>;

/** A training of a model. The date distinguishes trainings with the same version number. */
const training = v.object({ version: v.number(), createdAt: v.optional(v.string()) });

const model = v.object({ project: v.string(), name: v.string(), version: v.optional(v.number()) });

/** What a result was made from. */
export const origin = v.object({
  /** ms since 1970. */
  startedAt: v.number(),
  connectionId: v.string(),
  /** Hash of the cell when it ran (see resultKeys.ts). */
  contentHash: v.string(),
  model: v.optional(model),
  training: v.optional(training),
  /** The second model of a comparison. */
  comparedWith: v.optional(v.object({ model, training: v.optional(training) })),
  /** `modified` is in ms since 1970. */
  rowsFile: v.optional(v.object({ address: v.string(), bytes: v.number(), modified: v.number() })),
  /** Set if the rows were on the server; the table as the recipe names it, absent for a query. */
  serverRows: v.optional(v.object({ table: v.optional(v.string()) })),
  /** The table on the server that was predicted into, as data source, schema if any, and name. */
  into: v.optional(v.object({ table: v.array(v.string()), statement: v.string() })),
});
export type ResultOrigin = v.InferOutput<typeof origin>;

const metrics = v.variant("kind", [
  v.object({
    kind: v.literal("numbers"),
    count,
    mae: v.number(),
    rmse: v.number(),
    r2: v.nullable(v.number()),
  }),
  v.object({
    kind: v.literal("classes"),
    count,
    accuracy: v.number(),
    classes: v.array(v.string()),
    confusion: v.array(v.array(v.number())),
  }),
]);

/** How the run ended. */
export const outcome = v.object({
  state: v.variant("kind", [
    v.object({ kind: v.literal("done"), message: v.optional(v.string()) }),
    v.object({ kind: v.literal("stopped"), message: v.optional(v.string()) }),
    v.object({ kind: v.literal("failed"), message: v.string() }),
  ]),
  count,
  refused: count,
  notes: v.array(v.string()),
  metrics: v.optional(metrics),
  comparedMetrics: v.optional(v.array(v.object({ model: v.string(), metrics }))),
  hasNoTable: v.optional(v.boolean()),
  into: v.optional(v.object({ isWritten: v.boolean() })),
});

const keptResult = v.object({ format: v.literal(format), origin, outcome, rows });
export type ResultMetadata = Omit<v.InferOutput<typeof keptResult>, "format">;

export function formatResultMetadata(result: ResultMetadata): string {
  return JSON.stringify({ format, ...result });
}

/** Parses the metadata; undefined if the text is invalid or has another format. */
export function parseResultMetadata(text: string): ResultMetadata | undefined {
  try {
    const parsed = v.safeParse(keptResult, JSON.parse(text));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
