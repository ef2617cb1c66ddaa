// Compares rows of a table that was predicted into with what the model predicts for them.
import type { CallOptions, Client } from "../../mindsdb/http/client.ts";
import { responseLimits } from "../../mindsdb/http/responseBody.ts";
import { predict } from "../../mindsdb/predict.ts";
import { formatCount } from "../../mindsdb/sql/quoteName.ts";
import { quotePath, runSqlForText, type SqlResultText } from "../../mindsdb/sql/runSql.ts";
import type { ModelName } from "../notebook/modelName.ts";
import { ColumnReader } from "../result/columnReader.ts";
import { parseNumberLiteral } from "../rows/jsonLiteral.ts";
import { readValueText } from "../rows/row.ts";
import { readSqlRows } from "../rows/sqlRows.ts";
import { writeRequestBody } from "./requestBody.ts";
import { readResponseRows } from "./responseRows.ts";

/** Rows that are checked, and the parts of the table that they come from. */
const maxRows = 200;
const sampledParts = 20;

/** Databases with 32-bit numbers keep seven digits (seen with DuckDB). */
const relativeError = 1e-6;

interface CheckedTable {
  table: readonly string[];
  /** The number of its rows. */
  count: number;
  /** The column with the predictions. */
  predicted: string;
  model: ModelName;
  target: string;
  timeLimitMs: number;
}

/** The result of a check. Values are JSON. */
export interface TableCheck {
  checked: number;
  differing: number;
  /** The first row that differs, without the prediction, and both predictions. */
  first?: { row: string; inTable: string; ofModel: string };
}

/** Predicts random rows of a table again, and compares. Throws AppError. */
export async function checkTable(
  client: Client,
  { table, count, predicted, model, target, timeLimitMs }: CheckedTable,
  options: CallOptions,
): Promise<TableCheck> {
  const pages = await readSample(client, table, count, options);
  const inputs = pages.flatMap((page) => readSqlRows(page, (name) => name !== predicted));
  const inTable = pages.flatMap((page) => readSqlRows(page, (name) => name === predicted));
  if (inputs.length === 0) return { checked: 0, differing: 0 };
  const { body } = writeRequestBody(inputs);
  const response = await predict(client, model, body, { signal: options.signal, timeLimitMs });
  const replies = readResponseRows(response, inputs.length);
  const reader = new ColumnReader({ target, sources: [] });
  const check: TableCheck = { checked: inputs.length, differing: 0 };
  for (const [index, row] of inputs.entries()) {
    const written = readValueText(inTable[index]!, predicted) ?? "null";
    const ofModel = reader.predicted({ row, reply: replies[index] }) ?? "null";
    if (isSame(written, ofModel)) continue;
    check.differing++;
    const values = row.shape.names.map((name) => `${name}: ${readValueText(row, name) ?? "null"}`);
    check.first ??= { row: values.join(", "), inTable: written, ofModel };
  }
  return check;
}

/** All rows of a small table; of a larger one some from a random place in each of as many equal parts. */
async function readSample(
  client: Client,
  table: readonly string[],
  count: number,
  options: CallOptions,
): Promise<SqlResultText[]> {
  const isSmall = count <= maxRows;
  const size = isSmall ? maxRows : maxRows / sampledParts;
  const pages: SqlResultText[] = [];
  for (let part = 0; part < (isSmall ? 1 : sampledParts); part++) {
    const from = Math.floor((part * count) / sampledParts);
    const end = Math.floor(((part + 1) * count) / sampledParts);
    const space = end - from - size;
    const offset = isSmall ? 0 : from + Math.floor(Math.random() * (space + 1));
    const name = quotePath(table);
    const query = `SELECT * FROM ${name} LIMIT ${formatCount(size)} OFFSET ${formatCount(offset)}`;
    const limits = responseLimits.rows;
    pages.push(await runSqlForText(client, query, { limits, ...options }));
  }
  return pages;
}

function isSame(one: string, other: string): boolean {
  // The two ways that texts come write other characters as escapes or as they are.
  if (one === other || JSON.parse(one) === JSON.parse(other)) return true;
  const [a, b] = [parseNumberLiteral(one), parseNumberLiteral(other)];
  return Math.abs(a - b) <= relativeError * Math.max(Math.abs(a), Math.abs(b));
}
