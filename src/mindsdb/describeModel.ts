// Describing a model: its summary, and the attributes that the summary lists.
import * as l10n from "@vscode/l10n";
import { responseLimits } from "./http/responseBody.ts";
import { withoutTraceback } from "./http/httpResponse.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { AppError, isAppError, type AppErrorKind } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";
import { pathOfModel } from "./modelPaths.ts";
import { readInSlices } from "./readInSlices.ts";
import type { ItemPlace } from "./references.ts";
import { quoteName, runSql } from "./sql/runSql.ts";

/** One row of a description; which columns there are depends on the attribute and on the engine. */
export type DescribedRow = JsonObject;

/** A model, or one version of it; without a version the active one is meant. */
export interface DescribedModel extends ItemPlace {
  version?: number;
}

/** Asks one model for its summary, or for an attribute; see `describeModel`. */
export type AskModel = (attribute?: string) => Promise<DescribedRow[]>;

/**
 * The first call after a server's start or idle time waits for a worker process: 9 s on an idle machine, over a minute on
 * a busy one (seen on 26.1.0 and 25.14.1).
 */
const coldStartMs = 3 * 60_000;

/**
 * A model's summary, or the rows of one attribute: `info`, `features`, and what else the summary's TABLES lists. No rows
 * where an engine describes nothing. Throws AppError; "serverFault" for an error that the engine has put into a 200.
 *
 * The request is a GET with a body, which some proxies refuse: then the same is asked as SQL.
 */
export async function describeModel(
  client: Client,
  model: DescribedModel,
  attribute?: string,
  options: CallOptions = {},
): Promise<DescribedRow[]> {
  const limits = { timeoutMs: coldStartMs, limits: responseLimits.small, ...options };
  const answer = await describeByGet(client, model, attribute, limits).catch((error: unknown) => {
    if (!mayBeTheBody(error)) throw error;
    // If SQL fails too, the error of the GET is usually the more useful one. Not if the server has stopped: the last that
    // it answers is "does not support model description" (seen on 26.1.0).
    return describeBySql(client, model, attribute, limits).catch((second: unknown) => {
      options.signal?.throwIfAborted();
      throw isAppError(second, "sql", ...noAnswer) ? second : error;
    });
  });
  const { secrets } = client;
  await secrets.learnList(answer);
  if (!Array.isArray(answer)) return readDescription(secrets.redactValue(answer));
  return readDescription(await readInSlices(answer, (row) => secrets.redactValue(row)));
}

/** The summary of a model, and its `info` if it has one. */
interface ModelDescriptions {
  summary: DescribedRow[];
  /** The attributes that the summary lists. */
  attributes: string[];
  info?: DescribedRow[];
}

/** Fields of `info`. Other implementations of the API answer any attribute, so the content is checked. */
const infoFields = ["accuracies", "column_importances", "inputs", "outputs"];

/**
 * Asks a model for its summary, and for its `info` if the summary lists it or names no attributes at all: that is not
 * MindsDB's summary then, and may be a refusal to describe without an attribute. `asksInfo` false leaves out an `info`
 * that the summary lists. Throws AppError.
 */
export async function describeFirst(ask: AskModel, asksInfo = true): Promise<ModelDescriptions> {
  let refusal: AppError | undefined;
  const summary = await ask().catch((error: unknown) => {
    if (!needsAttribute(error)) throw error;
    refusal = error;
    return [];
  });
  const [first = {}] = summary;
  const attributes = readAttributes(summary);
  if (infoFields.some((field) => Object.hasOwn(first, field))) {
    return { summary, attributes, info: summary };
  }
  if (attributes.length > 0) {
    const isWanted = asksInfo && attributes.includes("info");
    return { summary, attributes, ...(isWanted ? { info: await ask("info") } : {}) };
  }
  try {
    return { summary, attributes, info: await ask("info") };
  } catch (error) {
    if (refusal) throw refusal;
    // The server never listed the attribute, so its errors are ignored.
    const saysNothing = isAppError(error, "serverFault", "refused", "notFound", "badAnswer", "sql");
    if (saysNothing) return { summary, attributes };
    throw error;
  }
}

/** The attributes that a summary lists. */
export function readAttributes([first]: DescribedRow[]): string[] {
  const names = first?.["TABLES"];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** Errors of a server that is stopping or has stopped. */
const noAnswer: AppErrorKind[] = ["unreachable", "cutOff", "timeout"];

function needsAttribute(error: unknown): error is AppError {
  return error instanceof AppError && (error.status === 400 || error.status === 422);
}

/**
 * The rows of a description; one object is one row. Throws AppError "serverFault" for `[{"error": …}]`, "badAnswer" for
 * what is no list of rows.
 */
function readDescription(answer: unknown): DescribedRow[] {
  const isOne = isObject(answer) && Object.keys(answer).length > 0;
  const rows: unknown = isOne ? [answer] : answer;
  if (!Array.isArray(rows) || !rows.every(isObject)) {
    throw new AppError(
      "badAnswer",
      l10n.t("The server sent an unexpected description of the model."),
      {
        detail: JSON.stringify(answer)?.slice(0, 4_000),
      },
    );
  }
  const [first] = rows;
  if (rows.length === 1 && first && Object.keys(first).join() === "error") {
    const detail = String(first["error"]);
    throw new AppError("serverFault", withoutTraceback(detail), { detail });
  }
  return rows;
}

function describeByGet(
  client: Client,
  model: DescribedModel,
  attribute: string | undefined,
  options: CallOptions,
): Promise<unknown> {
  const path = `${pathOfModel(model)}/describe`;
  const body = attribute === undefined ? {} : { attribute };
  return client.get(path, { ...options, body });
}

async function describeBySql(
  client: Client,
  { project, name, version }: DescribedModel,
  attribute: string | undefined,
  options: CallOptions,
): Promise<unknown> {
  const parts = [project, name];
  if (version !== undefined) parts.push(String(version));
  if (attribute !== undefined) parts.push(attribute);
  const { columns, rows } = await runSql(
    client,
    `DESCRIBE ${parts.map(quoteName).join(".")}`,
    options,
  );
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
}

/** Whether a proxy may have refused the GET because of its body. */
function mayBeTheBody(error: unknown): boolean {
  return (
    isAppError(error, "refused", "notMindsDB", "cutOff") ||
    (error instanceof AppError && error.status === 502)
  );
}
