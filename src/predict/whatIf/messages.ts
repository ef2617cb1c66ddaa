// Messages between the host and the page that predicts one row with other values.
import * as v from "valibot";
import { noticeButtonPressed, type LoadMessage } from "../../shared/itemPage.ts";
import { modelName } from "../notebook/modelName.ts";
import { maxVariations, type InputRange } from "./inputValue.ts";
import type { WhatIfTexts } from "./whatIfTexts.ts";

/** Inputs that a page shows at most, and the length of their values in characters. */
const maxInputs = 1_000;
const maxValueLength = 100_000;

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

/** What a model predicts for one row. */
export interface Prediction {
  /** As JSON. */
  value: string;
  confidence?: number;
  lower?: number;
  upper?: number;
}

export type ToPage =
  | {
      type: "begin";
      row: WhatIfRow;
      model: string;
      connection: string;
      texts: WhatIfTexts;
      locale: string;
    }
  | LoadMessage
  /** The predictions of the row itself and with the present values; `request` is that of the page's last message. */
  | { type: "predicted"; request: number; target: string; own: Prediction; present: Prediction }
  | { type: "varied"; request: number; values: string[]; predictions: Prediction[] };

const request = v.pipe(v.number(), v.integer(), v.minValue(0));

export const toHost = v.variant("type", [
  v.object({ type: v.literal("predict"), request, values }),
  /** Predicts once for each of these values of one input. */
  v.object({
    type: v.literal("vary"),
    request,
    values,
    input: request,
    over: v.pipe(v.array(json), v.minLength(1), v.maxLength(maxVariations)),
  }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

export interface PageState extends WhatIfRow {
  scroll: number;
  /** The input that is varied, as an index, and what the fields for its values hold. */
  varied: { input: number; fields: VaryFields };
}

/** The texts of the fields for the values of an input: of a number's range, or a list with a value on each line. */
export interface VaryFields {
  from: string;
  to: string;
  steps: string;
  list: string;
}
