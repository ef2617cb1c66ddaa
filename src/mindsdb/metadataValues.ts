// Reads the values of a metadata column, to suggest them in filters.
import type { ColumnType } from "./listItems.ts";
import { responseLimits } from "./http/responseBody.ts";
import type { CallOptions, Client } from "./http/client.ts";
import { isAppError } from "./errors.ts";
import { asText } from "./json.ts";
import type { ItemPlace } from "./references.ts";
import { quoteName, quotePath, runSql } from "./sql/runSql.ts";

interface MetadataValues {
  /** Distinct and without null; a value is a number, a text or, rarely, a boolean. */
  values: unknown[];
  /** Undefined for a column with values of several types or without any. */
  type: ColumnType | undefined;
}

/** Real servers apply LIMIT to the chunks, before DISTINCT (seen on 26.1.0 and 25.14.1). */
const maxChunks = 10_000;

/** Longer texts are not suggested. */
const maxValueLength = 200;
const maxValues = 1_000;

/** The distinct values among a knowledge base's first 10,000 chunks, 1,000 at most, sorted. Throws AppError. */
export async function readMetadataValues(
  client: Client,
  { project, name }: ItemPlace,
  column: string,
  options: CallOptions = {},
): Promise<MetadataValues> {
  const from = quotePath([project, name]);
  const query = `SELECT DISTINCT ${quoteName(column)} FROM ${from} LIMIT ${String(maxChunks)}`;
  const { rows } = await runSql(client, query, {
    limits: responseLimits.rows,
    ...options,
    cost: "free",
  }).catch((error: unknown) => {
    if (isColumnWithoutValues(error)) return { rows: [] };
    throw error;
  });
  // A server may ignore the limit.
  const values = rows
    .slice(0, maxChunks)
    .map(([value]) => value)
    .filter((value) => value !== null);
  return {
    values: values
      .filter((value) => asText(value) !== "" && asText(value).length <= maxValueLength)
      .sort(compareValues)
      .slice(0, maxValues),
    type: detectType(values),
  };
}

/** MindsDB 25.14.1 does not know a column that no chunk has a value in. */
function isColumnWithoutValues(error: unknown): boolean {
  return isAppError(error, "sql") && error.message.includes("Binder Error");
}

function detectType(values: unknown[]): ColumnType | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === "number")) return "number";
  return values.every((value) => typeof value === "string") ? "text" : undefined;
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return asText(a).localeCompare(asText(b));
}
