// What PostgreSQL calculates otherwise than the server itself: divisions of whole numbers, differences of dates, lengths,
// casts, and patterns.
import type { SqlNode } from "../../mindsdb/sql/parser/sqlNode.ts";
import { unwrap } from "../notebook/ignoredInputs.ts";
import type { NamePath } from "../notebook/namePath.ts";
import type { Span } from "../notebook/recipe.ts";

/** Of one query. */
export interface Calculations {
  divisions: WholeDivision[];
  differences: DateDifference[];
  additions: DateAddition[];
  deviations: Deviation[];
  texts: ColumnText[];
  /** Patterns of LIKE with a backslash. */
  escapes: Span[];
}

/** What an output is made of. */
export interface CalculatedValue {
  /** It is a whole number if these columns are; undefined if it may not be one. */
  whole: NamePath[] | undefined;
  /** The column whose date it may be. */
  date: NamePath | undefined;
}

/** A division of columns and whole numbers: of whole numbers, if the columns are. */
interface WholeDivision extends Span {
  text: string;
  columns: NamePath[];
}

/** A value that may be a date: a column, or what is made a date. */
interface DateOperand {
  text: string;
  /** Of a column. */
  path?: NamePath;
}

/** `a - b` as a value of its own, or compared with what may be a number. */
interface DateDifference extends Span {
  operands: DateOperand[];
  /** It is compared with a whole number, if these columns are. */
  comparedWith: readonly NamePath[];
}

/** `a + 30` or `a - 30` */
interface DateAddition extends Span {
  date: DateOperand;
  operator: string;
  days: string;
}

/** What the server calculates otherwise, whatever is in the columns. */
export interface Deviation extends Span {
  /** `length('ü')` is 2, and `~` compares the whole text. `::numeric` keeps 3 decimals, and `varchar(3)` cuts off nothing. */
  kind: "bytes" | "wholeText" | "other";
  /** What is the same everywhere. */
  fixed: string;
}

/** A column that becomes a text: in `a || b`, concat(), or a cast. */
interface ColumnText extends Span {
  path: NamePath;
  text: string;
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
const keepsWholeNumbers = /^(sum|min|max|abs|coalesce|ifnull|nullif|greatest|least|mod)$/i;
/** Functions that return a whole number whatever they get. */
const returnsWholeNumber = /^(count|length|char_length)$/i;
/** Functions that take the difference of two dates. */
const takesIntervals = /^(date_part|datepart|extract|epoch(_ms)?|to_seconds|justify_\w+)$/i;
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
    if (kind === "||") this.#readTexts([first!, last!], found);
    if (kind === "LIKE" || kind === "NOT_LIKE") this.#readPattern(unwrap(last!), found);
    const cast = readCast(node);
    if (cast) {
      for (const child of node.children) this.#compared.add(unwrap(child));
      this.#readCast(node, cast, found);
    } else if (comparison.test(kind)) this.#readComparison(unwrap(first!), unwrap(last!));
  }

  /** The server refuses to compare an interval with a number; with an interval it is right. */
  #readComparison(left: SqlNode, right: SqlNode): void {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const columns = isNull(other) ? undefined : this.#readOperands(other);
      if (columns) this.#comparedWith.set(one, columns);
      else this.#compared.add(one);
    }
  }

  /** What an output is, of which a query around it may make something. */
  readValue(node: SqlNode): CalculatedValue {
    const [date, ...others] = this.#readDate(node);
    return { whole: this.#readOperands(node), date: others.length === 0 ? date?.path : undefined };
  }

  readCall(call: SqlNode, found: Calculations): void {
    const { children } = call;
    const [called] = children;
    const name = called ? this.#read.textOf(called) : "";
    const values = readArguments(call);
    if (called && /^length$/i.test(name)) {
      found.deviations.push({ ...this.#read.placeOf(called), kind: "bytes", fixed: "char_length" });
    }
    if (/^concat(_ws)?$/i.test(name)) this.#readTexts(values, found);
    // To two decimals, a division that is meant to have some is rounded.
    const isRounded = takesDecimals.test(name) || (/^round$/i.test(name) && values.length > 1);
    if (isRounded) for (const one of values) this.#rounded.add(unwrap(one));
    if (takesIntervals.test(name)) {
      for (const one of [...children, ...values]) this.#compared.add(unwrap(one));
    }
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
    if (/^(text|varchar|char|character)$/.test(name)) this.#readTexts([value], found);
    const deviation = ((): Omit<Deviation, keyof Span> | undefined => {
      if (/^(float|float4|real)$/.test(name)) {
        return { kind: "other", fixed: `CAST(${text} AS double)` };
      }
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

  #readTexts(values: readonly SqlNode[], found: Calculations): void {
    for (const value of values) {
      const node = unwrap(value);
      const path = node.kind === "name" ? this.#read.pathOf(node) : undefined;
      if (!path) continue;
      found.texts.push({ ...this.#read.placeOf(node), path, text: this.#read.textOf(node) });
    }
  }

  #readPattern(pattern: SqlNode, found: Calculations): void {
    if (pattern.kind !== "constant" || !/\\[%_\\]/.test(this.#read.textOf(pattern))) return;
    found.escapes.push(this.#read.placeOf(pattern));
  }

  #readDivision(node: SqlNode, found: Calculations): void {
    const columns = this.#readOperands(node);
    const isConstant = columns?.length === 0 && !/[(:]/.test(this.#read.textOf(node));
    if (!columns || isConstant) return;
    found.divisions.push({ ...this.#read.placeOf(node), text: this.#read.textOf(node), columns });
  }

  /** The columns that are calculated with; undefined if there is anything but columns and whole numbers. */
  #readOperands(node: SqlNode): NamePath[] | undefined {
    const columns: NamePath[] = [];
    let left = maxOperands;
    const waiting = [node];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const operand = unwrap(next);
      const { kind, children } = operand;
      if (left-- === 0) return undefined;
      if (kind === "name") {
        const path = this.#read.pathOf(operand);
        if (!path) return undefined;
        columns.push(path);
      } else if (kind === "call") {
        const name = this.#read.textOf(children[0]!);
        if (returnsWholeNumber.test(name)) continue;
        if (!keepsWholeNumbers.test(name)) return undefined;
        waiting.push(...readArguments(operand));
      } else if (kind === "case" || kind === "whens" || kind === "when") {
        waiting.push(...readResults(operand));
      } else if (kind === "constant") {
        if (!/^(\d+|null)$/i.test(this.#read.textOf(operand))) return undefined;
      } else {
        const [first, operator, last] = children;
        if (this.#isCastToWhole(operand)) continue;
        const isSigned = children.length === 2 && first!.kind === "-";
        const isOperation = children.length === 3 && /^[-+*/%]$/.test(operator!.kind);
        if (!isSigned && !isOperation) return undefined;
        waiting.push(...(isSigned ? [operator!] : [first!, last!]));
      }
    }
    return columns;
  }

  #isCastToWhole(node: SqlNode): boolean {
    const type = readCast(node)?.type;
    return !!type && /^((small|big)?int|integer|int[248])$/i.test(this.#read.textOf(type));
  }

  #readDifference(node: SqlNode, found: Calculations): void {
    const operands = [node.children[0], node.children[2]].flatMap((one) => this.#readDate(one));
    // Of two that are made dates, it is a number of days.
    if (operands.length < 2 || operands.every(({ path }) => path === undefined)) return;
    const comparedWith = this.#comparedWith.get(node) ?? [];
    found.differences.push({ ...this.#read.placeOf(node), operands, comparedWith });
  }

  #readAddition(node: SqlNode, found: Calculations): void {
    const [first, operator, last] = node.children;
    if (!last || unwrap(last).kind !== "constant") return;
    const days = this.#read.textOf(last);
    const [date] = this.#readDate(first);
    if (!date?.path || !/^\d{1,5}$/.test(days)) return;
    found.additions.push({ ...this.#read.placeOf(node), date, operator: operator!.kind, days });
  }

  /** A date, or the first or last of dates. Calls of these in each other are none in SQL. */
  #readDate(operand: SqlNode | undefined): DateOperand[] {
    const node = operand && unwrap(operand);
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
    if (node.kind !== "name" && !cast) return [];
    const text = this.#read.textOf(node);
    if (cast) return /^date$/i.test(this.#read.textOf(cast.type)) ? [{ text }] : [];
    if (/^current_date$/i.test(text)) return [{ text }];
    const path = this.#read.pathOf(node);
    return path ? [{ text, path }] : [];
  }
}

/** `CAST(value AS type(size))` or `value::type` */
interface Cast {
  value: SqlNode;
  type: SqlNode;
  size: SqlNode | undefined;
}

function readCast({ children }: SqlNode): Cast | undefined {
  const [first, second, third, , fifth, , size] = children;
  if (first?.kind === "CAST") return { value: third!, type: fifth!, size };
  if (second?.kind === "::") return { value: first!, type: third!, size: undefined };
  return undefined;
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
