// Predicting: rows to a model and its answer as bytes, and what columns a model takes and gives.
import * as v from "valibot";
import { apiPath, type CallOptions, type Client } from "./client.ts";
import { optionalText, optionalTexts } from "./decode.ts";
import { AppError } from "./errors.ts";

/** A model, or one of its versions. */
export interface ModelRef {
  project: string;
  name: string;
  version?: number;
}

/** A slow model may take minutes for a batch; what takes longer is taken for a server that hangs. */
export const predictTimeLimitMs = 300_000;

/** A version is reached as `name.version` (server.md 6). */
function modelPath({ project, name, version }: ModelRef, action: "predict" | "describe"): string {
  const model = version === undefined ? name : `${name}.${version}`;
  return action === "predict"
    ? apiPath`/api/projects/${project}/models/${model}/predict`
    : apiPath`/api/projects/${project}/models/${model}/describe`;
}

/**
 * Sends `{"data": [...]}` and gives the bytes that came back: a JSON list with a row for each row sent. The time limit
 * is for the whole answer; the first one after a while takes seconds longer, while the server starts the model.
 */
export async function predict(
  client: Client,
  model: ModelRef,
  body: Uint8Array,
  { signal, timeLimitMs = predictTimeLimitMs }: { signal?: AbortSignal; timeLimitMs?: number } = {},
): Promise<Buffer> {
  const limit = new AbortController();
  const stop = (): void => limit.abort(signal?.reason);
  const timer = setTimeout(() => {
    limit.abort(
      new AppError("timeout", `The model did not answer within ${timeLimitMs / 1000} s.`),
    );
  }, timeLimitMs);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const options = { signal: limit.signal, timeoutMs: 0 };
    return await client.postBytes(modelPath(model, "predict"), body, options);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** What a model describes of itself; without an attribute, its summary. One request. */
export async function describe(
  client: Client,
  model: ModelRef,
  attribute?: string,
  options: CallOptions = {},
): Promise<Record<string, unknown>[]> {
  const body = attribute === undefined ? {} : { attribute };
  const answer = await client.get(modelPath(model, "describe"), {
    timeoutMs: 60_000,
    ...options,
    body,
  });
  return v.parse(v.fallback(v.array(v.record(v.string(), v.unknown())), []), answer);
}

/** A column of a model, with the type its engine says: "integer", "float", "categorical", … */
export interface ModelColumn {
  name: string;
  type?: string;
}

export interface ModelColumns {
  inputs: ModelColumn[];
  target?: ModelColumn;
}

const featureRow = v.object({ column: v.string(), type: optionalText, role: optionalText });
const infoRow = v.object({ inputs: v.array(v.string()), outputs: optionalTexts });

/**
 * The columns a model takes and gives: from its features, which say types, or from its info. Undefined for an engine
 * that says neither. Two or three requests.
 */
export async function modelColumns(
  client: Client,
  model: ModelRef,
  options: CallOptions = {},
): Promise<ModelColumns | undefined> {
  const [summary] = await describe(client, model, undefined, options);
  const tables = v.parse(optionalTexts, summary?.["TABLES"]) ?? [];
  if (tables.includes("features")) {
    const rows = await describe(client, model, "features", options);
    const features = rows
      .filter((row) => v.is(featureRow, row))
      .map((row) => v.parse(featureRow, row));
    const inputs = features.filter(({ role }) => role !== "target").map(toColumn);
    const target = features.find(({ role }) => role === "target");
    if (inputs.length > 0) return { inputs, ...(target ? { target: toColumn(target) } : {}) };
  }
  if (!tables.includes("info")) return undefined;
  const [info] = await describe(client, model, "info", options);
  const parsed = v.safeParse(infoRow, info);
  if (!parsed.success) return undefined;
  const [output] = parsed.output.outputs ?? [];
  const inputs = parsed.output.inputs.map((name) => ({ name }));
  return { inputs, ...(output === undefined ? {} : { target: { name: output } }) };
}

function toColumn({ column, type }: v.InferOutput<typeof featureRow>): ModelColumn {
  return { name: column, ...(type === undefined ? {} : { type }) };
}
