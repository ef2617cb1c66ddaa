// Formats texts, times and counts of a conversation, for its page and its Markdown.
import * as l10n from "@vscode/l10n";
import type { PartKind, StepKind } from "../mindsdb/stream/stepEvents.ts";
import type { AgentRun, EndState, TimedStep } from "./transcript.ts";

export class ChatTextFormatter {
  // Reused, because creating a format takes longer than showing a step.
  readonly #whole: Intl.NumberFormat;
  readonly #tenths: Intl.NumberFormat;

  constructor(locale: string) {
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
    this.#whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
    this.#tenths = new Intl.NumberFormat(locale, digits);
  }

  /** Formats a whole number in the user's locale. */
  count(value: number): string {
    return this.#whole.format(value);
  }

  /** Formats a duration: "0.3 s", "12 s", "2 min 5 s". */
  duration(ms: number): string {
    if (ms < 50) return l10n.t("< {0} s", this.#tenths.format(0.1));
    if (ms < 9_950) return l10n.t("{0} s", this.#tenths.format(ms / 1000));
    return this.clock(ms);
  }

  /** Formats an elapsed time in whole seconds: "0 s", "12 s", "2 min 5 s". */
  clock(ms: number): string {
    const all = Math.round(ms / 1000);
    const [minutes, seconds] = [Math.floor(all / 60), all % 60];
    if (minutes === 0) return l10n.t("{0} s", this.count(seconds));
    if (seconds === 0) return l10n.t("{0} min", this.count(minutes));
    return l10n.t("{0} min {1} s", this.count(minutes), this.count(seconds));
  }

  step({ kind, label, tool, query }: TimedStep): string {
    if (kind === "status" && label !== undefined) return label;
    if (kind === "tool") return l10n.t("Tool {0}", tool ?? "");
    if (query?.final) return l10n.t("Final query");
    if (query?.k !== undefined) return l10n.t("Query {0}", this.count(query.k));
    return formatStepKind(kind);
  }

  /** Returns how a run ended, in one sentence. */
  outcome({ state, reason, took = 0 }: AgentRun): string {
    if (state === "running") return "";
    return reason ?? formatEnd(state, this.duration(took));
  }
}

function formatStepKind(kind: Exclude<StepKind, "tool">): string {
  switch (kind) {
    case "status":
      return l10n.t("Status");
    case "plan":
      return l10n.t("Plan");
    case "thinking":
      return l10n.t("Thinking");
    case "sql":
      return l10n.t("Query");
    case "documents":
      return l10n.t("Documents");
    case "notStreamed":
      return l10n.t("This server does not stream: the answer arrives all at once, without steps");
    case "unknown":
      return l10n.t("Unknown message");
  }
}

/** Returns the addition of a step's state to its name; "" for none. */
export function formatStepState({ state }: TimedStep): string {
  if (state === "failed") return l10n.t("failed");
  return state === "unfinished" ? l10n.t("not finished") : "";
}

export function formatPartKind(kind: PartKind): string {
  switch (kind) {
    case "thought":
      return l10n.t("Thought");
    case "input":
      return l10n.t("Input");
    case "sql":
      return l10n.t("SQL");
    case "observation":
      return l10n.t("Result");
    case "text":
      return l10n.t("Text");
    case "error":
      return l10n.t("Error");
    case "raw":
      return l10n.t("Raw");
  }
}

function formatEnd(state: EndState, duration: string): string {
  switch (state) {
    case "answered":
      return l10n.t("Answered in {0}", duration);
    case "stopped":
      return l10n.t("Stopped after {0}. The server may still be processing this.", duration);
    case "failed":
      return l10n.t("The agent failed.");
    case "cutOff":
      return l10n.t("Cut off: the window was reloaded or closed before the answer was complete.");
    case "noAnswer":
      return l10n.t("The agent ended without an answer.");
  }
}

/** Below a table that the server limited. */
export function formatRowLimit(): string {
  return l10n.t(
    "There may be more rows: the server gives agents at most 100 if the query has no LIMIT.",
  );
}
