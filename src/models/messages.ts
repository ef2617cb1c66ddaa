// Messages between the host and the page of a model.
import * as v from "valibot";
import type { ModelVersion } from "../mindsdb/listItems.ts";
import { maxAttributeLength } from "./maxAttributeLength.ts";
import type { ItemRef } from "../mindsdb/references.ts";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";
import type { ModelTexts } from "./modelTexts.ts";

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
  | "asking"
  | "training"
  | "trainingFailed"
  /** The engine provides none. */
  | "nothing"
  /** The engine or the server failed; the reason is in `silenceReason`. */
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
  silence?: MissingDescription;
  silenceReason?: string;
  /** Further attributes that the engine can describe. */
  attributes: string[];
}

/** An attribute's rows as texts. */
export interface AttributeTable {
  columns: string[];
  rows: string[][];
}

export type ToPage =
  | {
      type: "begin";
      model: ItemRef;
      connection: string;
      texts: ModelTexts;
      locale: string;
    }
  | LoadMessage
  /** `chosen` is the version that the user has chosen; undefined for the active one. */
  | { type: "described"; description: ModelDescription; chosen: number | undefined }
  /** How far the trainings are; empty if nothing is known. */
  | { type: "progress"; text: string }
  | { type: "attribute"; version?: number; name: string; table?: AttributeTable; failure?: string };

/** Texts that the host has in full. */
const wholeText = v.picklist(["query", "options", "error"]);

export const toHost = v.variant("type", [
  v.object({ type: v.literal("choose"), version: v.number() }),
  v.object({ type: v.literal("refresh") }),
  /** Polls a training. Sent by the page, because it only runs while it is visible. */
  v.object({ type: v.literal("poll") }),
  /** Any name, because servers describe more attributes than they list. */
  v.object({
    type: v.literal("attribute"),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(maxAttributeLength)),
  }),
  v.object({ type: v.literal("copy"), text: wholeText }),
  v.object({ type: v.literal("open"), text: wholeText }),
  /** Creates a notebook for the model. */
  v.object({ type: v.literal("predict") }),
  v.object({ type: v.literal("whatIf") }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

export const pageState = v.object({
  model: itemRef,
  /** Absent for the active version. */
  version: v.optional(v.number()),
});
export interface PageState extends v.InferOutput<typeof pageState> {
  /** Sections that are open. */
  opened: Record<string, boolean>;
  /** Attributes that the user asked for by name. */
  asked: string[];
  scroll: number;
}
