// Two models that get the same rows, and their replies as one row each.
import type { ModelColumn } from "../../mindsdb/predict.ts";
import { AppError, isAppError, type AppErrorKind } from "../../mindsdb/errors.ts";
import type { ComparedMetrics } from "../messages.ts";
import { formatModelName, formatNameInProject, type ModelName } from "../notebook/modelName.ts";
import { guessTarget, type KnownColumns } from "../result/columnFinder.ts";
import { ColumnReader, type AnsweredRow } from "../result/columnReader.ts";
import { formatJsonObject, isNullLiteral, parseNumberLiteral } from "../rows/jsonLiteral.ts";
import { readValueText, type Row } from "../rows/row.ts";
import { readReplies } from "./batchSender.ts";
import { MetricsCollector } from "./metrics.ts";
import { isNumberType } from "./rowChecker.ts";

/** One of the models, with what it is called in the columns of the result. */
interface ComparedModel {
  model: ModelName;
  label: string;
  /** Undefined until the first response if the model does not describe it. */
  target: ModelColumn | undefined;
  metrics?: MetricsCollector;
}

/** The column with how far two predictions are apart; for classes whether they differ. */
const differenceName = "difference";

/** Longer integers are compared as floating-point numbers. */
const maxExactDigits = 40;

/** Sends batches to two models and makes one reply of both, with columns that are named after their models. */
export class ModelComparison {
  readonly #models: readonly ComparedModel[];
  /** The responses to a body so far: one that the second model could not take yet is not sent to the first again. */
  readonly #responses = new WeakMap<Uint8Array, Uint8Array[]>();
  #isNumeric: boolean | undefined;
  /** The model that the last error came from. */
  #failed: ComparedModel | undefined;

  constructor(models: readonly { model: ModelName; target?: ModelColumn | undefined }[]) {
    const label = chooseLabel(models.map(({ model }) => model));
    this.#models = models.map(({ model, target }) => ({ model, target, label: label(model) }));
    const types = models.map(({ target }) => target?.type);
    if (types.every((type) => type !== undefined)) this.#isNumeric = types.every(isNumberType);
  }

  /** Columns of the result known before the first response. */
  get known(): KnownColumns {
    const [first] = this.#models;
    const areKnown = this.#models.every(({ target }) => target);
    return {
      target: first?.target,
      compared: areKnown
        ? { predictions: this.#models.map(predictionName), difference: differenceName }
        : { predictions: [], difference: differenceName },
    };
  }

  /** The model that the last error came from. */
  get failed(): ModelName | undefined {
    return this.#failed?.model;
  }

  get metrics(): ComparedMetrics[] {
    return this.#models.flatMap(({ label, metrics: collector }) => {
      const metrics = collector?.metrics;
      return metrics ? [{ model: label, metrics }] : [];
    });
  }

  /** Sends one body to each model, one after the other, and gives the list of their common replies. */
  async send(
    body: Uint8Array,
    rows: readonly Row[],
    predict: (model: ModelName) => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const responses = this.#responses.get(body) ?? [];
    this.#responses.set(body, responses);
    for (const model of this.#models.slice(responses.length)) {
      try {
        responses.push(await predict(model.model));
      } catch (error) {
        this.#failed = model;
        throw nameModel(error, model.label);
      }
    }
    this.#responses.delete(body);
    return this.#combine(rows, responses);
  }

  /** Compares predictions with actual values. */
  addMetrics(rows: readonly AnsweredRow[]): void {
    for (const model of this.#models) {
      const { target } = model;
      if (!target || this.#isNumeric === undefined) continue;
      model.metrics ??= new MetricsCollector(this.#isNumeric);
      const name = predictionName(model);
      for (const { row, reply } of rows) {
        const actual = readValueText(row, target.name);
        if (actual !== undefined && reply) {
          model.metrics.add(actual, readValueText(reply, name));
        }
      }
    }
  }

  #combine(rows: readonly Row[], responses: readonly Uint8Array[]): Uint8Array {
    const lists: Row[][] = [];
    for (const response of responses) {
      const replies = readReplies(response, rows.length);
      // The sender reads the same, and sends the rows again in smaller batches.
      if (!Array.isArray(replies)) return response;
      lists.push(replies);
    }
    const readers = this.#models.map((model, at) => {
      model.target ??= findTarget(rows[0], lists[at]?.[0]);
      return new ColumnReader({ target: model.target?.name, sources: [] });
    });
    const combined = rows.map((row, index) => {
      const answers = readers.map((reader, at) => {
        const answered = { row, reply: lists[at]![index]! };
        return {
          predicted: reader.predicted(answered),
          confidence: reader.explanation(answered)?.["confidence"],
        };
      });
      const [first, second] = answers.map(({ predicted }) => predicted);
      const predictions = this.#models.map(
        (model, at) => [predictionName(model), answers[at]?.predicted] as const,
      );
      const confidences = this.#models.map(
        ({ label }, at) =>
          [`confidence (${label})`, JSON.stringify(answers[at]?.confidence ?? undefined)] as const,
      );
      const difference = [differenceName, this.#compare(first, second)] as const;
      return formatJsonObject([...predictions, difference, ...confidences]);
    });
    return Buffer.from(`[${combined.join(",")}]`);
  }

  /** The absolute difference of numbers, and whether classes differ, as JSON; undefined if a number is missing. */
  #compare(first: string | undefined, second: string | undefined): string | undefined {
    const numbers = [first, second].map((json) => parseNumberLiteral(json ?? ""));
    const areNumbers = numbers.every(Number.isFinite);
    if (this.#isNumeric === undefined && !isNullLiteral(first) && !isNullLiteral(second)) {
      this.#isNumeric = areNumbers;
    }
    if (!this.#isNumeric) return String(first !== second);
    return areNumbers ? subtract(first!, second!) : undefined;
  }
}

/** Errors that are about one model, and not about the server as a whole. */
const kindsAboutModels: readonly AppErrorKind[] = [
  "serverFault",
  "refused",
  "notFound",
  "badAnswer",
  "timeout",
  "tooLarge",
  "sql",
];

/** Names a model in the message of an error that is about it. */
export function nameModel(error: unknown, model: string): unknown {
  if (!isAppError(error, ...kindsAboutModels)) return error;
  const { kind, message, detail, status } = error;
  return new AppError(kind, `${model}: ${message}`, { detail, status, cause: error });
}

/** Returns what makes a short name that tells these models apart. */
function chooseLabel(models: readonly ModelName[]): (model: ModelName) => string {
  const isSameProject = models.every(({ project }) => project === models[0]?.project);
  return isSameProject ? formatNameInProject : formatModelName;
}

function predictionName({ label, target }: ComparedModel): string {
  return `${target?.name ?? "prediction"} (${label})`;
}

function findTarget(row: Row | undefined, reply: Row | undefined): ModelColumn | undefined {
  const name = guessTarget(reply?.shape.names ?? [], (one) => !row?.shape.indexOf.has(one));
  return name === undefined ? undefined : { name };
}

/** The absolute difference of two numbers in JSON; exact for integers. */
function subtract(first: string, second: string): string {
  if ([first, second].every((json) => /^-?\d+$/.test(json) && json.length <= maxExactDigits)) {
    const difference = BigInt(first) - BigInt(second);
    return String(difference < 0n ? -difference : difference);
  }
  const difference = Math.abs(parseNumberLiteral(first) - parseNumberLiteral(second));
  return String(Number(difference.toPrecision(12)));
}
