import { readTrainingRow, type TrainingRow } from "../mindsdb/trainingRow.ts";
import {
  readModelColumns,
  type DescribedColumns,
  type DescribedServer,
} from "../models/modelColumns.ts";
import type { ModelName } from "./notebook/modelName.ts";

/** Milliseconds to wait for a row of the training data; after that the example has placeholders. */
const exampleTimeLimitMs = 2_000;

interface Example {
  columns: DescribedColumns;
  row?: TrainingRow | undefined;
}

/**
 * The columns of a model, and a row of its training data, with the values of up to `maxRows`, if that is read in time.
 * Throws AppError.
 */
export async function readExample(
  server: DescribedServer,
  model: ModelName,
  maxRows?: number,
): Promise<Example> {
  const columns = await readModelColumns(server, model);
  const { query, inputs } = columns;
  if (query === undefined || !inputs) return { columns };
  const wanted = {
    project: model.project,
    query,
    columns: inputs.map(({ name }) => name),
    ...(maxRows === undefined ? {} : { maxRows }),
  };
  const limits = { signal: AbortSignal.timeout(exampleTimeLimitMs) };
  const row = await readTrainingRow(server.client, wanted, limits).catch(() => undefined);
  return { columns, row };
}
