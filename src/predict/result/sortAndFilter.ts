import type { ResultView } from "../messages.ts";
import { rowContains, type RowTable } from "./rowTable.ts";
import { compareNumbers } from "../../shared/textTable.ts";
import { EventLoopYielder } from "../../mindsdb/yieldToEventLoop.ts";
import { parseNumberLiteral, parseStringLiteral } from "../rows/jsonLiteral.ts";

/** The indices of a view's rows in its order; undefined if the view shows all rows in their own order. */
export async function sortAndFilter(
  table: RowTable,
  view: ResultView,
): Promise<Uint32Array | undefined> {
  if (!view.sort && !view.find && !view.refusedOnly) return undefined;
  const yielder = new EventLoopYielder();
  const shown = await filterRows(table, view, yielder);
  return view.sort ? sortRows(table, view.sort, shown, yielder) : shown;
}

async function filterRows(
  table: RowTable,
  { find, refusedOnly }: ResultView,
  yielder: EventLoopYielder,
): Promise<Uint32Array> {
  const found = new Uint32Array(table.length);
  const wanted = find?.toLowerCase();
  let count = 0;
  for (let row = 0; row < found.length; row++) {
    if (row % 64 === 0) await yielder.yieldIfDue();
    if (refusedOnly && table.refusedAt(row) === undefined) continue;
    if (wanted && !rowContains(table, row, wanted)) continue;
    found[count++] = row;
  }
  return found.subarray(0, count);
}

/** Rows that are sorted at a time; the blocks are then merged. */
const blockRows = 4_096;

/** Sorts numbers before texts and rows without a value last in both directions. Equal values keep the order of the file. */
async function sortRows(
  table: RowTable,
  { column, descending }: NonNullable<ResultView["sort"]>,
  rows: Uint32Array,
  yielder: EventLoopYielder,
): Promise<Uint32Array> {
  const isInterval = table.columns[column]?.kind === "interval";
  const keys: SortKey[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % 64 === 0) await yielder.yieldIfDue();
    keys[row] = readSortKey(table.valueOf(row, column), isInterval);
  }
  const direction = descending ? -1 : 1;
  const compare = (a: number, b: number): number => {
    const one = keys[a];
    const other = keys[b];
    if (one === undefined || other === undefined) {
      return Number(one === undefined) - Number(other === undefined) || a - b;
    }
    return direction * compareKeys(one, other) || a - b;
  };
  for (let at = 0; at < rows.length; at += blockRows) {
    rows.subarray(at, at + blockRows).sort(compare);
    await yielder.yieldIfDue();
  }
  let from: Uint32Array = rows;
  let to: Uint32Array = new Uint32Array(rows.length);
  for (let width = blockRows; width < rows.length; width *= 2) {
    for (let at = 0; at < rows.length; at += 2 * width) {
      await merge(from, to, [at, at + width, at + 2 * width], compare, yielder);
    }
    [from, to] = [to, from];
  }
  return from;
}

async function merge(
  from: Uint32Array,
  to: Uint32Array,
  [start, middle, end]: [number, number, number],
  compare: (a: number, b: number) => number,
  yielder: EventLoopYielder,
): Promise<void> {
  const leftEnd = Math.min(middle, from.length);
  const rightEnd = Math.min(end, from.length);
  let left = start;
  let right = leftEnd;
  for (let at = start; at < rightEnd; at++) {
    if (at % blockRows === 0) await yielder.yieldIfDue();
    const takesLeft =
      left < leftEnd && (right >= rightEnd || compare(from[left]!, from[right]!) <= 0);
    to[at] = takesLeft ? from[left++]! : from[right++]!;
  }
}

/** A number that JavaScript's numbers may not hold exactly. */
interface LongNumber {
  value: number;
  text: string;
}

type SortKey = number | LongNumber | string | undefined;

/** Numbers of more digits than JavaScript's numbers surely keep. */
const longNumber = /^-?(?=[\d.]{16})\d+(\.\d+)?$/;

/** The value to sort by; of an interval its lower bound. */
function readSortKey(json: string | undefined, isInterval: boolean): SortKey {
  if (json === undefined || json === "null") return undefined;
  if (isInterval) return (JSON.parse(json) as [number])[0];
  const text = parseStringLiteral(json);
  const value = parseNumberLiteral(json);
  if (Number.isNaN(value)) return text;
  return longNumber.test(text) ? { value, text } : value;
}

function compareKeys(a: NonNullable<SortKey>, b: NonNullable<SortKey>): number {
  const isText = typeof a === "string";
  if (isText !== (typeof b === "string")) return isText ? 1 : -1;
  const [one, other] = [valueOf(a), valueOf(b)];
  if (one < other) return -1;
  if (one > other) return 1;
  return typeof a === "object" || typeof b === "object" ? compareNumbers(textOf(a), textOf(b)) : 0;
}

const valueOf = (key: NonNullable<SortKey>): number | string =>
  typeof key === "object" ? key.value : key;
const textOf = (key: NonNullable<SortKey>): string =>
  typeof key === "object" ? key.text : String(key);
