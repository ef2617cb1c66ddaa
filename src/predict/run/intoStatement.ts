// The statement that predicts rows inside the server and writes them into a table.
import { formatSource, type RowSource } from "../../mindsdb/rowPages.ts";
import { formatCount } from "../../mindsdb/sql/quoteName.ts";
import { quoteName, quotePath } from "../../mindsdb/sql/runSql.ts";

export interface IntoStatement {
  source: RowSource;
  /** The columns of the source. */
  columns: readonly string[];
  /** The maximum number of rows. */
  maxRows: number;
  /** With its version: without one, another could become active before the statement runs. */
  model: { project: string; name: string; version: number };
  /** The column that the model predicts. */
  target: string;
  /** Data source, schema if any, and table. */
  into: readonly string[];
  /** Whether the table exists and is replaced. */
  replaces: boolean;
  /** A text that no statement had before. */
  nonce: string;
}

/**
 * A CREATE TABLE from a join with the model, whose predictions are in the column `predictedColumn`. Servers answer a
 * join from a cache on disk that mixes up versions and rows; it finds nothing for rows whose last column has a value
 * that was never there (25.14.1 and 26.1.0). All columns have names: a repeated one leaves an empty table behind.
 */
export function writeIntoStatement(plan: IntoStatement): string {
  const { source, columns, maxRows, model, into, replaces, nonce } = plan;
  const selected = [
    ...columns.map((name) => `t.${quoteName(name)}`),
    `m.${quoteName(plan.target)} AS ${quoteName(predictedColumn(plan))}`,
  ];
  const limit = maxRows === Infinity ? "" : ` LIMIT ${formatCount(maxRows)}`;
  const nonceColumn = quoteName(unusedName("prediction_nonce", columns));
  return [
    `CREATE ${replaces ? "OR REPLACE " : ""}TABLE ${quotePath(into)} (`,
    `  SELECT ${selected.join(", ")}`,
    `  FROM (SELECT *, '${nonce}' AS ${nonceColumn} FROM ${formatSource(source)}${limit}) AS t`,
    `  JOIN ${[model.project, model.name, String(model.version)].map(quoteName).join(".")} AS m`,
    ")",
  ].join("\n");
}

/** The column with the predictions: rows may hold the true values under the target's own name. */
export function predictedColumn(plan: Pick<IntoStatement, "target" | "columns">): string {
  return unusedName(`predicted_${plan.target}`, plan.columns);
}

/** A name that no column has, in any case: databases take `A` and `a` for the same. */
function unusedName(name: string, columns: readonly string[]): string {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  let unused = name;
  for (let n = 2; taken.has(unused.toLowerCase()); n++) unused = `${name}_${n}`;
  return unused;
}
