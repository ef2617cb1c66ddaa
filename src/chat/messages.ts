// Messages between the host and the page of a chat.
import * as v from "valibot";
import type { ChatTexts } from "./chatTexts.ts";
import type { ChatAgent, ChatEvent } from "./transcript.ts";

export type ToPage =
  /** Starts the page; past events follow. `now` is the host's clock, in epoch ms. */
  | {
      type: "begin";
      chatId: string;
      agent: ChatAgent;
      texts: ChatTexts;
      locale: string;
      now: number;
      /** For a saved run: where and when it was made. There is nothing to ask then. */
      saved?: { origin: string; isReplaying: boolean };
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
  /** Opens the query whose result a text is, to be run without the limit that the server adds for agents. */
  v.object({ type: v.literal("runWithoutLimit"), text: textRef }),
  /** Exports the table in a text as a file. */
  v.object({ type: v.literal("export"), text: textRef }),
  /** Exports a table within an answer's text. */
  v.object({
    type: v.literal("exportTable"),
    columns: v.array(v.string()),
    rows: v.array(v.array(v.string())),
  }),
  v.object({ type: v.literal("openLink"), href: v.string() }),
  v.object({ type: v.literal("newConversation") }),
  /** Shows a saved run again, in its own rhythm. */
  v.object({ type: v.literal("replay") }),
]);
export type ToHost = v.InferOutput<typeof toHost>;

/** The end, or an offset in pixels from the top of a child of the log. */
export type ScrollPosition = "end" | { child: number; offset: number };

/** The page's saved state, which survives hiding and a reload of the window. */
export interface PageState {
  chatId: string;
  draft: string;
  /** A question that was sent, until the host has it; `after` is the last run then, or 0. */
  sent: { question: string; after: number } | undefined;
  scroll: ScrollPosition;
  /** Steps that the user opened or closed, by `run/step`. */
  opened: Record<string, boolean>;
}
