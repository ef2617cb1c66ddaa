// What the language service of SQL files does after a key, without VS Code's own delay: problems and completion.
// Run it by itself: node test/bench/sql.bench.ts
import * as grammar from "../../src/mindsdb/sql/parser/caretPosition.ts";
import { completeSql } from "../../src/predict/completion/completeSql.ts";
import type { SqlColumn, SqlNames, SqlObject } from "../../src/predict/completion/queryColumns.ts";
import { readStatements } from "../../src/predict/sqlFile/fileStatements.ts";
import { SqlChecker } from "../../src/predict/sqlFile/sqlChecker.ts";
import type { ServerNames } from "../../src/predict/sqlFile/serverNames.ts";
import { printRows, type BenchRow } from "./bench.ts";

const keys = 100;
const maxProblemMs = 30;
const maxCompletionMs = 50;

/** 5,000 lines, five to a statement. */
const file = Array.from({ length: 1_000 }, (_, index) =>
  [
    "SELECT o.id, o.total * 1.2 AS gross, c.name",
    "FROM shop.orders AS o",
    "JOIN shop.customers AS c ON o.customer_id = c.id",
    `WHERE o.total > ${String(index)} AND c.country IN ('DE', 'FR')`,
    "ORDER BY gross DESC LIMIT 10;",
  ].join("\n"),
).join("\n");

const tables: SqlObject[] = Array.from({ length: 2_000 }, (_, index) => ({
  name: `table_${String(index)}`,
  schema: "public",
  type: "table",
}));
const columns: SqlColumn[] = Array.from({ length: 10 }, (_, index) => ({
  name: `column_${String(index)}`,
  type: "int",
}));
/** For the checks: every name of the file is looked up, and known. */
const server: ServerNames = {
  defaultDatabase: "mindsdb",
  databases: () => new Map([["shop", { name: "shop", kind: "data", hasAllColumns: true }]]),
  objects: () => listed,
  types: () => new Map(),
  lateClause: () => undefined,
  isCurrent: () => true,
  columns: () => known,
};
const listed = {
  byName: new Map(["orders", "customers"].map((name) => [name, [{ name, type: "table" }]])),
  schemas: new Map<string, string>(),
};
const known = new Map(
  ["id", "total", "name", "customer_id", "country"].map((name) => [name, name]),
);
const names: SqlNames = {
  defaultDatabase: "shop",
  databases: () => [{ name: "shop", isProject: false }],
  objects: (database) => (database === "shop" ? tables : []),
  columns: () => columns,
  handlers: () => [],
  mlEngines: () => [],
};

/** The time of a call that 95 of 100 stay below, after ten to warm up. */
function percentile(work: (key: number) => void): number {
  const times = Array.from({ length: keys + 10 }, (_, key) => {
    const start = performance.now();
    work(key);
    return performance.now() - start;
  });
  return times.slice(10).toSorted((a, b) => a - b)[Math.floor(keys * 0.95)]!;
}

function row(name: string, against: number, value: number): BenchRow {
  const named = `${name}, 95th percentile`;
  return { name: named, value, against, ratio: value / against, budget: 1, unit: "ms" };
}

/** In the middle of the file. */
function complete(statement: string): number {
  const start = file.indexOf("SELECT", file.length / 2);
  const text = `${file.slice(0, start)}${statement.replace("^", "")};\n${file.slice(start)}`;
  return percentile(() => {
    const found = completeSql(text, start + statement.indexOf("^"), grammar, names);
    if (!found || found.suggestions.length < 10) throw new Error(`nothing at ${statement}`);
  });
}

export function run(): BenchRow[] {
  const checker = new SqlChecker();
  const middle = file.indexOf("LIMIT", file.length / 2);
  const check = (key: number): void => {
    const text = file.slice(0, middle) + "x".repeat(key + 1) + file.slice(middle);
    const problems = checker.check(text, readStatements(text), 100, { server });
    if (problems.length !== 1) throw new Error("no problem");
  };
  /** As after a list has arrived. */
  const checkAgain = (): void => {
    const context = { server: { ...server } };
    if (checker.check(file, readStatements(file), 100, context).length !== 0) {
      throw new Error("a problem");
    }
  };
  return [
    row("problems in 5,000 lines", maxProblemMs, percentile(check)),
    row("names in 5,000 lines, all again", maxProblemMs, percentile(checkAgain)),
    row("tables of 2,000", maxCompletionMs, complete("SELECT * FROM shop.^")),
    row(
      "columns of 2,000 tables with 10 each",
      maxCompletionMs,
      complete("SELECT ^ FROM shop.table_1 a JOIN shop.table_2 b ON a.column_1 = b.column_1"),
    ),
    row("values in open parentheses", maxCompletionMs, complete("SELECT max(^")),
  ];
}

if (import.meta.filename === process.argv[1]) printRows(run());
