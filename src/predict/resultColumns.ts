// Which columns a result shows, and a row's values in them: what the model gave first, then what was sent.
import type { ResultColumn } from "./messages.ts";
import { numberOf } from "./metrics.ts";
import { writtenValue } from "./rows/row.ts";
import type { Row } from "./rows/row.ts";

/** A row and what came of it. */
export interface AnsweredRow {
  row: Row;
  reply?: Row;
  refused?: string;
}

/** What a server adds to each reply for its own use. */
const housekeeping = new Set(["__mindsdb_row_id", "select_data_query", "when_data"]);

/** Where a column's values are. */
interface Source {
  column: ResultColumn;
  value: (answered: AnsweredRow) => string | undefined;
}

/** The columns of one run. Made from the first rows and their replies; later rows may lack some of them. */
export class ResultColumns {
  /** The predicted column, where it can be told. */
  readonly target: string | undefined;
  readonly targetIsNumber: boolean;
  readonly #sources: readonly Source[];

  /** `inputs` and `target` are the model's, where it says them. */
  constructor(first: readonly AnsweredRow[], inputs: readonly string[], target?: string) {
    const sent = namesOf(first.map(({ row }) => row));
    const given = namesOf(first.flatMap(({ reply }) => reply ?? []));
    const echoed = new Set([...sent, ...inputs]);
    const fresh = given.filter((name) => !echoed.has(name) && !housekeeping.has(name));
    this.target = target ?? targetOf(given, fresh);
    const predicted = given.length > 0 ? this.#predicted(first, fresh) : [];
    this.targetIsNumber = predicted[0]?.column.kind === "number";
    const inputSources = sent
      .filter((name) => name !== this.target)
      .map((name) => source(first, name, "input", ({ row }) => writtenValue(row, name)));
    this.#sources = [...predicted, ...this.#actual(first, sent), ...inputSources];
  }

  get columns(): ResultColumn[] {
    return this.#sources.map(({ column }) => column);
  }

  valuesOf(answered: AnsweredRow): (string | undefined)[] {
    return this.#sources.map(({ value }) => value(answered));
  }

  valueOf(answered: AnsweredRow, column: number): string | undefined {
    return this.#sources[column]?.value(answered);
  }

  actual({ row }: AnsweredRow): string | undefined {
    return this.target === undefined ? undefined : writtenValue(row, this.target);
  }

  predicted({ reply }: AnsweredRow): string | undefined {
    if (this.target === undefined || !reply) return undefined;
    return writtenValue(reply, this.target);
  }

  #predicted(first: readonly AnsweredRow[], fresh: readonly string[]): Source[] {
    const { target } = this;
    const replied = (name: string): Source =>
      source(first, name, "predicted", ({ reply }) => reply && writtenValue(reply, name));
    if (target === undefined) return fresh.map(replied);
    const explained = this.#explained(first, `${target}_explain`);
    // What the explanation says is not shown a second time.
    const twice = explained.length > 0 ? ["explain", "confidence", "anomaly", "min", "max"] : [];
    const hidden = new Set([target, ...["original", ...twice].map((end) => `${target}_${end}`)]);
    const others = fresh.filter((name) => !hidden.has(name));
    return [replied(target), ...explained, ...others.map(replied)];
  }

  /** `<target>_explain`, a JSON object in a text, unfolded: one column for each member, one for both bounds. */
  #explained(first: readonly AnsweredRow[], name: string): Source[] {
    const read = lastOnly((reply: Row) => explanation(writtenValue(reply, name)));
    const keys = new Set(
      first.flatMap(({ reply }) => (reply ? Object.keys(read(reply) ?? {}) : [])),
    );
    const member = (key: string): Source =>
      source(first, key, "predicted", ({ reply }) => {
        const value = reply && read(reply)?.[key];
        return value === undefined ? undefined : JSON.stringify(value);
      });
    const interval: Source = {
      column: { name: "interval", part: "predicted", kind: "interval" },
      value: ({ reply }) => {
        const found = reply && read(reply);
        if (!found || typeof found["confidence_lower_bound"] !== "number") return undefined;
        const { confidence_lower_bound: lower, confidence_upper_bound: upper } = found;
        return JSON.stringify([lower, found["predicted_value"], upper]);
      },
    };
    const hasBounds = keys.has("confidence_lower_bound") && keys.has("confidence_upper_bound");
    const shownElsewhere = /^(predicted_value|truth|confidence|confidence_(lower|upper)_bound)$/;
    return [
      ...(keys.has("confidence") ? [member("confidence")] : []),
      ...(hasBounds ? [interval] : []),
      ...[...keys].filter((key) => !shownElsewhere.test(key)).map(member),
    ];
  }

  #actual(first: readonly AnsweredRow[], sent: readonly string[]): Source[] {
    const { target } = this;
    if (target === undefined || !sent.includes(target)) return [];
    const actual = source(first, target, "actual", (answered) => this.actual(answered));
    if (!this.targetIsNumber) return [actual];
    const error: Source = {
      column: { name: target, part: "error", kind: "number" },
      value: (answered) => {
        const difference =
          numberOf(this.predicted(answered) ?? "") - numberOf(this.actual(answered) ?? "");
        return Number.isFinite(difference) ? String(Number(difference.toPrecision(12))) : undefined;
      },
    };
    return [actual, error];
  }
}

/** All names in some rows, in the order of their first appearance. */
function namesOf(rows: readonly Row[]): string[] {
  return [...new Set([...new Set(rows.map(({ shape }) => shape))].flatMap(({ names }) => names))];
}

/** A model that does not say its target explains it, or gives it first. */
function targetOf(given: readonly string[], fresh: readonly string[]): string | undefined {
  return given.find((name) => given.includes(`${name}_explain`)) ?? fresh[0];
}

function source(
  first: readonly AnsweredRow[],
  name: string,
  part: ResultColumn["part"],
  value: Source["value"],
): Source {
  const values = first.flatMap((answered) => value(answered) ?? []);
  const known = values.filter((written) => written !== "null" && written !== '""');
  const isNumber = known.length > 0 && known.every((written) => Number.isFinite(numberOf(written)));
  return { column: { name, part, kind: isNumber ? "number" : "text" }, value };
}

type Explanation = Record<string, unknown>;

function explanation(written: string | undefined): Explanation | undefined {
  if (written === undefined) return undefined;
  try {
    const value = JSON.parse(written) as unknown;
    const inner: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof inner === "object" && inner !== null ? (inner as Explanation) : undefined;
  } catch {
    return undefined;
  }
}

/** All columns of a row ask for the same explanation, one after the other. */
function lastOnly<From extends object, To>(read: (from: From) => To): (from: From) => To {
  let last: { from: From; to: To } | undefined;
  return (from) => {
    if (last?.from !== from) last = { from, to: read(from) };
    return last.to;
  };
}
