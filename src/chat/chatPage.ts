// The state of the page of a conversation or of a saved run, and the calls that it makes.
import * as v from "valibot";
import type { Host } from "../shared/pageProtocol.ts";
import type { ChatAgent, ChatEvent } from "./transcript.ts";

/** The page's state beside the events of the conversation. */
export interface ChatState {
  chatId: string;
  agent: ChatAgent;
  /** Suggested questions for an empty conversation. */
  suggestions: string[];
  /** The titles of the buttons that help with failed runs, by run. */
  offers: Record<number, string>;
  /** A question from elsewhere, for the user to send; gone when it is in the input. */
  draft?: { id: number; text: string } | undefined;
  /** Whether the agent's connection accepts a new view. */
  canCreateViews?: boolean;
  /** For a saved run: where and when it was made. There is nothing to ask then. */
  saved?: { origin: string };
}

/** An item of the page's channel, beside the state. Long bodies of events are cut and have a `length`. */
export type ChatItem =
  | ChatEvent
  /** The host's clock, in epoch ms. */
  | { type: "clock"; now: number }
  | { type: "focusLastAnswer" };

const run = v.number();
const question = v.string();

const textRef = v.variant("of", [
  v.object({ of: v.literal("part"), run, step: v.number(), part: v.number() }),
  v.object({ of: v.literal("answer"), run }),
  v.object({ of: v.literal("events"), run }),
]);
/** A text of a run: a part of a step (by index), the answer, or its raw events. */
export type TextRef = v.InferOutput<typeof textRef>;

/** Calls about the texts of runs. */
const textCalls = {
  copy: [textRef],
  /** A selection of a table. */
  copyText: [v.string()],
  /** Code of an answer, for the editor that the user was in last. */
  insertCode: [v.string()],
  open: [textRef],
  /** Opens the query whose result a text is, to be run without the limit that the server adds for agents. */
  runWithoutLimit: [textRef],
  /** Opens the form of a new view with the SELECT of a step. */
  createView: [textRef],
  /** Exports the table in a text as a file. */
  export: [textRef],
  /** Exports a table within an answer's text: its columns and rows. */
  exportTable: [v.array(v.string()), v.array(v.array(v.string()))],
  openLink: [v.string()],
} as const;
export type TextCalls = typeof textCalls;

export const chatCalls = {
  ...textCalls,
  ask: [question],
  /** The question of a draft is in the input. */
  noteDraftTaken: [v.number()],
  stop: [],
  retry: [run],
  /** Begins a branch with another question in place of a run. */
  editAndAsk: [run, question],
  /** Shows the branch that begins with this run. */
  showBranch: [run],
  /** A waiting question, as the page shows it. */
  sendWaiting: [question],
  removeWaiting: [question],
  /** The button of an offer was pressed. */
  acceptOffer: [run],
} as const;
export type ChatCalls = typeof chatCalls;

/** All that the page of a saved run calls. */
export const savedRunCalls = {
  ...textCalls,
  /** Shows the run again, in its own rhythm. */
  replay: [],
  /** Shows the rest at once. */
  stop: [],
} as const;
export type SavedRunCalls = typeof savedRunCalls;

/** Both kinds of pages are drawn by the same view. */
export type ChatHost = Host<ChatCalls & SavedRunCalls>;

/** The end, or an offset in pixels from the top of a child of the log. */
export type ScrollPosition = "end" | { child: number; offset: number };

/** The page's saved state, which survives hiding and a reload of the window. */
export interface SavedPage {
  chatId: string;
  draft: string;
  /** A question that was sent, until the host has it; `after` is the last run then, or 0. */
  sent: { question: string; after: number } | undefined;
  scroll: ScrollPosition;
  /** Steps that the user opened or closed, by `run/step`. */
  opened: Record<string, boolean>;
}
