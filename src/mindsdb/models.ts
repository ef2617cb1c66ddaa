// Models and their versions.
import type { CallOptions, Client } from "./http/client.ts";
import { responseLimits } from "./http/responseBody.ts";
import { decodeRows, maxItemName, readNumber, readText } from "./decode.ts";
import type { DescribedModel } from "./describeModel.ts";
import { isAppError } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";
import { isListAbsent } from "./isListAbsent.ts";
import { pathOfModel, pathOfModels } from "./modelPaths.ts";
import { sortedByName } from "./nameOrder.ts";
import type { Secrets } from "./redact/redact.ts";
import type { Model, ModelVersion } from "./listItems.ts";
import { readInSlices } from "./readInSlices.ts";

/** A model of which only the name is known; requests use it without a version. */
export function unlistedModel(name: string): Model {
  return { name, current: { version: 1, status: "unknown", active: true }, versions: [] };
}

/** False for a model of which only the name is known. */
export function isListed({ versions }: Model): boolean {
  return versions.length > 0;
}

/**
 * A project's models, by name, each with all its versions. One request. Secrets of engines, which real servers send in
 * clear, are remembered for redaction.
 */
export async function listModels(
  client: Client,
  project: string,
  options: CallOptions = {},
): Promise<Model[]> {
  const answer = await client.get(pathOfModels(project), {
    limits: responseLimits.listing,
    ...options,
  });
  learnParameters(client.secrets, answer);
  const byName = new Map<string, ModelVersion[]>();
  const { secrets } = client;
  const rows = decodeRows(answer, readRow, secrets);
  for (const { name, version } of await readInSlices(rows, (row) => withoutSecrets(row, secrets))) {
    const versions = byName.get(name);
    if (versions) versions.push(version);
    else byName.set(name, [version]);
  }
  const models = sortedByName([...byName].map(([name, versions]) => toModel(name, versions)));
  client.observe({ kind: "listed", list: "models", project, items: models });
  return models;
}

/**
 * The version that requests reach by this name; undefined where a server does not say. One request, quick also for
 * engines that take long to describe anything.
 */
export async function findVersion(
  client: Client,
  { project, name, version }: DescribedModel,
  options: CallOptions = {},
): Promise<ModelVersion | undefined> {
  try {
    const path = pathOfModel({ project, name, version });
    const answer = await client.get(path, options);
    learnParameters(client.secrets, [answer]);
    const { secrets } = client;
    const [row] = decodeRows([answer], readRow, secrets);
    const found = row && withoutSecrets(row, secrets).version;
    if (found) client.observe({ kind: "version", project, name, version: found });
    return found;
  } catch (error) {
    if (isAppError(error, "notFound", "refused", "serverFault")) return undefined;
    if (isListAbsent(error)) return undefined;
    throw error;
  }
}

function toModel(name: string, versions: ModelVersion[]): Model {
  versions.sort((a, b) => b.version - a.version);
  const current = versions.find((version) => version.active) ?? versions[0];
  if (!current) throw new Error(`no version of ${name}`);
  return { name, current, versions };
}

/** Learns the secrets of all rows before the first is read, because a row may repeat the secrets of another. */
function learnParameters(secrets: Secrets, rows: unknown): void {
  if (!Array.isArray(rows)) return;
  for (const row of rows) if (isObject(row)) secrets.learn(row["problem_definition"]);
}

interface NamedVersion {
  name: string;
  version: ModelVersion;
}

function withoutSecrets({ name, version }: NamedVersion, secrets: Secrets): NamedVersion {
  const { error, query } = version;
  return {
    name,
    version: {
      ...version,
      error: error && secrets.redact(error),
      query: query && secrets.redact(query),
    },
  };
}

/** Reads a row. Without valibot, which is slow for thousands of rows. */
function readRow(row: JsonObject): NamedVersion | undefined {
  const name = readText(row["name"]);
  if (name === undefined || name.length > maxItemName) return undefined;
  const version: ModelVersion = {
    version: readNumber(row["version"]) ?? 1,
    id: readNumber(row["id"]),
    status: readText(row["status"]) ?? "unknown",
    // `is_active` is always null on real servers; `active` is the field that counts.
    active: row["active"] === true,
    target: readText(row["predict"]),
    engine: readText(row["engine"]),
    error: readText(row["error"]),
    createdAt: readText(row["created_at"]),
    trainingTime: readNumber(row["training_time"]),
    accuracy: readNumber(row["accuracy"]),
    query: readText(row["fetch_data_query"]),
    updateStatus: readText(row["update"]),
  };
  return { name, version };
}
