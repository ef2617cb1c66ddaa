// State and calls of the page that predicts one row with other values.
import * as v from "valibot";
import type { Notice } from "../../shared/itemPage.ts";
import { modelName } from "../notebook/modelName.ts";
import { maxVariations, type InputRange } from "./inputValue.ts";

/** Inputs that a page shows at most, the length of their values in characters, and that of all that it shows of them. */
export const maxInputs = 1_000;
const maxValueLength = 100_000;
const maxRowLength = 500_000;
/** Choices in the lists of all inputs: a page of 50,000 takes ten seconds to draw. */
const maxChoices = 5_000;

const json = v.pipe(v.string(), v.maxLength(maxValueLength));
const values = v.pipe(v.array(json), v.maxLength(maxInputs));
const inputRange: v.GenericSchema<InputRange> = v.variant("kind", [
  v.object({
    kind: v.literal("numbers"),
    from: v.number(),
    to: v.number(),
    isWhole: v.boolean(),
  }),
  v.object({ kind: v.literal("values"), values }),
]);

const input = v.object({
  name: v.string(),
  /** The engine's type, if it is known. */
  type: v.optional(v.string()),
  isNumber: v.boolean(),
  /** As JSON: the value of the row. */
  own: json,
  /** Of the values that the input has in the rows of the result. */
  range: inputRange,
});

/** The row of a page and the values that the user has written, which survive a reload of the window. */
export const pageState = v.object({
  id: v.string(),
  connectionId: v.string(),
  model: modelName,
  /** Where the row is from. */
  place: v.string(),
  /** The predicted column, if the model says. */
  target: v.optional(v.string()),
  inputs: v.pipe(v.array(input), v.maxLength(maxInputs)),
  /** Of each input, as JSON. */
  values,
});
export type WhatIfRow = v.InferOutput<typeof pageState>;
export type WhatIfInput = v.InferOutput<typeof input>;

/** The inputs with lists of choices for as many of them as a page can draw; the others are fields. */
export function limitChoices(inputs: readonly WhatIfInput[]): WhatIfInput[] {
  let left = maxChoices;
  return inputs.map((one) => {
    if (one.range.kind !== "values") return one;
    left -= one.range.values.length;
    return left < 0 ? { ...one, range: { kind: "values", values: [] } } : one;
  });
}

/** Whether a page of these inputs would take long to draw, and to save with each key. */
export function isTooLongToVary(inputs: readonly WhatIfInput[]): boolean {
  return (
    inputs.length > maxInputs ||
    inputs.some(({ own }) => own.length > maxValueLength) ||
    JSON.stringify(inputs).length > maxRowLength
  );
}

/** A model's prediction for one row. */
export interface Prediction {
  /** As JSON. */
  value: string;
  confidence?: number;
  lower?: number;
  upper?: number;
}

/** The predictions of the row itself and with other values. */
export interface Answer {
  /** The values that it is for. */
  values: string[];
  target: string;
  own: Prediction;
  present: Prediction;
}

/** The predictions of the row with each of some values of one input. */
export interface VariedRow {
  /** As an index. */
  input: number;
  target: string;
  over: string[];
  /** The values of the inputs, of which that of `input` is varied. */
  values: string[];
  predictions: Prediction[];
}

export interface WhatIfState {
  row: WhatIfRow;
  model: string;
  connection: string;
  isLoading: boolean;
  notice?: Notice | undefined;
  answer?: Answer | undefined;
  /** A request has failed since. */
  isAnswerOld: boolean;
  varied?: VariedRow | undefined;
}

const over = v.pipe(v.array(json), v.minLength(1), v.maxLength(maxVariations));

export const whatIfCalls = {
  predict: [values],
  /** Predicts the row with each value of `over` for one input, by its index. */
  vary: [v.object({ values, input: v.pipe(v.number(), v.integer(), v.minValue(0)), over })],
  runNoticeAction: [],
} as const;

/** The saved state of the page. */
export interface SavedPage extends WhatIfRow {
  varied?: VariedInput;
}

/** The input that is varied, as an index, and what the fields for its values hold. */
export interface VariedInput {
  input: number;
  fields: VaryFields;
}

/** The texts of the fields for the values of an input: of a number's range, or a list with a value on each line. */
export interface VaryFields {
  from: string;
  to: string;
  steps: string;
  list: string;
}
