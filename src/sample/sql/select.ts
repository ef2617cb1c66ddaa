// Runs a SELECT statement over rows: conditions, grouping, order and limit.
import { SqlError } from "./tokens.ts";
import type { Column, Condition, Select, Value } from "./statements.ts";
import { formatValue } from "../server/state.ts";
import type { Relation } from "../server/state.ts";
import { matchesWildcards } from "../../mindsdb/matchWildcards.ts";

const likeWildcards = { any: "%", one: "_" };

/** Rows to select from. Each column has the alias of its table. */
export interface Frame {
  columns: { alias: string; name: string }[];
  rows: unknown[][];
}

/** Creates a frame in which all columns have the same alias. */
export function frame(relation: Relation, alias: string): Frame {
  return { columns: relation.columns.map((name) => ({ alias, name })), rows: relation.rows };
}

/** Runs the statement over the frame. Throws SqlError for unknown columns. */
export function runSelect(statement: Select, from: Frame): Relation {
  const { where } = statement;
  const rows = where ? from.rows.filter((row) => meetsCondition(where, from, row)) : from.rows;
  const grouped = statement.groupBy.length > 0 || statement.items.some(isAggregate);
  const result = grouped
    ? groupRows(statement, { ...from, rows })
    : projectRows(statement, { ...from, rows });
  const end = statement.limit === undefined ? undefined : statement.offset + statement.limit;
  const found = statement.isDistinct ? removeDuplicates(result.rows) : result.rows;
  return { columns: result.columns, rows: found.slice(statement.offset, end) };
}

/** Removes duplicate values and keeps the first of each. */
function removeDuplicates<T>(values: T[]): T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = JSON.stringify(value);
    return !seen.has(key) && seen.add(key);
  });
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
  return { columns: relation.columns, rows };
}

type Items = Select["items"];

function isAggregate(item: Items[number]): boolean {
  return !item.star && item.value.kind === "call";
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

function projectRows(statement: Select, from: Frame): Relation {
  const picks = statement.items.flatMap((item) => {
    if (item.star) return from.columns.map((c, at) => ({ name: c.name, at, value: null as Value }));
    const { value, alias } = item;
    if (value.kind === "literal") {
      return [{ name: alias ?? String(value.value), at: -1, value: value.value }];
    }
    if (value.kind === "call") return [];
    const name = alias ?? value.path.at(-1) ?? "";
    return [{ name, at: findColumn(from, value), value: null as Value }];
  });
  const ordered = sortRows(statement, from);
  return {
    columns: picks.map((pick) => pick.name),
    rows: ordered.map((row) => picks.map((pick) => (pick.at < 0 ? pick.value : row[pick.at]))),
  };
}

/** Sorts by columns of the frame. A name that is an item's alias is resolved to its column. */
function sortRows(statement: Select, from: Frame): unknown[][] {
  const keys = statement.orderBy.map(({ column, descending }) => {
    const item = statement.items.find((i) => !i.star && i.alias === column.path.at(-1));
    const target = item && !item.star && item.value.kind === "column" ? item.value : column;
    return { column: target, descending };
  });
  return sortBy(keys, from);
}

function sortBy(keys: Select["orderBy"], from: Frame): unknown[][] {
  const found = keys.map(({ column, descending }) => ({
    at: findColumn(from, column),
    sign: descending ? -1 : 1,
  }));
  return from.rows.toSorted((a, b) => {
    for (const { at, sign } of found) {
      const order = compare(a[at], b[at]);
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

function groupRows(statement: Select, from: Frame): Relation {
  const by = statement.groupBy.map((column) => findColumn(from, column));
  const groups = new Map<string, unknown[][]>();
  // Without groups there is one row, also of an empty table.
  if (by.length === 0) groups.set("[]", []);
  for (const row of from.rows) {
    const key = JSON.stringify(by.map((at) => row[at]));
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  const columns = statement.items.map((item, i) => {
    if (item.star) throw new SqlError("Binder Error: * cannot be used together with GROUP BY");
    if (item.alias !== undefined) return item.alias;
    if (item.value.kind === "column") return item.value.path.at(-1) ?? "";
    return item.value.kind === "call" ? `${item.value.name}_${i}` : String(item.value.value);
  });
  const rows = [...groups.values()].map((members) =>
    statement.items.map((item) => (item.star ? null : computeAggregate(item.value, from, members))),
  );
  return { columns, rows: sortBy(statement.orderBy, frame({ columns, rows }, "")) };
}

function computeAggregate(
  value: Exclude<Items[number], { star: true }>["value"],
  from: Frame,
  rows: unknown[][],
): unknown {
  if (value.kind === "literal") return value.value;
  if (value.kind === "column") return rows[0]?.[findColumn(from, value)] ?? null;
  if (value.argument === "*") return rows.length;
  const at = findColumn(from, value.argument);
  const cells = rows.map((row) => row[at]).filter((cell) => cell !== null && cell !== undefined);
  const values = value.isDistinct ? removeDuplicates(cells) : cells;
  if (value.name === "count") return values.length;
  const numbers = values.map(Number);
  const total = numbers.reduce((sum, number) => sum + number, 0);
  if (numbers.length === 0) return null;
  if (value.name === "sum") return total;
  if (value.name === "avg") return total / numbers.length;
  if (value.name === "min") return numbers.reduce((a, b) => Math.min(a, b));
  if (value.name === "max") return numbers.reduce((a, b) => Math.max(a, b));
  throw new SqlError(`Catalog Error: Scalar Function with name ${value.name} does not exist!`);
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

/** What cells that are not null are tested with. */
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
