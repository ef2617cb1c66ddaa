import * as l10n from "@vscode/l10n";
import { AppError } from "../../mindsdb/errors.ts";
import { isNumberType } from "../run/rowChecker.ts";
import { explainName, ColumnReader, type AnsweredRow } from "./columnReader.ts";
import type { ColumnSource } from "./resultMetadata.ts";
import { ResponseRow } from "../run/responseRows.ts";
import { describeTooManyColumns, maxColumns, type Row, type Shape } from "../rows/row.ts";
import { isNullLiteral, parseNumberLiteral } from "../rows/jsonLiteral.ts";

/** The columns that a model describes. */
export interface KnownColumns {
  inputs?: readonly string[];
  target?: { name: string; type?: string } | undefined;
  /**
   * Set if replies are those of two models (modelComparison.ts): they do not have the target itself, but the columns of
   * its predictions, as far as they are known, and of their difference.
   */
  compared?: { predictions: readonly string[]; difference: string };
}

/** Columns that servers add to each reply for their own use. */
const serverColumns = new Set(["__mindsdb_row_id", "select_data_query", "when_data"]);

/** Keys of explanations without a column of their own. */
const hiddenKeys =
  /^(predicted_value|truth|confidence|confidence_lower_bound|confidence_upper_bound)$/;

/** Rows of each batch that are examined to distinguish numbers from texts. */
const sampleRows = 50;

/** The kinds of columns until their values are known. */
const kinds = {
  reply: "text",
  explanation: "text",
  interval: "interval",
  row: "text",
  error: "number",
} as const satisfies Partial<Record<ColumnSource["from"], ColumnSource["column"]["kind"]>>;

/** Finds the columns of a result as rows arrive: predictions first, then inputs; later columns are added at the end. */
export class ColumnFinder {
  readonly #inputs: ReadonlySet<string>;
  readonly #known: KnownColumns["target"];
  readonly #compared: KnownColumns["compared"];
  readonly #sent = new Names();
  readonly #replied = new Names();
  /** Keys of explanations with a value other than null. */
  readonly #explained = new Set<string>();
  #sources: ColumnSource[] = [];
  #shown = new Set<string>();
  /** Columns without a value so far, which may hold numbers or texts. */
  #undecided = new Map<ColumnSource, number>();
  #result: ColumnReader;

  constructor({ inputs = [], target, compared }: KnownColumns = {}) {
    this.#inputs = new Set(inputs);
    this.#known = target;
    this.#compared = compared;
    this.#result = new ColumnReader({ target: target?.name, sources: this.#sources });
    // Needed before the first reply, because it shows the reasons of refused rows.
    this.#addTarget();
  }

  /** The columns so far. They keep their order, except that the first predictions are inserted at the front. */
  get columns(): ColumnReader {
    return this.#result;
  }

  /** Whether the target is a number; undefined while unknown. */
  get targetIsNumber(): boolean | undefined {
    if (this.#known?.type !== undefined) return isNumberType(this.#known.type);
    const source = this.#sources.find(
      ({ column, from }) => from === "reply" && column.name === this.#result.target,
    );
    if (!source || this.#undecided.has(source)) return undefined;
    if ([...this.#explained].some((key) => key.startsWith("probability_class_"))) return false;
    return source.column.kind === "number";
  }

  /** Adds the columns of more rows. Throws AppError "tooLarge". */
  add(rows: readonly AnsweredRow[]): void {
    const hadReplies = this.#replied.size > 0;
    const newlyShaped: AnsweredRow[] = [];
    for (const answered of rows) {
      this.#sent.add(answered.row);
      if (answered.reply && this.#replied.add(answered.reply)) newlyShaped.push(answered);
    }
    const sample = [...rows.slice(0, sampleRows), ...newlyShaped.slice(0, sampleRows)];
    if (!hadReplies && this.#replied.size > 0) this.#restart();
    for (const answered of newlyShaped) {
      const explanation = this.#result.explanation(answered);
      for (const [key, value] of Object.entries(explanation ?? {})) {
        if (value !== null) this.#explained.add(key);
      }
      if (this.#explained.size > maxColumns) {
        throw new AppError("tooLarge", describeTooManyColumns());
      }
    }
    this.#addPredicted();
    // The error column exists only if the predictions are numbers.
    this.#decideKinds(sample);
    this.#addSent();
    this.#decideKinds(sample);
  }

  /** Starts anew with the first replies, which show the target, so that predictions come first. */
  #restart(): void {
    const replied = [...this.#replied.all];
    this.#sources = [];
    this.#shown = new Set();
    this.#undecided = new Map();
    const target = this.#compared
      ? this.#known?.name
      : (replied.find((name) => name === this.#known?.name) ??
        guessTarget(replied, (name) => this.#isNew(name)) ??
        this.#known?.name);
    this.#result = new ColumnReader({ target, sources: this.#sources });
  }

  /** Whether a column of a reply was not sent. */
  #isNew(name: string): boolean {
    return !this.#sent.all.has(name) && !this.#inputs.has(name);
  }

  #addTarget(): void {
    if (this.#compared) {
      const { predictions, difference } = this.#compared;
      for (const name of predictions) this.#add("reply", name, "predicted");
      if (predictions.length > 0) this.#add("reply", difference, "difference");
      return;
    }
    const { target } = this.#result;
    if (target !== undefined) this.#add("reply", target, "predicted");
  }

  #addPredicted(): void {
    if (this.#replied.size === 0) return;
    const { target } = this.#result;
    if (this.#compared) {
      this.#addTarget();
      for (const name of this.#replied.all) {
        const isDifference = name === this.#compared.difference;
        this.#add("reply", name, isDifference ? "difference" : "predicted");
      }
      return;
    }
    if (target !== undefined) {
      this.#addTarget();
      if (this.#explained.has("confidence")) this.#add("explanation", "confidence", "predicted");
      if (this.#explained.has("confidence_lower_bound")) {
        this.#add("interval", "interval", "predicted");
      }
      for (const key of this.#explained) {
        if (!hiddenKeys.test(key)) this.#add("explanation", key, "predicted");
      }
    }
    const repeated = this.#findRepeated(target);
    for (const name of this.#replied.all) {
      if (this.#isNew(name) && !serverColumns.has(name) && !repeated.has(name)) {
        this.#add("reply", name, "predicted");
      }
    }
  }

  #addSent(): void {
    const { target } = this.#result;
    if (target !== undefined && this.#sent.all.has(target)) {
      this.#add("row", target, "actual");
      if (this.targetIsNumber && !this.#compared) this.#add("error", target, "error");
    }
    for (const name of this.#sent.all) {
      if (name !== target) this.#add("row", name, "input");
    }
  }

  /** Columns that repeat what the explanation or the target column shows. */
  #findRepeated(target: string | undefined): Set<string> {
    if (target === undefined) return new Set();
    const explained = ["explain", "confidence", "anomaly", "min", "max"];
    const ends = ["original", ...(this.#explained.size > 0 ? explained : [])];
    return new Set([target, ...ends.map((end) => `${target}_${end}`)]);
  }

  #add(from: keyof typeof kinds, name: string, part: ColumnSource["column"]["part"]): void {
    const key = `${from} ${part} ${name}`;
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    const kind = kinds[from];
    const source: ColumnSource = { column: { name, part, kind }, from };
    const at = this.#sources.push(source) - 1;
    if (kind === "text") this.#undecided.set(source, at);
  }

  #decideKinds(sample: readonly AnsweredRow[]): void {
    for (const [source, at] of this.#undecided) {
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

/** The target of a model that does not describe it: the column with an explanation, or the first new one. */
export function guessTarget(
  replied: readonly string[],
  isNew: (name: string) => boolean,
): string | undefined {
  const names = new Set(replied);
  return (
    replied.find((name) => names.has(explainName(name))) ??
    replied.find((name) => isNew(name) && !serverColumns.has(name))
  );
}

/** Of all rows, whose names may differ, and their length: a page gets all of them again and again. */
const maxNames = 2 * maxColumns;
const maxNamesLength = 4_000_000;

/** The names of rows, in the order of their first appearance. Skips rows whose names are known. */
class Names {
  readonly all = new Set<string>();
  readonly #shapes = new WeakSet<Shape>();
  readonly #signatures = new Set<number>();
  #last: Shape | number | undefined;
  #length = 0;

  get size(): number {
    return this.all.size;
  }

  /** Adds the names of a row; false if a row with the same names was added before. Throws AppError "tooLarge". */
  add(row: Row): boolean {
    // The shape of a reply requires scanning it; its signature does not.
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
    for (const name of row.shape.names) {
      if (this.all.has(name)) continue;
      this.all.add(name);
      this.#length += name.length;
    }
    if (this.all.size > maxNames) throw new AppError("tooLarge", describeTooManyColumns());
    if (this.#length > maxNamesLength) {
      const message = l10n.t("The column names are too long for this many rows. Shorten them.");
      throw new AppError("tooLarge", message);
    }
    return true;
  }
}
