// Fits the models of the sample server: least squares for numbers, logistic regression for classes.
// Accuracies and importances are measured on held-out rows, one fifth of the table.
import type { Predictor, Relation, Row } from "../server/state.ts";

/** The numbers that an input becomes. */
interface Encoder {
  input: string;
  isNumber: boolean;
  encode: (value: unknown) => number[];
}

/** Fits a numeric target by ridge regression on standardized numbers and one-hot encoded classes. */
export function fitRegression(table: Relation, target: string, inputs: string[]): Predictor {
  const { training, heldOut } = splitRows(table);
  const encoders = inputs.map((input) => createEncoder(training, input));
  const weights = solveLeastSquares(
    training.map((row) => encodeRow(encoders, row)),
    training.map((row) => Number(row[target])),
  );
  const value = (row: Row) => dot(weights, encodeRow(encoders, row));
  const truth = heldOut.map((row) => Number(row[target]));
  const score = (rows: Row[]) => rSquared(truth, rows.map(value));
  const errors = heldOut.map((row, i) => Math.abs(value(row) - (truth[i] ?? 0)));
  const margin = errors.sort((a, b) => a - b)[Math.floor(errors.length * 0.95)] ?? 0;
  return {
    target,
    inputs,
    accuracies: { r2_score: round(score(heldOut), 3) },
    importances: measureImportances(heldOut, inputs, score),
    stages: "encoders --> dtype_standardizer --> ridge_regressor",
    features: describeFeatures(encoders, target, true),
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
  const encoders = inputs.map((input) => createEncoder(training, input));
  const encoded = training.map((row) => encodeRow(encoders, row));
  const labels = [...new Set(training.map((row) => String(row[target])))].sort();
  const weights = labels.map((label) =>
    fitLogistic(
      encoded,
      training.map((row) => row[target] === label),
    ),
  );
  const shareLabels = (row: Row): number[] => {
    const shares = weights.map((weight) => sigmoid(dot(weight, encodeRow(encoders, row))));
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.map((share) => round(share / total, 4));
  };
  const chooseLabel = (row: Row): string => {
    const shares = shareLabels(row);
    return labels[shares.indexOf(Math.max(...shares))] ?? "";
  };
  const truth = heldOut.map((row) => String(row[target]));
  const score = (rows: Row[]) => balancedAccuracy(labels, truth, rows.map(chooseLabel));
  return {
    target,
    inputs,
    accuracies: { balanced_accuracy_score: round(score(heldOut), 3) },
    importances: measureImportances(heldOut, inputs, score),
    stages: "encoders --> dtype_standardizer --> logistic_classifier",
    features: describeFeatures(encoders, target, false),
    predict(row) {
      const shares = shareLabels(row);
      return {
        value: chooseLabel(row),
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
export function readCell(row: Row, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

/** Splits a table into training rows and held-out rows (every fifth row). */
function splitRows({ columns, rows: cells }: Relation): { training: Row[]; heldOut: Row[] } {
  const rows = cells.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
  return {
    training: rows.filter((_, i) => i % 5 !== 4),
    heldOut: rows.filter((_, i) => i % 5 === 4),
  };
}

/** Missing numbers become the mean; missing or unknown classes become all zeros. */
function createEncoder(rows: Row[], input: string): Encoder {
  const values = rows.map((row) => readCell(row, input));
  if (values.some((value) => typeof value === "string")) {
    const classes = [...new Set(values.map(String))].sort();
    const encode = (value: unknown) => classes.map((name) => (name === value ? 1 : 0));
    return { input, isNumber: false, encode };
  }
  const mean = average(values.map(Number));
  const scale = Math.sqrt(average(values.map((value) => (Number(value) - mean) ** 2))) || 1;
  const encode = (value: unknown) => [((toNumber(value) ?? mean) - mean) / scale];
  return { input, isNumber: true, encode };
}

/** A constant, and the numbers of each input. */
function encodeRow(encoders: Encoder[], row: Row): number[] {
  return [1, ...encoders.flatMap(({ input, encode }) => encode(readCell(row, input)))];
}

function describeFeatures(
  encoders: Encoder[],
  target: string,
  isTargetNumber: boolean,
): Predictor["features"] {
  const describe = (column: string, isNumber: boolean) => ({
    column,
    type: isNumber ? "float" : "categorical",
    encoder: isNumber ? "NumericEncoder" : "OneHotEncoder",
  });
  const inputs = encoders.map(({ input, isNumber }) => describe(input, isNumber));
  return [
    ...inputs.map((feature) => ({ ...feature, role: "feature" as const })),
    { ...describe(target, isTargetNumber), role: "target" },
  ];
}

/** Solves the normal equations. A small ridge term is added because one-hot columns are linearly dependent. */
function solveLeastSquares(rows: number[][], targets: number[]): number[] {
  const size = rows[0]?.length ?? 0;
  const matrix = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  rows.forEach((row, k) => {
    matrix.forEach((sums, i) => addTo(sums, row[i] ?? 0, [...row, targets[k] ?? 0]));
  });
  matrix.forEach((sums, i) => (sums[i] = (sums[i] ?? 0) + 0.1));
  return solve(matrix);
}

/** Returns the weights of a logistic regression, fitted by gradient descent, row by row. */
function fitLogistic(rows: number[][], targets: boolean[]): number[] {
  const weights = (rows[0] ?? []).map(() => 0);
  for (let step = 0; step < 100; step++) {
    rows.forEach((row, k) => {
      addTo(weights, 0.03 * (Number(targets[k]) - sigmoid(dot(weights, row))), row);
    });
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
  const mean = average(truth);
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
  return average(shares);
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function dot(a: number[], b: number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
