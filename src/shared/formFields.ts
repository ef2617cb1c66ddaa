// What hosts and pages of forms say to each other, whatever the form is for.
import * as v from "valibot";
import type { createFormFrameTexts, createModelFieldsTexts } from "./formTexts.ts";
import { noticeButtonPressed, type Notice } from "./itemPage.ts";

export interface FieldTexts {
  label: string;
  description: string;
}

/** A notice below the field that it is about. */
export interface FieldNotice<Field> extends Notice {
  field: Field;
}

/** What is wrong with a draft, or may be. */
export interface FieldProblem<Field, Kind> {
  field: Field;
  kind: Kind;
  /** The values of `{0}`, `{1}` in the sentence. */
  values: string[];
  /** A warning does not prevent sending the draft. */
  isWarning: boolean;
}

/** What a host tells the page of any form. */
export type FormMessage<Field> =
  /** The server could not be asked; without a notice, it can be again. */
  | { type: "loadError"; notice?: FieldNotice<Field> }
  /** A request is running, for that many ms. */
  | { type: "sending"; elapsed: number }
  /** The request failed. */
  | { type: "refused"; notice: FieldNotice<Field> }
  /** Unsaved changes of a closed form can be restored; without a text, they no longer can. */
  | { type: "draftOffered"; text?: string | undefined }
  /** A status message, like "Copied". */
  | { type: "status"; text: string };

/** Schemas of the messages that the page of any form may send. */
export const formRequests = [
  v.object({ type: v.literal("restoreDraft") }),
  v.object({ type: v.literal("discardDraft") }),
  v.object({ type: v.literal("cancel") }),
  noticeButtonPressed,
] as const;
export type FormRequest = v.InferOutput<(typeof formRequests)[number]>;

/** The texts of any form, translated by the host. */
export interface FormFrameTexts<Field extends string, Kind extends string> extends ReturnType<
  typeof createFormFrameTexts
> {
  title: string;
  intro: string;
  /** The line below the title. `{0}` is the connection, `{1}` the project. */
  place: string;
  fields: Record<Exclude<Field, "form">, FieldTexts>;
  send: string;
  /** `{0}` is the elapsed time in seconds. */
  sending: string;
  problems: Record<Kind, string>;
}

export type ModelFieldsTexts = ReturnType<typeof createModelFieldsTexts>;
