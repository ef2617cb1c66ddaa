// What PostgreSQL calculates otherwise than the server itself: divisions of whole numbers, differences of dates, casts,
// patterns, and calls of functions.
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { readCast, type Cast } from "../notebook/casts.ts";
import { unwrap } from "../notebook/ignoredInputs.ts";
import type { NamePath } from "../notebook/namePath.ts";
import type { Span } from "../notebook/recipe.ts";
import type { ColumnType } from "./columnTypes.ts";
import {
  findCallReplacement,
  findExtractReplacement,
  findDatePartReplacement,
  type CallReplacement,
} from "./callReplacements.ts";

/** Of one query. */
export interface Calculations {
  divisions: WholeDivision[];
  differences: DateDifference[];
  additions: DateAddition[];
  deviations: Deviation[];
  spans: TimeSpan[];
  /** Patterns of LIKE with a backslash. */
  escapes: Span[];
}

/** What a value is made of that is a whole number if its parts are. */
export interface WholeParts {
  columns: NamePath[];
  /** Those of the columns that are summed up: PostgreSQL's sum of a bigint is no whole number, but a numeric. */
  summed: NamePath[];
  /** Whether it is a bigint whatever the columns are. */
  isLong: boolean;
  /** Subqueries. */
  queries: SqlNode[];
}

/** What an output is made of. */
export interface CalculatedValue {
  /** Undefined if it may not be a whole number. */
  whole: WholeParts | undefined;
  /** The column whose date it may be. */
  date: NamePath | undefined;
}

/** A division of columns and whole numbers: of whole numbers, if the columns are. */
interface WholeDivision extends Span {
  text: string;
  whole: WholeParts;
  /** Whether OVER follows it, which no call can have around it. */
  isWindowed: boolean;
}

/** A value that may be a date: a column, what a subquery returns, or what is made a date. */
interface DateOperand {
  text: string;
  /** Of a column. */
  path?: NamePath;
  query?: SqlNode;
}

/** `a - b` as a value of its own, or compared with what may be a number. */
interface DateDifference extends Span {
  operands: DateOperand[];
  /** It is compared with a whole number, if these columns are. */
  comparedWith: readonly NamePath[];
}

/** `a + 30`, `a - 30`, or `a + b` */
interface DateAddition extends Span {
  date: DateOperand;
  operator: string;
  days: string;
  /** The column of the days, if they are no number. */
  column?: NamePath | undefined;
}

/** What the server calculates otherwise, or not at all. */
export interface Deviation extends Span {
  /** `length('ü')` is 2, and `~` compares the whole text. `::numeric` keeps 3 decimals, and `varchar(3)` cuts off nothing. */
  kind: "bytes" | "wholeText" | "decimalText" | "missing" | "other";
  /** What to write instead, which is the same everywhere if there is such a thing; an example for `decimalText`. */
  fixed: string;
  /** It is one only if all of these columns are of this type. */
  only?: { paths: NamePath[]; type: ColumnType };
}

/** The difference of two times as an output, also the largest, or the average of many. */
interface TimeSpan extends Span {
  text: string;
  /** The same, for times of which only one has a time zone. */
  withoutZones: string;
  /** The columns among the times, which may be no times; none in a call of age(). */
  paths: NamePath[];
  /** The subqueries among them. */
  queries: SqlNode[];
  /** Whether it is a time span if the columns are dates. */
  isOfTime: boolean;
}

/** How nodes of a statement are read. */
interface NodeReader {
  textOf: (node: SqlNode) => string;
  placeOf: (node: SqlNode) => Span;
  pathOf: (node: SqlNode) => NamePath | undefined;
}

const comparison = /^([<>=!]+|IS|IS_NOT|IN|NOT_IN|BETWEEN)$/;
/** Functions for which it does not matter whether a division has decimals, or that want them. */
const takesDecimals = /^(trunc|truncate|floor|avg|mean)$/i;
/** Functions of whole numbers that return one of them, or one made of them. */
const keepsWholeNumbers =
  /^(sum|min|max|abs|coalesce|ifnull|nullif|greatest|least|mod|lag|lead|(first|last)_value)$/i;
/** Functions that return a whole number whatever they get. */
const returnsWholeNumber = /^(count|length|char_length|row_number|(dense_)?rank|ntile)$/i;
const returnsBigint = /^(count|sum|row_number|(dense_)?rank)$/i;
/** Functions that take the difference of two dates. */
const takesIntervals = /^(date_part|datepart|extract|epoch(_ms)?|to_seconds|justify_\w+)$/i;
const wholeType = /^((small|big)?int|integer|int[248])$/i;
const longType = /^(bigint|int8)$/i;
const wholeNumber = /^(\d+|null)$/i;
const anyNumber = /^(\d+(\.\d+)?|null)$/i;
/** Longer calls and casts are not read: they are in each other, and each has the text of those in it. */
const maxText = 1000;
/** Parts of a division, beyond which it is not read. */
const maxOperands = 20;

/** Reads the expressions and calls of a tree, each before those in it. */
export class CalculationReader {
  readonly #read: NodeReader;
  /** What functions get that take decimals. */
  readonly #rounded = new Set<SqlNode>();
  /** Where the difference of two dates is no value of its own: what is compared, cast, or sorted by. */
  readonly #compared = new Set<SqlNode>();
  /** What is compared with whole numbers, if these columns are. */
  readonly #comparedWith = new Map<SqlNode, readonly NamePath[]>();
  /** What OVER follows. */
  readonly #windowed = new Set<SqlNode>();

  constructor(read: NodeReader) {
    this.#read = read;
  }

  readExpression(node: SqlNode, found: Calculations): void {
    const [first, operator, last] = node.children;
    const kind = operator?.kind ?? "";
    if (kind === "/" && !this.#rounded.has(node)) this.#readDivision(node, found);
    if (kind === "-" && !this.#compared.has(node)) this.#readDifference(node, found);
    if (kind === "+" || kind === "-") this.#readAddition(node, found);
    if (kind === "~" || kind === "!~") this.#readMatch(node, found);
    if (kind === "||") this.#readTexts([first!, last!], ["decimal"], found);
    if (kind === "LIKE" || kind === "NOT_LIKE") this.#readPattern(unwrap(last!), found);
    const cast = readCast(node);
    if (cast) {
      for (const child of node.children) this.#compared.add(unwrap(child));
      this.#readCast(node, cast, found);
    } else if (comparison.test(kind)) this.#readComparison(unwrap(first!), unwrap(last!));
  }

  /** `a / sum(b) OVER (…)`, in whose tree OVER belongs to all that is before it. */
  readWindow({ children }: SqlNode): void {
    let value = children[0] && unwrap(children[0]);
    while (value?.kind === "expression") {
      this.#windowed.add(value);
      const last = value.children.at(-1);
      value = last && unwrap(last);
    }
  }

  /** The server refuses to compare an interval with a number; with an interval it is right. */
  #readComparison(left: SqlNode, right: SqlNode): void {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const columns = isNull(other) ? undefined : this.#readColumns(other);
      if (columns) this.#comparedWith.set(one, columns);
      else this.#compared.add(one);
    }
  }

  /** A column as it is. */
  readColumn(path: NamePath): CalculatedValue {
    return { whole: { columns: [path], summed: [], isLong: false, queries: [] }, date: path };
  }

  /** What an output is, of which a query around it may make something. */
  readValue(node: SqlNode): CalculatedValue {
    const [date, ...others] = this.#readDate(node);
    return { whole: this.#readParts(node), date: others.length === 0 ? date?.path : undefined };
  }

  readCall(call: SqlNode, found: Calculations): void {
    const { children } = call;
    const [called] = children;
    const name = called ? this.#read.textOf(called) : "";
    const values = readArguments(call).reverse();
    if (called && /^length$/i.test(name)) {
      found.deviations.push({ ...this.#read.placeOf(called), kind: "bytes", fixed: "char_length" });
    }
    this.#readReplacement(call, name, values, found);
    if (/^concat(_ws)?$/i.test(name)) this.#readTexts(values, ["decimal", "boolean"], found);
    // To two decimals, a division that is meant to have some is rounded.
    const isRounded = takesDecimals.test(name) || (/^round$/i.test(name) && values.length > 1);
    if (isRounded) for (const one of values) this.#rounded.add(unwrap(one));
    if (takesIntervals.test(name)) {
      for (const one of [...children, ...values]) this.#compared.add(unwrap(one));
    }
  }

  #readReplacement(
    call: SqlNode,
    name: string,
    values: readonly SqlNode[],
    found: Calculations,
  ): void {
    if (call.end - call.start > maxText) return;
    const { textOf, placeOf, pathOf } = this.#read;
    const [, , part, from, operand] = call.children;
    const texts = values.map(textOf);
    let replacement: CallReplacement | undefined;
    if (/^extract$/i.test(name) && from?.kind === "FROM" && operand) {
      replacement = findExtractReplacement(
        textOf(part!),
        textOf(operand),
        this.#readSpan(unwrap(operand)) !== undefined,
      );
    } else if (/^date_?part$/i.test(name)) replacement = findDatePartReplacement(texts);
    else replacement = findCallReplacement(name, texts);
    if (!replacement) return;
    const { fixed, isMissing, type } = replacement;
    const first = values[0] && unwrap(values[0]);
    const path = type && first?.kind === "name" ? pathOf(first) : undefined;
    if (type && !path) return;
    const only = type && path && { only: { paths: [path], type } };
    found.deviations.push({
      ...placeOf(call),
      kind: isMissing ? "missing" : "other",
      fixed,
      ...only,
    });
  }

  /** A difference of times, which the server returns as a number (26.1.0). */
  readOutput(node: SqlNode, found: Calculations): void {
    const value = unwrap(node);
    const span = this.#readSpan(value);
    if (!span) return;
    const text = this.#read.textOf(value);
    const { difference, paths, queries, isOfTime } = span;
    const [first, , last] = (difference?.children ?? []).map((one) => this.#read.textOf(one));
    const times = `CAST(${first} AS timestamp) - CAST(${last} AS timestamp)`;
    const withoutZones = difference
      ? text.replace(this.#read.textOf(difference), () => times)
      : text;
    const place = this.#read.placeOf(value);
    found.spans.push({ ...place, text, withoutZones, paths, queries, isOfTime });
  }

  #readSpan(
    node: SqlNode,
  ): (Pick<TimeSpan, "paths" | "queries" | "isOfTime"> & { difference?: SqlNode }) | undefined {
    let span = node;
    if (span.kind === "call") {
      const name = this.#read.textOf(span.children[0]!);
      if (/^age$/i.test(name)) return { paths: [], queries: [], isOfTime: true };
      const [value] = /^(avg|min|max|sum)$/i.test(name) ? readArguments(span) : [];
      if (!value) return undefined;
      span = unwrap(value);
    }
    const [first, operator, last] = span.children;
    if (operator?.kind !== "-" || !first || !last) return undefined;
    const times = [first, last].map((one) => this.#readTime(unwrap(one)));
    if (times.includes(undefined)) return undefined;
    const paths = times.flatMap((one) => (one?.path ? [one.path] : []));
    const queries = times.flatMap((one) => (one?.query ? [one.query] : []));
    const isOfTime = paths.length + queries.length < 2;
    return { paths, queries, isOfTime, difference: span };
  }

  /** What may be a time: of a column, of a subquery, or, without any, that of now. */
  #readTime(operand: SqlNode): { path?: NamePath; query?: SqlNode } | undefined {
    let node = operand;
    if (node.kind === "call") {
      const name = this.#read.textOf(node.children[0]!);
      if (/^now$/i.test(name)) return {};
      const [value] = /^(min|max)$/i.test(name) ? readArguments(node) : [];
      if (!value) return undefined;
      node = unwrap(value);
    }
    if (node.kind === "select") return { query: node };
    if (node.kind !== "name") return undefined;
    if (/^(current_timestamp|localtimestamp)$/i.test(this.#read.textOf(node))) return {};
    const path = this.#read.pathOf(node);
    return path && { path };
  }

  readOrderTerm(node: SqlNode): void {
    let term: SqlNode | undefined = node;
    while (term?.kind === "orderTerm") term = term.children[0];
    if (term) this.#compared.add(unwrap(term));
  }

  /** `a ~ 'x'`. In the tree, AND and OR bind more closely, but the text is sent as it is. */
  #readMatch(node: SqlNode, found: Calculations): void {
    const [first, operator, last] = node.children as [SqlNode, SqlNode, SqlNode];
    let [value, pattern] = [first, last];
    while (isCombined(value)) value = value.children.at(-1)!;
    while (isCombined(pattern)) [pattern] = pattern.children as [SqlNode];
    const [text, like] = [value, pattern].map((one) => this.#read.textOf(one)) as [string, string];
    const { start } = this.#read.placeOf(value);
    const { end } = this.#read.placeOf(pattern);
    const not = operator.kind === "!~" ? "NOT " : "";
    const fixed = `${not}regexp_matches(${text}, ${like})`;
    found.deviations.push({ start, end, kind: "wholeText", fixed });
  }

  #readCast(node: SqlNode, { value, type, size }: Cast, found: Calculations): void {
    const text = this.#read.textOf(value);
    const name = this.#read.textOf(type).toLowerCase();
    const length = size && this.#read.textOf(size);
    if (/^(text|varchar|char|character)$/.test(name)) this.#readTexts([value], ["decimal"], found);
    if (wholeType.test(name)) this.#readRounding(node, value, name, found);
    const deviation = ((): Omit<Deviation, keyof Span> | undefined => {
      if (name === "float") return { kind: "other", fixed: `CAST(${text} AS double)` };
      if (/^(varchar|char|character)$/.test(name) && length) {
        return { kind: "other", fixed: `left(CAST(${text} AS text), ${length})` };
      }
      if (/^(numeric|decimal|dec)$/.test(name) && !length) {
        return { kind: "other", fixed: `CAST(${text} AS numeric(38, 10))` };
      }
      return undefined;
    })();
    if (deviation) found.deviations.push({ ...this.#read.placeOf(node), ...deviation });
  }

  /** A cast to whole numbers: the server makes 2.5 the nearest even number, unlike PostgreSQL, where it is exact. */
  #readRounding(node: SqlNode, cast: SqlNode, type: string, found: Calculations): void {
    if (node.end - node.start > maxText) return;
    const { textOf, placeOf, pathOf } = this.#read;
    const value = unwrap(cast);
    const text = textOf(value);
    const only = ((): Deviation["only"] => {
      const path = value.kind === "name" ? pathOf(value) : undefined;
      if (path) return { paths: [path], type: "decimal" };
      if (value.kind === "call") {
        const isAverage = /^avg$/i.test(textOf(value.children[0]!));
        const [one] = isAverage ? readArguments(value) : [];
        const paths = one && this.#readColumns(one, anyNumber);
        return paths && { paths, type: "exact" };
      }
      // Divisions of whole numbers are read as such.
      const paths = /\d\.\d/.test(text) ? this.#readColumns(value, anyNumber) : undefined;
      return paths && { paths, type: "exact" };
    })();
    if (!only) return;
    const fixed = `CAST(round(${text}) AS ${type})`;
    found.deviations.push({ ...placeOf(node), kind: "other", fixed, only });
  }

  /** Columns that become texts: in `a || b`, concat(), or a cast. */
  #readTexts(values: readonly SqlNode[], types: readonly ColumnType[], found: Calculations): void {
    for (const value of values) {
      const node = unwrap(value);
      const path = node.kind === "name" ? this.#read.pathOf(node) : undefined;
      if (!path) continue;
      const text = this.#read.textOf(node);
      for (const type of types) {
        const only = { paths: [path], type };
        const read = { ...this.#read.placeOf(node), only };
        if (type === "decimal") {
          const fixed = `CAST(${text} AS decimal(38, 2))`;
          found.deviations.push({ ...read, kind: "decimalText", fixed });
        } else {
          found.deviations.push({ ...read, kind: "other", fixed: `CAST(${text} AS text)` });
        }
      }
    }
  }

  #readPattern(pattern: SqlNode, found: Calculations): void {
    if (pattern.kind !== "constant" || !/\\[%_\\]/.test(this.#read.textOf(pattern))) return;
    found.escapes.push(this.#read.placeOf(pattern));
  }

  #readDivision(node: SqlNode, found: Calculations): void {
    const whole = this.#readParts(node);
    if (!whole) return;
    const isWindowed = this.#windowed.has(node);
    const text = this.#read.textOf(node);
    found.divisions.push({ ...this.#read.placeOf(node), text, whole, isWindowed });
  }

  /** The columns that are calculated with; undefined if there is anything but columns and such numbers. */
  #readColumns(node: SqlNode, numbers = wholeNumber): NamePath[] | undefined {
    const parts = this.#readParts(node, numbers);
    return parts?.queries.length === 0 ? parts.columns : undefined;
  }

  /** `isSummed`: the sum of it must be a whole number, too. */
  #readParts(node: SqlNode, numbers = wholeNumber, isSummed = false): WholeParts | undefined {
    const parts: WholeParts = { columns: [], summed: [], isLong: false, queries: [] };
    let left = maxOperands;
    const waiting = [node];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const operand = unwrap(next);
      const { kind, children } = operand;
      if (left-- === 0) return undefined;
      if (kind === "name") {
        const path = this.#read.pathOf(operand);
        if (!path) return undefined;
        parts.columns.push(path);
      } else if (kind === "call") {
        const name = this.#read.textOf(children[0]!);
        if (returnsBigint.test(name)) {
          if (isSummed) return undefined;
          parts.isLong = true;
        }
        if (returnsWholeNumber.test(name)) continue;
        if (!keepsWholeNumbers.test(name)) return undefined;
        const values = readArguments(operand);
        if (!/^sum$/i.test(name)) waiting.push(...values);
        else {
          // Not in each other: that ends at the second.
          const inner = values[0] && this.#readParts(values[0], numbers, true);
          if (!inner) return undefined;
          parts.columns.push(...inner.columns);
          parts.summed.push(...inner.columns);
        }
      } else if (kind === "case" || kind === "whens" || kind === "when") {
        waiting.push(...readResults(operand));
      } else if (kind === "constant") {
        if (!numbers.test(this.#read.textOf(operand))) return undefined;
      } else if (kind === "windowCall") {
        waiting.push(children[0]!);
      } else if (kind === "select") {
        if (isSummed) return undefined;
        parts.queries.push(operand);
      } else {
        const [first, operator, last] = children;
        const type = this.#readWholeType(operand);
        if (type !== undefined) {
          const isLong = longType.test(type);
          if (isLong && isSummed) return undefined;
          if (isLong) parts.isLong = true;
          continue;
        }
        const isSigned = children.length === 2 && first!.kind === "-";
        const isOperation = children.length === 3 && /^[-+*/%]$/.test(operator!.kind);
        if (!isSigned && !isOperation) return undefined;
        if (operator!.kind === "-" && this.#isDate(first) && this.#isDate(last)) continue;
        waiting.push(...(isSigned ? [operator!] : [first!, last!]));
      }
    }
    return parts;
  }

  /** A value that is made a date: the difference of two is a whole number. */
  #isDate(operand: SqlNode | undefined): boolean {
    return this.#readDate(operand).some(isMadeDate);
  }

  /** The type of a cast to a whole number. */
  #readWholeType(node: SqlNode): string | undefined {
    const type = readCast(node)?.type;
    const name = type && this.#read.textOf(type);
    return name !== undefined && wholeType.test(name) ? name : undefined;
  }

  #readDifference(node: SqlNode, found: Calculations): void {
    const operands = [node.children[0], node.children[2]].flatMap((one) => this.#readDate(one));
    // Of two that are made dates, it is a number of days.
    if (operands.length < 2 || operands.every(isMadeDate)) return;
    const comparedWith = this.#comparedWith.get(node) ?? [];
    found.differences.push({ ...this.#read.placeOf(node), operands, comparedWith });
  }

  #readAddition(node: SqlNode, found: Calculations): void {
    const [first, operator, last] = node.children;
    if (!last) return;
    const { textOf, placeOf, pathOf } = this.#read;
    const { kind } = unwrap(last);
    const column = kind === "name" ? pathOf(unwrap(last)) : undefined;
    const days = textOf(last);
    const [date] = this.#readDate(first);
    const isNumber = kind === "constant" && /^\d{1,5}$/.test(days);
    if (!date?.path || !(isNumber || column)) return;
    found.additions.push({ ...placeOf(node), date, operator: operator!.kind, days, column });
  }

  /** A date, or the first or last of dates. Calls of these in each other are none in SQL. */
  #readDate(operand: SqlNode | undefined): DateOperand[] {
    const node = operand && unwrap(operand);
    if (node?.kind === "select") return [{ text: this.#read.textOf(operand!), query: node }];
    if (node?.kind !== "call") return this.#readOneDate(node);
    const isOne = /^(min|max)$/i.test(this.#read.textOf(node.children[0]!));
    const [value, ...others] = isOne ? readArguments(node) : [];
    if (!value || others.length > 0) return [];
    const text = this.#read.textOf(node);
    return this.#readOneDate(unwrap(value)).map((inner) => ({ ...inner, text }));
  }

  #readOneDate(node: SqlNode | undefined): DateOperand[] {
    if (!node) return [];
    const cast = readCast(node);
    const text = this.#read.textOf(node);
    if (node.children[0]?.kind === "DATE") return [{ text }];
    if (node.kind !== "name" && !cast) return [];
    if (cast) return /^date$/i.test(this.#read.textOf(cast.type)) ? [{ text }] : [];
    if (/^current_date$/i.test(text)) return [{ text }];
    const path = this.#read.pathOf(node);
    return path ? [{ text, path }] : [];
  }
}

/** That it is a date does not depend on a column. */
function isMadeDate({ path, query }: DateOperand): boolean {
  return path === undefined && query === undefined;
}

/** `a AND b`, `NOT a`, or `a ~ b`, which bind less closely than what they consist of. */
function isCombined({ kind, children }: SqlNode): boolean {
  return kind === "expression" && children.some((one) => /^(AND|OR|NOT|!?~)$/.test(one.kind));
}

function isNull({ kind, children }: SqlNode): boolean {
  return kind === "constant" && children[0]?.kind === "NULL";
}

/** What CASE returns, or the parts of it that do. */
function readResults({ kind, children }: SqlNode): SqlNode[] {
  if (kind === "when") return children.slice(-1);
  if (kind === "whens") return [...children];
  return children.filter((one, at) => one.kind === "whens" || children[at - 1]?.kind === "ELSE");
}

/** The values that a call gets. */
function readArguments({ children }: SqlNode): SqlNode[] {
  const values: SqlNode[] = [];
  const waiting = children.filter(({ kind }) => kind === "arguments");
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (/^(arguments|items|list)$/.test(next.kind)) waiting.push(...next.children);
    else if (next.kind !== ",") values.push(next);
  }
  return values;
}
