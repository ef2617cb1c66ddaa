// Sends rows to a model, and reads which columns a model has.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { withoutTraceback } from "./http/httpResponse.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { optionalText, optionalTexts } from "./decode.ts";
import {
  describeFirst,
  type AskModel,
  type DescribedModel,
  type DescribedRow,
} from "./describeModel.ts";
import { AppError, isAppError } from "./errors.ts";
import { omitUndefined } from "./json.ts";
import type { ModelVersion } from "./listItems.ts";
import { pathOfModel } from "./modelPaths.ts";
import { listModels } from "./models.ts";

/**
 * Sends `{"data": [...]}` to a model, or to one of its versions (reached as `name.version`), and gives the bytes that
 * came back: a JSON list with a row for each row sent. The time limit, if any, is for the whole answer; the first one
 * after a while takes seconds longer, while the server starts the model (seen on 26.1.0 and 25.14.1).
 */
export async function predict(
  client: Client,
  model: DescribedModel,
  body: Uint8Array,
  { signal, timeLimitMs }: { signal?: AbortSignal; timeLimitMs?: number } = {},
): Promise<Buffer> {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const stop = (): void => limit.abort(signal?.reason);
  const end = (seconds: number): void => {
    const message = l10n.t("The model did not answer within {0} s.", seconds);
    limit.abort(new AppError("timeout", message));
  };
  const timer =
    timeLimitMs === undefined ? undefined : setTimeout(end, timeLimitMs, timeLimitMs / 1000);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const options = { signal: limit.signal, timeoutMs: 0 };
    return await client.postBytes(`${pathOfModel(model)}/predict`, body, {
      ...options,
      cost: "byAction",
    });
  } catch (error) {
    throw isLostByItsProject(error, model) ? lostModelError(error) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * True for a server that knows the model but does not find it once it should predict, in a project with capital letters in
 * its name: neither by HTTP nor by SQL (seen on 26.1.0).
 */
function isLostByItsProject(error: unknown, { project }: DescribedModel): error is AppError {
  return (
    isAppError(error, "serverFault") &&
    /[A-Z]/.test(project) &&
    /model '.{0,300}' does not exist/.test(error.message)
  );
}

function lostModelError({ status, detail }: AppError): AppError {
  const message = l10n.t(
    "MindsDB can't predict with models of a project that has capital letters in its name. Train the model in another project.",
  );
  return new AppError("refused", message, { status, detail });
}

/** True for the error about a model that is in training or whose training failed. */
export function isUntrained(error: unknown): error is AppError {
  return (
    isAppError(error, "serverFault") &&
    (error.detail?.includes("model creation not completed") ?? false)
  );
}

/** A sentence that says whether the model is in training or its training failed. One request. */
export async function whyUntrained(
  client: Client,
  { project, name, version }: DescribedModel,
  options: CallOptions = {},
): Promise<AppError> {
  const models = await listModels(client, project, options);
  const { versions = [], current } = models.find((model) => model.name === name) ?? {};
  const row = version === undefined ? current : versions.find((one) => one.version === version);
  switch (row?.status) {
    case "error":
      return trainingFailure(row);
    case "complete":
      return refusal(l10n.t("The model has just finished training. Run this again."));
    case undefined:
    default:
      return refusal(
        l10n.t("The model is still training. Run this again when its training is complete."),
      );
  }
}

/** Says why the training of a version failed. */
export function trainingFailure({ error }: ModelVersion): AppError {
  const [why = ""] = withoutTraceback(error ?? "").split("\n");
  return refusal(
    why === ""
      ? l10n.t("The model's training failed.")
      : l10n.t("The model's training failed: {0}", why),
    error,
  );
}

function refusal(message: string, detail?: string): AppError {
  return new AppError("refused", message, { detail });
}

/** A column of a model, with the engine's type: "integer", "float", "categorical", … */
export interface ModelColumn {
  name: string;
  type?: string;
}

/** The columns of a model; each field may be unknown. */
export interface ModelColumns {
  inputs?: ModelColumn[];
  target?: ModelColumn;
  /** The training query, which runs on the data source. */
  query?: string;
}

const summaryRow = v.object({
  PREDICT: optionalText,
  SELECT_DATA_QUERY: optionalText,
});
const featureRow = v.object({ column: v.string(), type: optionalText, role: optionalText });
const infoRow = v.object({ inputs: v.array(v.string()), outputs: optionalTexts });

/**
 * The columns a model takes and gives, from what it says when it is asked: its features, which say types, or its info;
 * no inputs for an engine that says neither. One to three questions.
 */
export async function modelColumns(describe: AskModel): Promise<ModelColumns> {
  const ask: AskModel = (attribute) => describe(attribute).catch(nothing);
  const { summary, attributes, info: firstInfo } = await describeFirst(ask, false);
  const { PREDICT: predicted, SELECT_DATA_QUERY: query } = v.parse(summaryRow, summary[0] ?? {});
  const target = predicted === undefined ? undefined : { name: predicted };
  const known: ModelColumns = omitUndefined({ target, query });
  if (attributes.includes("features")) {
    const rows = await ask("features");
    const features = rows.filter((row) => v.is(featureRow, row));
    const inputs = features.filter(({ role }) => role !== "target").map(toColumn);
    const output = features.find(({ role }) => role === "target");
    if (inputs.length > 0) return { ...known, inputs, ...(output && { target: toColumn(output) }) };
  }
  const [info] = firstInfo ?? (attributes.includes("info") ? await ask("info") : []);
  const parsed = v.safeParse(infoRow, info);
  if (!parsed.success) return known;
  const [output] = parsed.output.outputs ?? [];
  const inputs = parsed.output.inputs.map((name) => ({ name }));
  return { ...known, inputs, ...(output !== undefined && { target: { name: output } }) };
}

/** Treats an engine that cannot describe the model as one without a description. */
function nothing(error: unknown): DescribedRow[] {
  if (isAppError(error, "serverFault")) return [];
  throw error;
}

function toColumn({ column, type }: v.InferOutput<typeof featureRow>): ModelColumn {
  return omitUndefined({ name: column, type });
}
