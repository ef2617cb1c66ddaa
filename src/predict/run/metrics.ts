import type { Metrics } from "../messages.ts";
import { isNullLiteral, parseNumberLiteral, parseStringLiteral } from "../rows/jsonLiteral.ts";

/** Confusion tables with more classes would be unreadable. */
const maxClasses = 20;

/**
 * Computes metrics from pairs of actual and predicted values in JSON, without keeping them. Numbers may be strings
 * (CSV).
 */
export class MetricsCollector {
  readonly #numeric: boolean;
  #count = 0;
  #absolute = 0;
  #squares = 0;
  // Welford's algorithm: a sum of squares would lose digits of large values.
  #mean = 0;
  #spread = 0;
  #hits = 0;
  readonly #confusion = new Map<string, Map<string, number>>();

  /** `numeric` says whether the target is a number. */
  constructor(numeric: boolean) {
    this.#numeric = numeric;
  }

  add(actual: string | undefined, predicted: string | undefined): void {
    if (isNullLiteral(actual) || isNullLiteral(predicted)) return;
    if (this.#numeric) this.#addNumbers(parseNumberLiteral(actual), parseNumberLiteral(predicted));
    else this.#addClasses(toClassName(actual), toClassName(predicted));
  }

  /** Undefined before the first pair. */
  get metrics(): Metrics | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    if (this.#numeric) {
      return {
        kind: "numbers",
        count,
        mae: this.#absolute / count,
        rmse: Math.sqrt(this.#squares / count),
        r2: this.#spread > 0 ? 1 - this.#squares / this.#spread : null,
      };
    }
    const classes = [
      ...new Set([...this.#confusion].flatMap(([actual, row]) => [actual, ...row.keys()])),
    ];
    const isReadable = classes.length <= maxClasses;
    classes.sort();
    return {
      kind: "classes",
      count,
      accuracy: this.#hits / count,
      classes: isReadable ? classes : [],
      confusion: isReadable
        ? classes.map((actual) =>
            classes.map((predicted) => this.#confusion.get(actual)?.get(predicted) ?? 0),
          )
        : [],
    };
  }

  #addNumbers(actual: number, predicted: number): void {
    if (!Number.isFinite(actual) || !Number.isFinite(predicted)) return;
    const error = predicted - actual;
    this.#count++;
    this.#absolute += Math.abs(error);
    this.#squares += error * error;
    const delta = actual - this.#mean;
    this.#mean += delta / this.#count;
    this.#spread += delta * (actual - this.#mean);
  }

  #addClasses(actual: string, predicted: string): void {
    this.#count++;
    if (actual === predicted) this.#hits++;
    const row = this.#confusion.get(actual) ?? new Map<string, number>();
    // Beyond the limit, classes are only counted as correct or wrong: the target may have a new value in each row.
    const isKnown = this.#confusion.has(actual);
    if (!isKnown && this.#confusion.size > maxClasses) return;
    if (!row.has(predicted) && row.size > maxClasses) return;
    row.set(predicted, (row.get(predicted) ?? 0) + 1);
    this.#confusion.set(actual, row);
  }
}

/** The name of a class. Files and servers write `true` or `True`, `1` or `1.0`. */
function toClassName(written: string): string {
  const text = parseStringLiteral(written);
  return /^(true|false)$/i.test(text) ? text.toLowerCase() : text.replace(/^(-?\d+)\.0+$/, "$1");
}
