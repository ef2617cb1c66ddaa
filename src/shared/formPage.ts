// Common types and calls of all forms, for hosts and pages.
import * as v from "valibot";
import type { Notice } from "./itemPage.ts";
import { recordOf } from "../mindsdb/recordOf.ts";

/** An error or warning about a draft, in the user's language: at its field, or (`form`) at the top. */
export interface Problem<Field extends string = string> extends Notice {
  field: Field | "form";
  /** Does not keep the draft from being sent. */
  isWarning?: boolean;
  /** A value is missing: said only when the user tries to send the draft. */
  isMissing?: boolean;
  /** Said although the user has not left the field yet. */
  isEarly?: boolean;
  /** The entry of a list that is wrong. */
  entry?: string;
}

/** The data of every form. The page saves it. */
export interface AnyForm {
  /** Unique for every form: a form with another one takes the place of the page's draft. */
  id: string;
  connectionId: string;
  draft: object;
  /** The draft before any change by the user. */
  initial?: object | undefined;
  /** The item before the change; absent for a new one. */
  before?: object | undefined;
  /** Which keys were typed; they are not stored. */
  hadKeys?: Record<string, boolean> | undefined;
}

/** Characters of a draft. A page reads it with each key that is typed: with this many for a tenth of a second. */
const maxDraft = 500_000;

/** Whether texts of a form, which may be a server's, are too long to be edited. */
export function isTooLongToEdit({ draft }: AnyForm): boolean {
  return JSON.stringify(draft).length > maxDraft;
}

/** The common state of form pages. */
export interface FormState<Form extends AnyForm, Field extends string> {
  /** A new page begins with its draft. */
  form: Form;
  connection: string;
  /** Says that the draft is from a form that was closed. */
  keptNote?: string | undefined;
  /** How long the request has been running, in seconds. */
  sending?: number | undefined;
  /** Why the last request failed. */
  failure?: Problem<Field> | undefined;
  /** Why the server's data could not be read. */
  loadError?: Problem<Field> | undefined;
}

const flags = recordOf(v.boolean());
const keys = recordOf(v.string());

/** The common calls of form pages. Only `send` gets the typed keys. */
export function formCalls<Draft extends object>(draft: v.GenericSchema<unknown, Draft>) {
  return {
    change: [draft, flags],
    send: [draft, keys],
    cancel: [],
    startOver: [],
    /** By the title of the problem's button. */
    runProblemAction: [v.string()],
  } as const;
}
export type FormCalls<Draft extends object> = ReturnType<typeof formCalls<Draft>>;
