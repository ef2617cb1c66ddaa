// What a model page's host and page say to each other, and what the page knows of a model.
import * as v from "valibot";
import type { ItemRef } from "../mindsdb/references.ts";
import { itemRef, noticeButtonPressed, type LoadMessage } from "../shared/itemPage.ts";

export interface Figure {
  name: string;
  value: number;
}

/** A column that goes in or comes out. */
export interface Column {
  name: string;
  /** The engine's words: `categorical`, `float`, … */
  type?: string;
  encoder?: string;
}

/** What one can choose between. */
export interface VersionChoice {
  version: number;
  status: string;
  active: boolean;
}

/** Why a model tells nothing of its figures and columns. */
export type MissingDescription =
  /** The server is being asked. */
  | "asking"
  | "training"
  | "trainingFailed"
  /** The engine has nothing to say. */
  | "nothing"
  /** The engine or the server failed; the reason is in `silenceReason`. */
  | "failed";

/** One version of a model, decoded. Absent fields are those that the server does not tell. */
export interface ModelDescription {
  /** Absent where the server lists no versions: then neither status nor training is known. */
  version?: number;
  versions: VersionChoice[];
  status: string;
  /** Training goes on, of this version or of another one: worth asking again. */
  isTraining: boolean;
  target?: string;
  engine?: string;
  /** All metrics; where the server tells only one number, its name is empty. */
  accuracies: Figure[];
  /** The heaviest first. */
  importances: Figure[];
  inputs: Column[];
  outputs: Column[];
  /** How a row goes through the model, in order. */
  stages: string[];
  /** The statement that gave the training rows; it runs on the data source. */
  query?: string;
  /** What training was asked for, as the server writes it: a Python repr. */
  options?: string;
  createdAt?: string;
  /** Whole seconds. */
  trainingTime?: number;
  /** `up_to_date`, or what else the server says. */
  updateStatus?: string;
  serverVersion?: string;
  /** Why training failed: one sentence, and the whole text where it holds more. */
  error?: { sentence: string; whole?: string };
  silence?: MissingDescription;
  silenceReason?: string;
  /** More tables that the engine offers. */
  attributes: string[];
}

/** An attribute as it came: rows of texts. */
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
  /** `chosen` is the version that the user has chosen; absent while the active one is meant. */
  | { type: "described"; description: ModelDescription; chosen: number | undefined }
  | { type: "attribute"; version?: number; name: string; table?: AttributeTable; failure?: string };

/** An attribute's name is a word; in characters. */
export const maxAttributeLength = 200;

/** Texts that the host has in full. */
const wholeText = v.picklist(["query", "options", "error"]);

/** The shape of everything a page may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("choose"), version: v.number() }),
  v.object({ type: v.literal("refresh") }),
  /** Training may have gone on. A page lives only while it is visible, so it is the one that asks. */
  v.object({ type: v.literal("poll") }),
  /** Any name: servers describe more than they list. */
  v.object({
    type: v.literal("attribute"),
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(maxAttributeLength)),
  }),
  v.object({ type: v.literal("copy"), text: wholeText }),
  v.object({ type: v.literal("open"), text: wholeText }),
  /** A notebook for the model is wanted. */
  v.object({ type: v.literal("predict") }),
  noticeButtonPressed,
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** What a page keeps; it survives hiding and a reload of the window. */
export const pageState = v.object({
  model: itemRef,
  /** Absent: the active version. */
  version: v.optional(v.number()),
});
export interface PageState extends v.InferOutput<typeof pageState> {
  /** Folded parts that are open. */
  opened: Record<string, boolean>;
  /** Attributes that the user asked for by name. */
  asked: string[];
  scroll: number;
}

/** The page's words, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface ModelTexts {
  /** `{0}` is the project, `{1}` the connection. */
  place: string;
  version: string;
  /** One version to choose: number, status. */
  versionChoice: string;
  versionChoiceActive: string;
  refresh: string;
  predict: string;
  asking: string;

  status: string;
  target: string;
  accuracy: string;
  engine: string;

  trainingFailed: string;
  wholeError: string;
  training: string;
  silence: Record<Exclude<MissingDescription, "asking">, string>;

  importances: string;
  importance: string;
  importancesHint: string;
  inputs: string;
  outputs: string;
  column: string;
  type: string;
  encoder: string;
  stages: string;
  details: string;
  query: string;
  queryHint: string;
  options: string;
  created: string;
  trainedIn: string;
  seconds: string;
  update: string;
  serverVersion: string;
  /** `{0}` is an attribute of the engine. */
  attribute: string;
  /** Asking for an attribute by its name. */
  otherAttribute: string;
  otherAttributeHint: string;
  describe: string;
  noRows: string;
  copy: string;
  copyQuery: string;
  copyOptions: string;
  copyError: string;
  openQuery: string;
}
