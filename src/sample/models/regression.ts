// Fits the models of the sample server: least squares for numbers, logistic regression for classes.
// Accuracies and importances are measured on held-out rows, one fifth of the table.
import type { Cell, Predictor, Relation } from "../server/state.ts";

type Row = Record<string, Cell>;
type Encoder =
  { input: string; mean: number; scale: number } | { input: string; classes: string[] };

/** Fits a numeric target by ridge regression on standardized numbers and one-hot encoded classes. */
export function fitRegression(table: Relation, target: string, inputs: string[]): Predictor {
  const { training, heldOut } = splitRows(table);
  const { encode, isNumber, features } = createEncoding(training, inputs);
  const weights = solveLeastSquares(
    training.map(encode),
    training.map((row) => Number(row[target])),
  );
  const value = (row: Record<string, unknown>) => dot(weights, encode(row));
  const truth = heldOut.map((row) => Number(row[target]));
  const r2 = (rows: Row[]) => rSquared(truth, rows.map(value));
  const errors = heldOut.map((row, i) => Math.abs(value(row) - (truth[i] ?? 0))).sort(ascending);
  const margin = errors[Math.floor(errors.length * 0.95)] ?? 0;
  return {
    target,
    inputs,
    accuracies: { r2_score: round(r2(heldOut), 3) },
    importances: measureImportances(heldOut, inputs, r2),
    stages: "encoders --> dtype_standardizer --> ridge_regressor",
    features: [
      ...features,
      { column: target, type: "float", encoder: "NumericEncoder", role: "target" },
    ],
    isNumber,
    predict(row) {
      const predicted = value(row);
      return {
        value: round(predicted, 2),
        confidence: 0.95,
        lower: round(predicted - margin, 2),
        upper: round(predicted + margin, 2),
      };
    },
  };
}

/** Fits a categorical target with one logistic regression for each label, on the same encoding. */
export function fitClassifier(table: Relation, target: string, inputs: string[]): Predictor {
  const { training, heldOut } = splitRows(table);
  const { encode, isNumber, features } = createEncoding(training, inputs);
  const encoded = training.map(encode);
  const labels = [...new Set(training.map((row) => String(row[target])))].sort();
  const weights = labels.map((label) =>
    fitLogistic(
      encoded,
      training.map((row) => (row[target] === label ? 1 : 0)),
    ),
  );
  const probabilities = (row: Record<string, unknown>) => {
    const cells = encode(row);
    const shares = weights.map((weight) => sigmoid(dot(weight, cells)));
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.map((share) => share / total);
  };
  const best = (row: Record<string, unknown>) => {
    const shares = probabilities(row);
    return labels[shares.indexOf(Math.max(...shares))] ?? "";
  };
  const truth = heldOut.map((row) => String(row[target]));
  const score = (rows: Row[]) => balancedAccuracy(labels, truth, rows.map(best));
  return {
    target,
    inputs,
    accuracies: { balanced_accuracy_score: round(score(heldOut), 3) },
    importances: measureImportances(heldOut, inputs, score),
    stages: "encoders --> dtype_standardizer --> logistic_classifier",
    features: [
      ...features,
      { column: target, type: "categorical", encoder: "OneHotEncoder", role: "target" },
    ],
    isNumber,
    predict(row) {
      const shares = probabilities(row).map((share) => round(share, 4));
      return {
        value: best(row),
        confidence: Math.max(...shares),
        probabilities: Object.fromEntries(labels.map((label, i) => [label, shares[i] ?? 0])),
      };
    },
  };
}

/** Converts a cell to a number. Numeric text is accepted; anything else returns undefined. */
export function toNumber(value: unknown): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns the row's own value of a column, whose name can be that of an inherited property. */
export function readCell(row: Record<string, unknown>, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** Splits a table into training rows and held-out rows (every fifth row). */
function splitRows(table: Relation): { training: Row[]; heldOut: Row[] } {
  const rows = table.rows.map(
    (cells) => Object.fromEntries(table.columns.map((column, i) => [column, cells[i]])) as Row,
  );
  return {
    training: rows.filter((_, i) => i % 5 !== 4),
    heldOut: rows.filter((_, i) => i % 5 === 4),
  };
}

/** How rows become numbers: a constant, and the numbers of each input. */
function createEncoding(rows: Row[], inputs: string[]) {
  const encoders = inputs.map((input) => createEncoder(rows, input));
  return {
    encode: (row: Record<string, unknown>) => [
      1,
      ...encoders.flatMap((encoder) => encodeCell(encoder, row)),
    ],
    isNumber: (input: string) => encoders.some((e) => e.input === input && "mean" in e),
    features: encoders.map((encoder) => {
      const isNumber = "mean" in encoder;
      return {
        column: encoder.input,
        type: isNumber ? "float" : "categorical",
        encoder: isNumber ? "NumericEncoder" : "OneHotEncoder",
        role: "feature" as const,
      };
    }),
  };
}

function createEncoder(rows: Row[], input: string): Encoder {
  const values = rows.map((row) => row[input]);
  if (values.some((value) => typeof value === "string")) {
    return { input, classes: [...new Set(values.map(String))].sort() };
  }
  return { input, ...meanAndScale(values.map(Number)) };
}

/** Encodes a cell. Missing numbers become the mean; missing or unknown classes become all zeros. */
function encodeCell(e: Encoder, row: Record<string, unknown>): number[] {
  const value = readCell(row, e.input);
  if ("classes" in e) return e.classes.map((name) => (name === value ? 1 : 0));
  return [((toNumber(value) ?? e.mean) - e.mean) / e.scale];
}

/** Solves the normal equations. A small ridge term is added because one-hot columns are linearly dependent. */
function solveLeastSquares(rows: number[][], targets: number[], importance?: number[]): number[] {
  const size = rows[0]?.length ?? 0;
  const matrix = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  rows.forEach((row, k) => {
    const weighted = [...row, targets[k] ?? 0];
    matrix.forEach((sums, i) => addTo(sums, (row[i] ?? 0) * (importance?.[k] ?? 1), weighted));
  });
  matrix.forEach((sums, i) => (sums[i] = (sums[i] ?? 0) + 0.1));
  return solve(matrix);
}

/** Returns the weights of a logistic regression, fitted by iteratively reweighted least squares. */
function fitLogistic(rows: number[][], targets: number[]): number[] {
  let weights = (rows[0] ?? []).map(() => 0);
  for (let step = 0; step < 8; step++) {
    const scores = rows.map((row) => dot(weights, row));
    const shares = scores.map(sigmoid);
    const importance = shares.map((share) => Math.max(1e-4, share * (1 - share)));
    const aims = scores.map((score, k) => {
      return score + ((targets[k] ?? 0) - (shares[k] ?? 0)) / (importance[k] ?? 1);
    });
    weights = solveLeastSquares(rows, aims, importance);
  }
  return weights;
}

function sigmoid(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** Solves a positive definite system by Gauss-Jordan elimination. The last column is the right-hand side. */
function solve(matrix: number[][]): number[] {
  matrix.forEach((pivotRow, pivot) => {
    const divisor = pivotRow[pivot] ?? 1;
    for (let j = pivot; j < pivotRow.length; j++) pivotRow[j] = (pivotRow[j] ?? 0) / divisor;
    for (const row of matrix) {
      if (row !== pivotRow) addTo(row, -(row[pivot] ?? 0), pivotRow);
    }
  });
  return matrix.map((row) => row.at(-1) ?? 0);
}

function addTo(sum: number[], factor: number, vector: number[]): void {
  // Most numbers of an encoded row are zero.
  if (factor === 0) return;
  for (let i = 0; i < vector.length; i++) sum[i] = (sum[i] ?? 0) + factor * (vector[i] ?? 0);
}

/** Returns how much the score drops when one column's values are swapped between rows, scaled to a maximum of 1. */
function measureImportances(
  rows: Row[],
  inputs: string[],
  score: (rows: Row[]) => number,
): Record<string, number> {
  const whole = score(rows);
  const falls = inputs.map((input) => {
    const exchanged = rows.map((row, i) => ({
      ...row,
      [input]: rows[(i + Math.floor(rows.length / 3)) % rows.length]?.[input] ?? null,
    }));
    return Math.max(0, whole - score(exchanged));
  });
  const greatest = Math.max(...falls) || 1;
  return Object.fromEntries(
    inputs.map((input, i) => [input, round((falls[i] ?? 0) / greatest, 3)]),
  );
}

/** The coefficient of determination: 1 minus the share of unexplained variance. */
export function rSquared(truth: number[], predicted: number[]): number {
  const { mean } = meanAndScale(truth);
  const left = truth.reduce((sum, value, i) => sum + (value - (predicted[i] ?? 0)) ** 2, 0);
  const whole = truth.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return 1 - left / whole;
}

/** The mean recall over all classes. */
function balancedAccuracy(labels: string[], truth: string[], predicted: string[]): number {
  const shares = labels.map((label) => {
    const found = truth.flatMap((value, i) => (value === label ? [predicted[i] === label] : []));
    return found.filter(Boolean).length / Math.max(1, found.length);
  });
  return shares.reduce((sum, share) => sum + share, 0) / labels.length;
}

function meanAndScale(values: number[]): { mean: number; scale: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, scale: Math.sqrt(variance) || 1 };
}

function dot(a: number[], b: number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function ascending(a: number, b: number): number {
  return a - b;
}
