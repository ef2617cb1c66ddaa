// Runs a SELECT statement over rows: conditions, grouping, order and limit.
import { SqlError } from "./tokens.ts";
import type { Call, Column, Condition, Expression, Item, Select, Value } from "./statements.ts";
import { formatValue } from "../server/state.ts";
import type { Relation } from "../server/state.ts";
import { matchesWildcards } from "../../mindsdb/matchWildcards.ts";

const likeWildcards = { any: "%", one: "_" };

/** Rows to select from. Each column has the alias of its table. */
export interface Frame {
  columns: { alias: string; name: string }[];
  rows: unknown[][];
}

/** Reads a value from the rows of a group, which is one row if the statement does not group. */
type Reader = (group: unknown[][]) => unknown;

/** Creates a frame in which all columns have the same alias. */
export function frame(relation: Relation, alias: string): Frame {
  return { columns: relation.columns.map((name) => ({ alias, name })), rows: relation.rows };
}

/** Runs the statement over the frame. Throws SqlError for unknown columns. */
export function runSelect(statement: Select, from: Frame): Relation {
  const { where, groupBy, orderBy, limit, offset, isDistinct } = statement;
  const rows = where ? from.rows.filter((row) => meetsCondition(where, from, row)) : from.rows;
  const isGrouped =
    groupBy.length > 0 || statement.items.some((item) => !item.star && item.value.kind === "call");
  const groups = isGrouped ? groupRows(groupBy, from, rows) : rows.map((row) => [row]);
  const outputs = statement.items.flatMap((item, at) => createOutputs(item, at, from, isGrouped));
  const keys = orderBy.map(({ column, descending }) => {
    const name = column.path.at(-1)?.toLowerCase();
    // few: the columns that a statement names.
    const output = outputs.find(({ alias }) => alias !== undefined && alias.toLowerCase() === name);
    return { read: output?.read ?? createReader(column, from), sign: descending ? -1 : 1 };
  });
  const ordered = groups
    .map((group) => ({ group, values: keys.map(({ read }) => read(group)) }))
    .sort((a, b) => {
      const orders = keys.map(({ sign }, at) => sign * compare(a.values[at], b.values[at]));
      // few: the columns of ORDER BY.
      return orders.find((order) => order !== 0) ?? 0;
    });
  const cells = ordered.map(({ group }) => outputs.map(({ read }) => read(group)));
  const found = isDistinct ? removeDuplicates(cells) : cells;
  const end = limit === undefined ? undefined : offset + limit;
  return { columns: outputs.map(({ name }) => name), rows: found.slice(offset, end) };
}

/** Removes duplicate values and keeps the first of each. */
function removeDuplicates<T>(values: T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Converts a list of objects to a relation. Columns are in the order in which they first appear. */
export function createRelation(rows: Record<string, unknown>[]): Relation {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => columns.map((c) => (Object.hasOwn(row, c) ? row[c] : null)));
  return { columns, rows: cells };
}

export function filter(relation: Relation, conditions: Condition[]): Relation {
  const from = frame(relation, "");
  const rows = relation.rows.filter((row) => conditions.every((c) => meetsCondition(c, from, row)));
  return { ...relation, rows };
}

function findColumn(from: Frame, column: Column): number {
  const name = column.path.at(-1) ?? "";
  const alias = column.path.at(-2);
  const found = from.columns.findIndex(
    (candidate) =>
      candidate.name.toLowerCase() === name.toLowerCase() &&
      (alias === undefined || candidate.alias === alias),
  );
  if (found >= 0) return found;
  const candidates = from.columns.slice(0, 4).map((c) => `"${c.name}"`);
  throw new SqlError(
    `Binder Error: Referenced column "${name}" not found in FROM clause!\nCandidate bindings: ${candidates.join(", ")}`,
  );
}

/** Groups rows by columns. Without columns there is one group, also of no rows. */
function groupRows(groupBy: Column[], from: Frame, rows: unknown[][]): unknown[][][] {
  if (groupBy.length === 0) return [rows];
  const by = groupBy.map((column) => findColumn(from, column));
  const groups = new Map<string, unknown[][]>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((at) => row[at]));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/** The columns of the result that an item of the statement makes; `*` makes several. */
function createOutputs(
  item: Item,
  at: number,
  from: Frame,
  isGrouped: boolean,
): { name: string; alias?: string | undefined; read: Reader }[] {
  if (item.star) {
    if (isGrouped) throw new SqlError("Binder Error: * cannot be used together with GROUP BY");
    return from.columns.flatMap(({ name, alias }, column) => {
      const isMeant = item.table === undefined || item.table === alias;
      return isMeant ? [{ name, read: ([row]: unknown[][]) => row?.[column] }] : [];
    });
  }
  const { value, alias } = item;
  return [{ name: alias ?? nameColumn(value, at), alias, read: createReader(value, from) }];
}

function nameColumn(value: Expression, at: number): string {
  if (value.kind === "column") return value.path.at(-1) ?? "";
  return value.kind === "call" ? `${value.name}_${at}` : String(value.value);
}

function createReader(value: Expression, from: Frame): Reader {
  if (value.kind === "literal") return () => value.value;
  if (value.kind === "call") return createAggregate(value, from);
  const at = findColumn(from, value);
  return ([row]) => row?.[at] ?? null;
}

function createAggregate({ name, argument, isDistinct }: Call, from: Frame): Reader {
  if (argument === "*") return (rows) => rows.length;
  const aggregate = aggregates.get(name);
  if (!aggregate) {
    throw new SqlError(`Catalog Error: Scalar Function with name ${name} does not exist!`);
  }
  const at = findColumn(from, argument);
  return (rows) => {
    const cells = rows.map((row) => row[at]).filter((cell) => cell !== null && cell !== undefined);
    const values = isDistinct ? removeDuplicates(cells) : cells;
    return values.length === 0 && name !== "count" ? null : aggregate(values);
  };
}

/** Aggregate functions of at least one value. */
const aggregates = new Map<string, (values: unknown[]) => unknown>([
  ["count", (values) => values.length],
  ["sum", (values) => sum("sum", values)],
  ["avg", (values) => sum("avg", values) / values.length],
  ["min", (values) => values.reduce((a, b) => (compare(b, a) < 0 ? b : a))],
  ["max", (values) => values.reduce((a, b) => (compare(b, a) > 0 ? b : a))],
]);

function sum(name: string, values: unknown[]): number {
  const wrong = values.find((value) => Number.isNaN(Number(value)));
  if (wrong === undefined) return values.reduce((total: number, value) => total + Number(value), 0);
  throw new SqlError(`Binder Error: ${name} takes numbers, not ${JSON.stringify(wrong)}`);
}

/** Compares two values as numbers if both are numeric, otherwise as text by code units. */
function compare(a: unknown, b: unknown): number {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}

function meetsCondition(condition: Condition, from: Frame, row: unknown[]): boolean {
  if (condition.kind === "not") return !meetsCondition(condition.inner, from, row);
  if (condition.kind !== "comparison") {
    const left = meetsCondition(condition.left, from, row);
    return condition.kind === "and"
      ? left && meetsCondition(condition.right, from, row)
      : left || meetsCondition(condition.right, from, row);
  }
  const { operator, values } = condition;
  const cell = row[findColumn(from, condition.column)] ?? null;
  if (operator === "is null") return cell === null;
  return cell !== null && operators[operator]?.(cell, values) === true;
}

/** Operators for cells that are not null. */
const operators: Record<string, (cell: unknown, values: Value[]) => boolean> = {
  "is not null": () => true,
  "=": (cell, [value]) => compare(cell, value) === 0,
  "!=": (cell, [value]) => compare(cell, value) !== 0,
  "<": (cell, [value]) => compare(cell, value) < 0,
  "<=": (cell, [value]) => compare(cell, value) <= 0,
  ">": (cell, [value]) => compare(cell, value) > 0,
  ">=": (cell, [value]) => compare(cell, value) >= 0,
  between: (cell, [low, high]) => compare(cell, low) >= 0 && compare(cell, high) <= 0,
  in: (cell, values) => values.some((value) => compare(cell, value) === 0),
  like: (cell, [pattern]) => matchesWildcards(formatValue(cell), String(pattern), likeWildcards),
};
