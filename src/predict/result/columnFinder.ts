// Finds a result's columns as its rows come: what the model gave first, then what was sent; what comes later stands behind.
import { isNumberType } from "../run/rowChecker.ts";
import { explainName, ResultColumns } from "./resultColumns.ts";
import type { AnsweredRow, ColumnSource } from "./resultColumns.ts";
import { ResponseRow } from "../run/responseRows.ts";
import type { Row, Shape } from "../rows/row.ts";
import { isNullLiteral, parseNumberLiteral } from "../rows/jsonLiteral.ts";

/** What a model says of its columns. */
export interface KnownColumns {
  inputs?: readonly string[];
  target?: { name: string; type?: string } | undefined;
}

/** What a server adds to each reply for its own use. */
const housekeeping = new Set(["__mindsdb_row_id", "select_data_query", "when_data"]);

/** What an explanation says that has a column of another kind, or none. */
const shownElsewhere =
  /^(predicted_value|truth|confidence|confidence_lower_bound|confidence_upper_bound)$/;

/** Of each lot of rows so many are looked into to tell numbers from texts. */
const sampleRows = 50;

export class ColumnFinder {
  readonly #inputs: ReadonlySet<string>;
  readonly #known: KnownColumns["target"];
  readonly #sent = new Names();
  readonly #given = new Names();
  /** What explanations have a value for; a column of nothing but nulls would only take room. */
  readonly #explained = new Set<string>();
  #sources: ColumnSource[] = [];
  #shown = new Set<string>();
  /** Columns without a value up to now: nobody knows yet whether they hold numbers. */
  #undecided = new Set<ColumnSource>();
  #result: ResultColumns;

  constructor({ inputs = [], target }: KnownColumns = {}) {
    this.#inputs = new Set(inputs);
    this.#known = target;
    this.#result = new ResultColumns({ target: target?.name, sources: this.#sources });
    // There before any reply: the reasons of refused rows stand in it.
    this.#addTarget();
  }

  /** The columns that have been found. A column keeps its place, but for the first replies, which come to the front. */
  get columns(): ResultColumns {
    return this.#result;
  }

  /** Whether the target's values are numbers; undefined until that can be told. */
  get targetIsNumber(): boolean | undefined {
    if (this.#known?.type !== undefined) return isNumberType(this.#known.type);
    const source = this.#sources.find(
      ({ column, from }) => from === "reply" && column.name === this.#result.target,
    );
    if (!source || this.#undecided.has(source)) return undefined;
    if ([...this.#explained].some((key) => key.startsWith("probability_class_"))) return false;
    return source.column.kind === "number";
  }

  /** Takes the next rows into account. */
  take(rows: readonly AnsweredRow[]): void {
    const hadReplies = this.#given.size > 0;
    const newlyShaped: AnsweredRow[] = [];
    for (const answered of rows) {
      this.#sent.take(answered.row);
      if (answered.reply && this.#given.take(answered.reply)) newlyShaped.push(answered);
    }
    const sample = [...rows.slice(0, sampleRows), ...newlyShaped.slice(0, sampleRows)];
    if (!hadReplies && this.#given.size > 0) this.#startAgain();
    for (const answered of newlyShaped) {
      const explanation = this.#result.explanation(answered);
      for (const [key, value] of Object.entries(explanation ?? {})) {
        if (value !== null) this.#explained.add(key);
      }
    }
    this.#addPredicted();
    // Whether there is an error to show depends on what the predictions are.
    this.#decideKinds(sample);
    this.#addSent();
    this.#decideKinds(sample);
  }

  /** The first replies are there: they say what is predicted, and that stands in front of what was sent. */
  #startAgain(): void {
    const given = [...this.#given.all];
    this.#sources = [];
    this.#shown = new Set();
    this.#undecided = new Set();
    // A model that does not say its target explains it, or gives it first.
    const target =
      given.find((name) => name === this.#known?.name) ??
      given.find((name) => this.#given.all.has(explainName(name))) ??
      given.find((name) => this.#isFresh(name)) ??
      this.#known?.name;
    this.#result = new ResultColumns({ target, sources: this.#sources });
  }

  /** Whether a reply's column is the model's own, and no echo of what was sent. */
  #isFresh(name: string): boolean {
    return !this.#sent.all.has(name) && !this.#inputs.has(name) && !housekeeping.has(name);
  }

  #addTarget(): void {
    const { target } = this.#result;
    if (target !== undefined) this.#add("reply", target, "predicted");
  }

  #addPredicted(): void {
    if (this.#given.size === 0) return;
    const { target } = this.#result;
    if (target !== undefined) {
      this.#addTarget();
      if (this.#explained.has("confidence")) this.#add("explanation", "confidence", "predicted");
      if (this.#explained.has("confidence_lower_bound")) {
        this.#add("interval", "interval", "predicted");
      }
      for (const key of this.#explained) {
        if (!shownElsewhere.test(key)) this.#add("explanation", key, "predicted");
      }
    }
    const hidden = this.#hidden(target);
    for (const name of this.#given.all) {
      if (this.#isFresh(name) && !hidden.has(name)) this.#add("reply", name, "predicted");
    }
  }

  #addSent(): void {
    const { target } = this.#result;
    if (target !== undefined && this.#sent.all.has(target)) {
      this.#add("row", target, "actual");
      if (this.targetIsNumber) this.#add("error", target, "error");
    }
    for (const name of this.#sent.all) {
      if (name !== target) this.#add("row", name, "input");
    }
  }

  /** What the explanation says is not shown a second time. */
  #hidden(target: string | undefined): Set<string> {
    if (target === undefined) return new Set();
    const twice = ["explain", "confidence", "anomaly", "min", "max"];
    const ends = ["original", ...(this.#explained.size > 0 ? twice : [])];
    return new Set([target, ...ends.map((end) => `${target}_${end}`)]);
  }

  #add(from: ColumnSource["from"], name: string, part: ColumnSource["column"]["part"]): void {
    const key = `${from} ${part} ${name}`;
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    const kind = from === "interval" ? "interval" : from === "error" ? "number" : "text";
    const source: ColumnSource = { column: { name, part, kind }, from };
    this.#sources.push(source);
    if (kind === "text") this.#undecided.add(source);
  }

  #decideKinds(sample: readonly AnsweredRow[]): void {
    for (const source of this.#undecided) {
      const at = this.#sources.indexOf(source);
      const values = sample
        .map((answered) => this.#result.valueOf(answered, at))
        .filter((value) => !isNullLiteral(value));
      if (values.length === 0) continue;
      this.#undecided.delete(source);
      if (values.every((value) => Number.isFinite(parseNumberLiteral(value)))) {
        source.column.kind = "number";
      }
    }
  }
}

/** All names in some rows, in the order of their first appearance. Rows with names that are known are passed over. */
class Names {
  readonly all = new Set<string>();
  readonly #shapes = new WeakSet<Shape>();
  readonly #signatures = new Set<number>();
  #last: Shape | number | undefined;

  get size(): number {
    return this.all.size;
  }

  /** Whether the names had to be looked at: nobody knew that there are rows with just these. */
  take(row: Row): boolean {
    // A reply's shape is found by reading all of it: that is left to those who want its values.
    const mark = row instanceof ResponseRow ? row.signature : row.shape;
    if (mark === this.#last) return false;
    this.#last = mark;
    if (typeof mark === "number") {
      if (this.#signatures.has(mark)) return false;
      this.#signatures.add(mark);
    } else {
      if (this.#shapes.has(mark)) return false;
      this.#shapes.add(mark);
    }
    for (const name of row.shape.names) this.all.add(name);
    return true;
  }
}
