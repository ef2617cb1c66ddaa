import { cutOff } from "../../mindsdb/cutText.ts";
import type { Client } from "../../mindsdb/http/client.ts";
import { predict } from "../../mindsdb/predict.ts";
import type { ModelName } from "../notebook/modelName.ts";
import { guessTarget } from "../result/columnFinder.ts";
import { ColumnReader } from "../result/columnReader.ts";
import { formatJsonObject, parseStringLiteral } from "../rows/jsonLiteral.ts";
import { parseRows } from "../rows/readRows.ts";
import { readReplies } from "../run/batchSender.ts";
import { writeRequestBody } from "../run/requestBody.ts";
import type { Prediction } from "./whatIfPage.ts";

/** Characters of the predictions of all rows, which are in the page's state. */
const maxPredictionsLength = 200_000;

interface RowsToPredict {
  names: readonly string[];
  rows: string[][];
  target?: string;
}

export interface PredictedRows {
  target: string;
  predictions: Prediction[];
}

/**
 * Predicts rows whose values are given as JSON, in the order of `names`. Rejects with AppError, or with the signal's
 * reason.
 */
export async function predictRows(
  client: Client,
  model: ModelName,
  { names, rows, target }: RowsToPredict,
  options: { signal: AbortSignal; timeLimitMs: number },
): Promise<PredictedRows> {
  const objects = rows.map((values) =>
    formatJsonObject(names.map((name, at) => [name, values[at] ?? "null"])),
  );
  const parsed = parseRows(Buffer.from(`[${objects.join(",")}]`));
  const { body } = writeRequestBody(parsed);
  const replies = readReplies(await predict(client, model, body, options), rows.length);
  if (!Array.isArray(replies)) throw replies;
  const found =
    target ?? guessTarget(replies[0]?.shape.names ?? [], (name) => !names.includes(name)) ?? "";
  const columns = new ColumnReader({ target: found, sources: [] });
  const predictions = replies.map((reply, at): Prediction => {
    const answered = { row: parsed[at]!, reply };
    const explanation = columns.explanation(answered) ?? {};
    const number = (key: string): number | undefined =>
      typeof explanation[key] === "number" ? explanation[key] : undefined;
    return {
      value: cutValue(columns.predicted(answered) ?? "null", maxPredictionsLength / rows.length),
      confidence: number("confidence"),
      lower: number("confidence_lower_bound"),
      upper: number("confidence_upper_bound"),
    };
  });
  return { target: found, predictions };
}

/** A value as JSON, without the end of a long one. */
function cutValue(json: string, maxLength: number): string {
  if (json.length <= maxLength) return json;
  return JSON.stringify(cutOff(parseStringLiteral(json), Math.floor(maxLength)));
}
