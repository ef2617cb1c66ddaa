// Models and their versions.
import * as v from "valibot";
import { apiPath, type CallOptions, type Client } from "./client.ts";
import { decodeList, optionalNumber, optionalText } from "./decode.ts";
import { compareNames } from "./projects.ts";

/** One trained (or failed, or still training) version of a model. */
export interface ModelVersion {
  version: number;
  /** `generating`, `training`, `complete`, `error`, or what else the server says. */
  status: string;
  active: boolean;
  /** The predicted column. */
  target?: string;
  engine?: string;
  /** Why training failed; may hold a traceback. */
  error?: string;
  createdAt?: string;
  /** Whole seconds. */
  trainingTime?: number;
  accuracy?: number;
  /** What gave the rows to train on; it runs on the data source. */
  query?: string;
}

export interface Model {
  name: string;
  /** What requests without a version reach: the active version, else the newest. */
  current: ModelVersion;
  /** All versions, newest first. */
  versions: ModelVersion[];
}

const modelRow = v.looseObject({
  name: v.string(),
  version: v.fallback(v.number(), 1),
  status: v.fallback(v.string(), "unknown"),
  // `is_active` is always null on real servers; `active` is the field that counts (server.md 3).
  active: v.fallback(v.boolean(), false),
  predict: optionalText,
  engine: optionalText,
  error: optionalText,
  created_at: optionalText,
  training_time: optionalNumber,
  accuracy: optionalNumber,
  fetch_data_query: optionalText,
});

/**
 * A project's models, by name, each with all its versions. One request. Secrets of engines, which real servers send in
 * clear, are remembered for redaction.
 */
export async function listModels(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Model[]> {
  const answer = await client.get(apiPath`/api/projects/${project}/models`, options);
  const rows = decodeList(modelRow, client.secrets.redactValue(answer));
  const byName = new Map<string, ModelVersion[]>();
  for (const row of rows) {
    const versions = byName.get(row.name) ?? [];
    versions.push(toVersion(row));
    byName.set(row.name, versions);
  }
  return [...byName]
    .map(([name, versions]) => toModel(name, versions))
    .sort((a, b) => compareNames(a.name, b.name));
}

function toModel(name: string, versions: ModelVersion[]): Model {
  versions.sort((a, b) => b.version - a.version);
  const current = versions.find((version) => version.active) ?? versions[0];
  if (!current) throw new Error(`no version of ${name}`);
  return { name, current, versions };
}

function toVersion(row: v.InferOutput<typeof modelRow>): ModelVersion {
  return {
    version: row.version,
    status: row.status,
    active: row.active,
    ...(row.predict === undefined ? {} : { target: row.predict }),
    ...(row.engine === undefined ? {} : { engine: row.engine }),
    ...(row.error === undefined ? {} : { error: row.error }),
    ...(row.created_at === undefined ? {} : { createdAt: row.created_at }),
    ...(row.training_time === undefined ? {} : { trainingTime: row.training_time }),
    ...(row.accuracy === undefined ? {} : { accuracy: row.accuracy }),
    ...(row.fetch_data_query === undefined ? {} : { query: row.fetch_data_query }),
  };
}
