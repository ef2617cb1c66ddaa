// The page of a model: its state, and its calls.
import * as v from "valibot";
import type { ModelVersion } from "../mindsdb/listItems.ts";
import { maxAttributeLength } from "./maxAttributeLength.ts";
import { itemCalls } from "../shared/itemPage.ts";

export interface Figure {
  name: string;
  value: number;
}

/** An input or output column. */
export interface Column {
  name: string;
  /** As the engine names it: `categorical`, `float`, … */
  type?: string;
  encoder?: string;
}

export type VersionChoice = Pick<ModelVersion, "version" | "status" | "active">;

/** Why a description has no figures and columns. */
type MissingDescription =
  /** The server is being asked. */
  | "loading"
  | "training"
  | "trainingFailed"
  /** The engine provides none. */
  | "nothing"
  /** The engine or the server failed; the reason is in `missingReason`. */
  | "failed";

/** One version of a model. Fields are absent if the server does not send them. */
export interface ModelDescription {
  /** Absent if the server lists no versions; then status and training are unknown. */
  version?: number;
  versions: VersionChoice[];
  status: string;
  /** This or another version is being trained, so the page polls. */
  isTraining: boolean;
  target?: string;
  engine?: string;
  /** All metrics. The name is empty if the server sends only one number. */
  accuracies: Figure[];
  /** Highest first. */
  importances: Figure[];
  inputs: Column[];
  outputs: Column[];
  /** The processing stages, in order. */
  stages: string[];
  /** The statement that selected the training rows; it runs on the data source. */
  query?: string;
  /** The training options, as a Python repr. */
  options?: string;
  createdAt?: string;
  /** Whole seconds. */
  trainingTime?: number;
  /** Like `up_to_date`. */
  updateStatus?: string;
  serverVersion?: string;
  /** Why training failed: one sentence, and the whole text if it is longer. */
  error?: { sentence: string; whole?: string };
  missing?: MissingDescription;
  missingReason?: string;
  /** An engine that the server does not have, which is why it failed. */
  missingEngine?: string;
  /** Further attributes that the engine can describe. */
  attributes: string[];
}

/** An attribute's rows as texts. */
export interface AttributeTable {
  columns: string[];
  rows: string[][];
}

/** The engine's table for an attribute, or why there is none. */
export interface AttributeAnswer {
  table?: AttributeTable;
  failure?: string;
}

export interface ModelContent {
  description?: ModelDescription;
  /** The version that the user has chosen; undefined for the active one. */
  chosen?: number | undefined;
  /** How far the trainings are; empty if nothing is known. */
  progress: string;
}

/** Texts that the host has in full. */
const wholeText = v.picklist(["query", "options", "error"]);
export type WholeText = v.InferOutput<typeof wholeText>;

export const modelCalls = {
  ...itemCalls,
  choose: [v.number()],
  /** Polls a training. By the page, because it only runs while it is visible. */
  poll: [],
  /** Any name, because servers describe more attributes than they list. Returns an AttributeAnswer. */
  describe: [v.pipe(v.string(), v.minLength(1), v.maxLength(maxAttributeLength))],
  copy: [wholeText],
  open: [wholeText],
  /** Creates the engine that is missing. */
  createEngine: [],
  showEngine: [],
  /** Creates a notebook for the model. */
  predict: [],
  whatIf: [],
} as const;
