// Messages between the host and the page of a chat.
import * as v from "valibot";
import type { PartKind, StepKind } from "../mindsdb/stream/stepEvents.ts";
import type { ChatEvent, RunState, Transcript } from "./transcript.ts";

export type ToPage =
  /** Starts the page; past events follow. `now` is the host's clock, in epoch ms. */
  | {
      type: "begin";
      chatId: string;
      agent: Transcript["agent"];
      texts: ChatTexts;
      locale: string;
      now: number;
    }
  /** Long bodies are cut and have a `length`. */
  | { type: "event"; event: ChatEvent }
  /** All past events have been sent. */
  | { type: "upToDate" }
  /** The title of the button that helps with a failed run. */
  | { type: "offer"; run: number; title: string }
  /** Suggested questions for an empty conversation. */
  | { type: "suggest"; questions: string[] }
  /** A question from elsewhere, for the user to send. */
  | { type: "draft"; draft: string }
  | { type: "focusLastAnswer" };

/** A text of a run: a part of a step (by index), the answer, or its raw events. */
export type TextRef = v.InferOutput<typeof textRef>;

const textRef = v.variant("of", [
  v.object({ of: v.literal("part"), run: v.number(), step: v.number(), part: v.number() }),
  v.object({ of: v.literal("answer"), run: v.number() }),
  v.object({ of: v.literal("events"), run: v.number() }),
]);

/** Schema of every message that the page may send. */
export const toHost = v.variant("type", [
  v.object({ type: v.literal("ask"), question: v.string() }),
  /** The question of a `draft` is in the input. */
  v.object({ type: v.literal("draftTaken") }),
  v.object({ type: v.literal("stop") }),
  v.object({ type: v.literal("retry"), run: v.number() }),
  /** Begins a branch with another question in place of a run. */
  v.object({ type: v.literal("editAndAsk"), run: v.number(), question: v.string() }),
  /** Shows the branch that begins with this run. */
  v.object({ type: v.literal("showBranch"), run: v.number() }),
  /** A waiting question, as the page shows it. */
  v.object({ type: v.literal("sendWaiting"), question: v.string() }),
  v.object({ type: v.literal("removeWaiting"), question: v.string() }),
  /** The button of an `offer` was pressed. */
  v.object({ type: v.literal("accept"), run: v.number() }),
  v.object({ type: v.literal("copy"), text: textRef }),
  /** A selection of a table. */
  v.object({ type: v.literal("copyText"), text: v.string() }),
  /** Code of an answer, for the editor that the user was in last. */
  v.object({ type: v.literal("insertCode"), text: v.string() }),
  v.object({ type: v.literal("open"), text: textRef }),
  /** Exports the table in a text as a file. */
  v.object({ type: v.literal("export"), text: textRef }),
  v.object({ type: v.literal("openLink"), href: v.string() }),
  v.object({ type: v.literal("newConversation") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** The end, or an offset in pixels from the top of a child of the log. */
export type ScrollPosition = "end" | { child: number; offset: number };

/** The page's saved state, which survives hiding and a reload of the window. */
export interface PageState {
  chatId: string;
  draft: string;
  scroll: ScrollPosition;
  /** Steps that the user opened or closed, by `run/step`. */
  opened: Record<string, boolean>;
}

/** The page's texts, translated by the host. `{0}` and `{1}` are filled in by the page. */
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
  /** Waiting questions and their buttons. */
  waitingQuestions: string;
  sendWaiting: string;
  removeWaiting: string;
  /** For a question that can be edited. */
  edit: string;
  /** Label of the input. */
  editQuestion: string;
  askEdited: string;
  cancelEdit: string;
  /** For a question that was edited; version `{0}` of `{1}` is shown. */
  questionVersion: string;
  earlierQuestion: string;
  laterQuestion: string;
  /** For a question that was asked again; answer `{0}` of `{1}` is shown. */
  version: string;
  earlierVersion: string;
  laterVersion: string;
  newConversation: string;
  newest: string;
  copy: string;
  copyAnswer: string;
  copyCode: string;
  insertCode: string;
  showRawEvents: string;
  openInEditor: string;
  /** `{0}` is its length in characters. */
  openWholeText: string;
  export: string;

  /** For an empty conversation. */
  welcome: string;
  /** Label of the suggested questions, for screen readers. */
  suggestions: string;

  /** Times. */
  seconds: string;
  lessThanSeconds: string;
  minutes: string;
  minutesSeconds: string;

  /** The line during a run. */
  waiting: string;
  silent: string;

  /** The line of folded steps; in `steps`, `{0}` is their number; in `folded`, `{0}` is that text and `{1}` the time. */
  oneStep: string;
  steps: string;
  folded: string;
  /** A step's label; `{0}` is the tool, or the query's number. */
  step: Record<StepKind | "sqlCounted" | "sqlFinal", string>;
  /** A step's state, for screen readers. */
  stepFailed: string;
  stepUnfinished: string;
  part: Record<PartKind, string>;
  emptyPart: string;

  /** For a table. In `rows`, `{0}` is their number; in `firstRows`, `{0}` is that text. */
  oneRow: string;
  rows: string;
  firstRows: string;
  showAsText: string;
  /** How the grid is used by keyboard. */
  gridHelp: string;
  /** Label of a cell's text; `{0}` is its column, `{1}` its row. */
  cell: string;
  /** Where a value of the answer occurs too; `{0}` is a step's label, `{1}` a row's number. */
  alsoInRow: string;
  alsoInStep: string;

  /** How a run ended, unless there is a reason; `{0}` is the duration. */
  ended: Record<Exclude<RunState, "running">, string>;
  emptyAnswer: string;
  emptyTable: string;
  /** Title of the server's whole error text. */
  details: string;
}
