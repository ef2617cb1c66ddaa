import { hasMoreValues } from "../../mindsdb/hasMoreValues.ts";
import { isObject } from "../../mindsdb/json.ts";
import type { ResultColumn } from "../messages.ts";
import { parseNumberLiteral } from "../rows/jsonLiteral.ts";
import { readValueText, type Row } from "../rows/row.ts";
import type { ColumnsData, ColumnSource } from "./resultMetadata.ts";

/** A row with its reply or the reason of its refusal. */
export interface AnsweredRow {
  row: Row;
  reply?: Row;
  refused?: string;
}

/** Finds the values of rows in the columns of a result. */
export class ColumnReader {
  readonly data: ColumnsData;
  #lastExplanation: { reply: Row; explanation: Explanation | undefined } | undefined;

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
    return this.data.sources.map((source, index) => this.#value(answered, source, index));
  }

  valueOf(answered: AnsweredRow, column: number): string | undefined {
    const source = this.data.sources[column];
    return source && this.#value(answered, source, column);
  }

  /** The value of the target in the row. */
  actual({ row }: AnsweredRow): string | undefined {
    return this.target === undefined ? undefined : readValueText(row, this.target);
  }

  /** The value of the target in the reply. */
  predicted({ reply }: AnsweredRow): string | undefined {
    return this.target === undefined || !reply ? undefined : readValueText(reply, this.target);
  }

  /** The object in `<target>_explain`, a JSON string. */
  explanation({ reply }: AnsweredRow): Explanation | undefined {
    if (!reply || this.target === undefined) return undefined;
    // The columns of a row read the same explanation one after the other.
    if (this.#lastExplanation?.reply !== reply) {
      const explanation = readExplanation(readValueText(reply, explainName(this.target)));
      this.#lastExplanation = { reply, explanation };
    }
    return this.#lastExplanation.explanation;
  }

  #value(answered: AnsweredRow, { column, from }: ColumnSource, at: number): string | undefined {
    const { row, reply } = answered;
    switch (from) {
      case "reply":
        return reply && readValueText(reply, column.name);
      case "row":
        return readValueText(row, column.name);
      case "list":
        return readValueText(row, String(at));
      case "explanation":
        return JSON.stringify(this.explanation(answered)?.[column.name]);
      case "interval":
        return formatInterval(this.explanation(answered));
      case "error":
        return formatError(this.predicted(answered), this.actual(answered));
    }
  }
}

type Explanation = Record<string, unknown>;

/** Of an explanation. In memory they are far larger than their text. */
const maxValues = 100_000;

/** The name of the column that explains a target. */
export function explainName(target: string): string {
  return `${target}_explain`;
}

function readExplanation(json: string | undefined): Explanation | undefined {
  if (json === undefined || hasMoreValues(json, maxValues)) return undefined;
  try {
    const value = JSON.parse(json) as unknown;
    if (typeof value === "string" && hasMoreValues(value, maxValues)) return undefined;
    const inner: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return isObject(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}

/** `[lower, predicted, upper]` */
function formatInterval(explanation: Explanation | undefined): string | undefined {
  if (typeof explanation?.["confidence_lower_bound"] !== "number") return undefined;
  const { confidence_lower_bound: lower, confidence_upper_bound: upper } = explanation;
  return JSON.stringify([lower, explanation["predicted_value"], upper]);
}

function formatError(predicted = "", actual = ""): string | undefined {
  const error = parseNumberLiteral(predicted) - parseNumberLiteral(actual);
  return Number.isFinite(error) ? String(Number(error.toPrecision(12))) : undefined;
}
