// The columns of a result and a row's values in them. They are plain data, so that a worker thread can be told them.
import { isObject } from "../../mindsdb/json.ts";
import type { ResultColumn } from "../messages.ts";
import { findValueSpan, readValueText } from "../rows/row.ts";
import type { Row } from "../rows/row.ts";
import { parseNumberLiteral } from "../rows/jsonLiteral.ts";

/** A row and what came of it. */
export interface AnsweredRow {
  row: Row;
  reply?: Row;
  refused?: string;
}

/** A column and where its values are: in the reply, in the target's explanation, in the row, or made of these. */
export interface ColumnSource {
  column: ResultColumn;
  from: "reply" | "explanation" | "interval" | "row" | "error";
}

export interface ColumnsData {
  /** The predicted column, where it can be told. */
  target?: string | undefined;
  sources: readonly ColumnSource[];
}

export class ResultColumns {
  readonly data: ColumnsData;
  #explained: { reply: Row; explanation: Explanation | undefined } | undefined;

  constructor(data: ColumnsData) {
    this.data = data;
  }

  get target(): string | undefined {
    return this.data.target;
  }

  get columns(): ResultColumn[] {
    return this.data.sources.map(({ column }) => column);
  }

  valuesOf(answered: AnsweredRow): (string | undefined)[] {
    return this.data.sources.map((source) => this.#value(answered, source));
  }

  valueOf(answered: AnsweredRow, column: number): string | undefined {
    const source = this.data.sources[column];
    return source && this.#value(answered, source);
  }

  /** What the row says of the target. */
  actual({ row }: AnsweredRow): string | undefined {
    return this.target === undefined ? undefined : readValueText(row, this.target);
  }

  /** What the model says of the target. */
  predicted({ reply }: AnsweredRow): string | undefined {
    return this.target === undefined || !reply ? undefined : readValueText(reply, this.target);
  }

  /** `<target>_explain`, a JSON object in a text. */
  explanation({ reply }: AnsweredRow): Explanation | undefined {
    if (!reply || this.target === undefined) return undefined;
    // All columns of a row ask for the same one, one after the other.
    if (this.#explained?.reply !== reply) {
      const explanation = readExplanation(readValueText(reply, explainName(this.target)));
      this.#explained = { reply, explanation };
    }
    return this.#explained.explanation;
  }

  /** Where the explanation is written, in the reply's bytes. */
  explanationSpan({ reply }: AnsweredRow): { start: number; end: number } | undefined {
    if (!reply || this.target === undefined) return undefined;
    return findValueSpan(reply, explainName(this.target));
  }

  #value(answered: AnsweredRow, { column, from }: ColumnSource): string | undefined {
    const { row, reply } = answered;
    switch (from) {
      case "reply":
        return reply && readValueText(reply, column.name);
      case "row":
        return readValueText(row, column.name);
      case "explanation":
        return JSON.stringify(this.explanation(answered)?.[column.name]);
      case "interval":
        return interval(this.explanation(answered));
      case "error":
        return difference(this.predicted(answered), this.actual(answered));
    }
  }
}

export type Explanation = Record<string, unknown>;

/** How the column is called that explains a target. */
export function explainName(target: string): string {
  return `${target}_explain`;
}

function readExplanation(written: string | undefined): Explanation | undefined {
  if (written === undefined) return undefined;
  try {
    const value = JSON.parse(written) as unknown;
    const inner: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return isObject(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}

/** `[lower, predicted, upper]` */
function interval(explanation: Explanation | undefined): string | undefined {
  if (typeof explanation?.["confidence_lower_bound"] !== "number") return undefined;
  const { confidence_lower_bound: lower, confidence_upper_bound: upper } = explanation;
  return JSON.stringify([lower, explanation["predicted_value"], upper]);
}

function difference(predicted = "", actual = ""): string | undefined {
  const error = parseNumberLiteral(predicted) - parseNumberLiteral(actual);
  return Number.isFinite(error) ? String(Number(error.toPrecision(12))) : undefined;
}
