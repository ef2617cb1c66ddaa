import * as l10n from "@vscode/l10n";
import { cutOff } from "../../mindsdb/cutText.ts";
import { joinNames } from "../../shared/joinNames.ts";
import { rowPlace, readTextAt } from "../rows/row.ts";
import type { RowPlace, Row, Shape } from "../rows/row.ts";

/** A column that a model takes, with the engine's name of its type if known. */
export interface InputColumn {
  name: string;
  type?: string;
}

/** A problem with a column of the rows. */
export interface Finding {
  /** missing: rows lack a column of the model; unknown: the model does not have it; wrongKind: it cannot use the values. */
  kind: "missing" | "unknown" | "wrongKind";
  column: string;
  /** The number of affected rows so far. */
  rows: number;
  /** The first affected row. */
  first: { row: number; place: RowPlace };
  /** The expected kind, and the first wrong value as JSON; with "wrongKind". */
  wanted?: "number" | "single value";
  value?: string;
}

/** Unknown columns that are listed at most: with more of them the rows are probably from another table. */
const maxUnknown = 50;

/** Columns that a sentence names. */
const maxNamed = 10;

/** Inputs that are looked for in shapes of rows, in all of them: some seconds. */
const maxLookUps = 5_000_000;

/** Characters of a wrong value or of one of many names in a sentence. */
const maxShownLength = 40;

/** Lightwood's types for numbers and for lists; all others are single values. */
const numberTypes = /^(integer|float|quantity|int|number|double|decimal)$/i;
const listTypes = /array|tags|json|list/i;

/** True if an engine's type name denotes numbers. */
export function isNumberType(type: string): boolean {
  return numberTypes.test(type);
}

type Wanted = NonNullable<Finding["wanted"]>;

/** The checks for all rows of a shape. */
interface Plan {
  /** Findings that affect every row of the shape. */
  findings: Finding[];
  values: { index: number; column: string; wanted: Wanted }[];
}

/** Checks rows against the columns of a model: names once for each shape of rows, values one by one. */
export class RowChecker {
  readonly #inputs: readonly InputColumn[];
  readonly #known: ReadonlySet<string>;
  readonly #findings = new Map<string, Finding>();
  readonly #plans = new WeakMap<Shape, Plan>();
  #lastShape: Shape | undefined;
  #lastPlan: Plan | undefined;
  #count = 0;
  #unknown = 0;
  #lookUpsLeft = maxLookUps;

  /** `targets` are columns that rows may have, too. */
  constructor(inputs: readonly InputColumn[], ...targets: (string | undefined)[]) {
    this.#inputs = inputs;
    const names = [...inputs.map(({ name }) => name), ...targets];
    this.#known = new Set(names.filter((name) => name !== undefined));
  }

  /** The findings so far, the most serious first. */
  get findings(): Finding[] {
    const order = ["missing", "wrongKind", "unknown"];
    return [...this.#findings.values()].sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind),
    );
  }

  /** The number of checked rows. */
  get count(): number {
    return this.#count;
  }

  check(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#count++;
      const plan = row.shape === this.#lastShape ? this.#lastPlan! : this.#planFor(row);
      for (const finding of plan.findings) finding.rows++;
      for (const { index, column, wanted } of plan.values) {
        if (!fits(row, index, wanted)) this.#wrongKind(row, index, column, wanted);
      }
    }
  }

  #planFor(row: Row): Plan {
    const { shape } = row;
    const plan = this.#plans.get(shape) ?? this.#createPlanIfFew(row);
    this.#plans.set(shape, plan);
    this.#lastShape = shape;
    this.#lastPlan = plan;
    return plan;
  }

  /** Each row can have a shape of its own, and a server can name any number of inputs: the rest is not checked. */
  #createPlanIfFew(row: Row): Plan {
    this.#lookUpsLeft -= this.#inputs.length;
    return this.#lookUpsLeft >= 0 ? this.#createPlan(row) : { findings: [], values: [] };
  }

  #createPlan(row: Row): Plan {
    const { indexOf } = row.shape;
    const findings: Finding[] = [];
    const values: Plan["values"] = [];
    for (const { name, type } of this.#inputs) {
      const index = indexOf.get(name);
      if (index === undefined) findings.push(this.#finding("missing", name, row));
      else if (type !== undefined && !listTypes.test(type)) {
        values.push({
          index,
          column: name,
          wanted: isNumberType(type) ? "number" : "single value",
        });
      }
    }
    for (const name of indexOf.keys()) {
      if (this.#known.has(name)) continue;
      const isListed = this.#findings.has(`unknown ${name}`);
      if (!isListed && this.#unknown++ >= maxUnknown) continue;
      findings.push(this.#finding("unknown", name, row));
    }
    return { findings, values };
  }

  #wrongKind(row: Row, index: number, column: string, wanted: Wanted): void {
    const finding = this.#finding("wrongKind", column, row);
    finding.rows++;
    finding.wanted ??= wanted;
    finding.value ??= readTextAt(row, index);
  }

  #finding(kind: Finding["kind"], column: string, row: Row): Finding {
    const key = `${kind} ${column}`;
    const known = this.#findings.get(key);
    if (known) return known;
    const finding = { kind, column, rows: 0, first: { row: this.#count, place: rowPlace(row) } };
    this.#findings.set(key, finding);
    return finding;
  }
}

/** Where rows come from. */
export interface RowsOrigin {
  name: string;
  /** Whether rows have lines, as in a file. */
  hasLines: boolean;
}

/**
 * Sentences about findings in rows, of which `count` are checked: one for all columns that none of the rows has, and one for
 * all that the model does not have.
 */
export function describeFindings(
  findings: readonly Finding[],
  origin: RowsOrigin,
  count: number,
): string[] {
  const [absent, others] = partition(
    findings,
    ({ kind, rows }) => kind === "missing" && rows === count && count > 1,
  );
  const [unknown, rest] = partition(others, ({ kind }) => kind === "unknown");
  return [
    ...(absent.length > 0 ? [describeAbsent(absent, origin, count)] : []),
    ...rest.map((finding) => describeFinding(finding, origin)),
    ...(unknown.length > 0 ? [describeUnknown(unknown, origin)] : []),
  ];
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

function describeAbsent(findings: readonly Finding[], { name }: RowsOrigin, count: number): string {
  const names = quoteColumns(findings);
  return findings.length === 1
    ? l10n.t(
        "The model needs {0}, but the first {1} rows of {2} don't have it.",
        names,
        count,
        name,
      )
    : l10n.t(
        "The model needs columns that the first {1} rows of {2} don't have: {0}.",
        names,
        count,
        name,
      );
}

function describeUnknown(findings: readonly Finding[], origin: RowsOrigin): string {
  const names = quoteColumns(findings);
  return findings.length === 1
    ? l10n.t(
        "The model does not use the column {0} (first in {1}).",
        names,
        describePlace(findings[0]!, origin),
      )
    : l10n.t("The model does not use these columns: {0}.", names);
}

function quoteColumns(findings: readonly Finding[]): string {
  const names = findings.map(({ column }) => `“${cutOff(column, maxShownLength)}”`);
  return joinNames(names, maxNamed);
}

function describePlace({ first }: Finding, { name, hasLines }: RowsOrigin): string {
  return hasLines
    ? l10n.t("row {0} ({1}, line {2})", first.row, name, first.place.line)
    : l10n.t("row {0} of {1}", first.row, name);
}

/** Says how to write a number that has a comma; empty for other values. */
function explainComma(value: string): string {
  const number = /^"\s{0,20}([+-]?\d[\d.,]{0,40})\s{0,20}"$/.exec(value)?.[1];
  if (!number?.includes(",")) return "";
  if (
    /^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+$/.test(number) &&
    !/^[+-]?[1-9]\d{0,2},\d{3}$/.test(number)
  ) {
    const right = number.replaceAll(".", "").replace(",", ".");
    return ` ${l10n.t("It has a decimal comma: write {0}.", right)}`;
  }
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(number)) {
    const right = number.replaceAll(",", "");
    const other = number.replace(",", ".");
    return /^[^,]*,[^,.]*$/.test(number)
      ? ` ${l10n.t("Write {0}, or {1} if that is a decimal comma.", right, other)}`
      : ` ${l10n.t("Write numbers without commas: {0}.", right)}`;
  }
  return "";
}

function describeFinding(finding: Finding, origin: RowsOrigin): string {
  const { kind, column, rows, wanted, value = "" } = finding;
  const where = describePlace(finding, origin);
  const count = rows === 1 ? l10n.t("1 row") : l10n.t("{0} rows", rows);
  const shown = cutOff(value, maxShownLength);
  if (kind === "missing") {
    return l10n.t("“{0}” is missing in {1}, first in {2}.", column, count, where);
  }
  return wanted === "number"
    ? l10n.t("“{0}” is not a number in {1}, first in {2}: {3}.", column, count, where, shown) +
        explainComma(value)
    : l10n.t("“{0}” is not a single value in {1}, first in {2}: {3}.", column, count, where, shown);
}

/** Nothing is sent, because rows lack columns that the model takes. */
export class MissingInputsError extends Error {}

/** Throws MissingInputsError if a table or query lacks columns that the model takes. */
export function throwIfMissing(
  inputs: readonly InputColumn[] | undefined,
  columns: readonly string[],
  source: string,
): void {
  const present = new Set(columns);
  const missing = (inputs ?? []).map(({ name }) => name).filter((name) => !present.has(name));
  if (missing.length === 0) return;
  const names = missing.map((name) => `“${name}”`).join(", ");
  throw new MissingInputsError(
    missing.length === 1
      ? l10n.t("The model needs the column {1}, but {0} doesn't have it.", source, names)
      : l10n.t("The model needs columns that {0} doesn't have: {1}.", source, names),
  );
}

const quote = 0x22;
const minus = 0x2d;
const nine = 0x39;
const openBracket = 0x5b;
const letterN = 0x6e;
const openBrace = 0x7b;

/** Whether a value has the wanted kind; null fits every kind. */
function fits({ bytes, values, at }: Row, index: number, wanted: Wanted): boolean {
  const start = values[at + 2 * index]!;
  const first = bytes[start]!;
  if (wanted === "single value") return first !== openBracket && first !== openBrace;
  if ((first <= nine && first >= minus) || first === letterN) return true;
  // Engines accept numbers in quotes.
  return first === quote && isNumber(bytes, start + 1, values[at + 2 * index + 1]! - 1);
}

/** Whether bytes are a decimal number, with or without spaces around it. */
function isNumber(bytes: Buffer, from: number, to: number): boolean {
  let start = from;
  let end = to;
  while (start < end && bytes[start] === 0x20) start++;
  while (end > start && bytes[end - 1] === 0x20) end--;
  if (isSign(bytes[start]!)) start++;
  let position = skipDigits(bytes, start, end);
  let digits = position - start;
  if (bytes[position] === 0x2e) {
    const fraction = position + 1;
    position = skipDigits(bytes, fraction, end);
    digits += position - fraction;
  }
  if (digits === 0) return false;
  if (position < end && (bytes[position]! | 0x20) === 0x65) {
    position += isSign(bytes[position + 1]!) ? 2 : 1;
    const exponent = position;
    position = skipDigits(bytes, exponent, end);
    if (position === exponent) return false;
  }
  return position === end;
}

function isSign(byte: number): boolean {
  return byte === minus || byte === 0x2b;
}

function skipDigits(bytes: Buffer, from: number, end: number): number {
  let position = from;
  while (position < end && bytes[position]! >= 0x30 && bytes[position]! <= nine) position++;
  return position;
}
