// What a chat's host and page say to each other.
import * as v from "valibot";
import type { PartKind, StepKind } from "../mindsdb/stream/stepEvents.ts";
import type { ChatEvent, RunState, Transcript } from "./transcript.ts";

export type ToPage =
  /** Starts the page: everything that happened follows as events. `now` is the host's clock, in epoch ms. */
  | {
      type: "begin";
      chatId: string;
      agent: Transcript["agent"];
      texts: ChatTexts;
      locale: string;
      now: number;
    }
  /** Long bodies come cut; their `length` says so. */
  | { type: "event"; event: ChatEvent }
  /** All that happened before the page was ready has been told. */
  | { type: "upToDate" }
  /** What helps with a failed run, as the title of a button. */
  | { type: "offer"; run: number; title: string }
  /** Questions to begin an empty conversation with. */
  | { type: "suggest"; questions: string[] }
  /** A question that somebody else has written: for the user to send. */
  | { type: "draft"; draft: string }
  | { type: "focusLastAnswer" };

/** A text of a run that the host has in full: a part of a step (both counted from 0), the answer, or its raw events. */
export type TextRef = v.InferOutput<typeof textRef>;

const textRef = v.variant("of", [
  v.object({ of: v.literal("part"), run: v.number(), step: v.number(), part: v.number() }),
  v.object({ of: v.literal("answer"), run: v.number() }),
  v.object({ of: v.literal("events"), run: v.number() }),
]);

/** The shape of everything a page may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("ask"), question: v.string() }),
  /** The question of a `draft` stands where questions are written. */
  v.object({ type: v.literal("draftTaken") }),
  v.object({ type: v.literal("stop") }),
  v.object({ type: v.literal("retry"), run: v.number() }),
  /** Of a question that waits, as the page shows it. */
  v.object({ type: v.literal("sendWaiting"), question: v.string() }),
  v.object({ type: v.literal("removeWaiting"), question: v.string() }),
  /** The button of an `offer` was pressed. */
  v.object({ type: v.literal("accept"), run: v.number() }),
  v.object({ type: v.literal("copy"), text: textRef }),
  /** Of a table that the page made of a text. */
  v.object({ type: v.literal("copyText"), text: v.string() }),
  v.object({ type: v.literal("open"), text: textRef }),
  /** The table that a text is, as a file. */
  v.object({ type: v.literal("export"), text: textRef }),
  v.object({ type: v.literal("openLink"), href: v.string() }),
  v.object({ type: v.literal("newConversation") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** The end, wherever that is, or a place in a child of the log, in pixels from the child's top. */
export type ScrollPosition = "end" | { child: number; offset: number };

/** What a page keeps of its own; it survives hiding and a reload of the window. */
export interface PageState {
  chatId: string;
  draft: string;
  scroll: ScrollPosition;
  /** Steps that the user opened or closed, by `run/step`. */
  opened: Record<string, boolean>;
}

/** The page's words, translated by the host. `{0}` and `{1}` are filled in by the page. */
export interface ChatTexts {
  /** Names of regions and controls; `{0}` is the agent. */
  conversation: string;
  /** `{0}` is the project, `{1}` the connection. */
  place: string;
  question: string;
  answer: string;
  table: string;
  placeholder: string;
  send: string;
  /** During a run. */
  sendAfter: string;
  stop: string;
  retry: string;
  /** Questions that wait for the end of a run, and what can be done with one. */
  waitingQuestions: string;
  sendWaiting: string;
  removeWaiting: string;
  /** Answers to a question that was asked again; `{0}` is which of `{1}` is shown. */
  version: string;
  earlierVersion: string;
  laterVersion: string;
  newConversation: string;
  newest: string;
  copy: string;
  copyAnswer: string;
  showRawEvents: string;
  openInEditor: string;
  /** `{0}` is its length in characters. */
  openWholeText: string;
  export: string;

  /** An empty conversation: what one can do here. */
  welcome: string;
  /** What the suggested questions are, for screen readers. */
  suggestions: string;

  /** Times. */
  seconds: string;
  lessThanSeconds: string;
  minutes: string;
  minutesSeconds: string;

  /** The line while a run is under way. */
  waiting: string;
  silent: string;

  /** The line that a run's steps fold into; `{0}` in `steps` is their number, in `folded` what `steps` says, `{1}` the time. */
  oneStep: string;
  steps: string;
  folded: string;
  /** What a step does; `{0}` is the tool, or the query's number. */
  step: Record<StepKind | "sqlCounted" | "sqlFinal", string>;
  /** Said of a step, for those who do not see its colour. */
  stepFailed: string;
  stepUnfinished: string;
  part: Record<PartKind, string>;
  emptyPart: string;

  /** A result that is a table. `{0}` in `rows` is their number, in `firstRows` what `rows` says. */
  oneRow: string;
  rows: string;
  firstRows: string;
  showAsText: string;
  /** How the grid is used by keyboard. */
  gridHelp: string;
  /** The text of a cell; `{0}` is its column, `{1}` its row. */
  cell: string;
  /** Where a value of the answer stands too; `{0}` is a step's own words, `{1}` a row's number. */
  alsoInRow: string;
  alsoInStep: string;

  /** How a run ended; `{0}` is the time it took. A reason, where there is one, is said instead. */
  ended: Record<Exclude<RunState, "running">, string>;
  emptyAnswer: string;
  emptyTable: string;
  /** Names what folds out below a failure: all that the server said. */
  details: string;
}
