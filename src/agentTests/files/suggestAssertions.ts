// Suggests assertions for a test made from a run: they hold for it and can be expected to hold for later runs.
import * as l10n from "@vscode/l10n";
import { toOutcome } from "../checks/agentOutcome.ts";
import { isLiteral } from "./templates.ts";
import { toToolSteps } from "../checks/toolSteps.ts";
import { mask } from "../../mindsdb/redact/secretNames.ts";
import type { AgentRun } from "../../chat/transcript.ts";

/** An assertion as it is written into a test file. */
export interface SuggestedAssertion {
  type: "icontains" | "trajectory:tool-used" | "trajectory:step-count" | "latency";
  value?: string | { type: string; max: number };
  /** In ms, of `latency`. */
  threshold?: number;
  /** Whether it says what the answer is about, and not only how it came. */
  isLikely: boolean;
}

const maxValues = 8;
const maxValueLength = 80;
/** Only the beginning of an answer is read, in characters. */
const maxAnswerLength = 20_000;

/** Bold text in Markdown, and numbers that are not part of a longer word, date or number. */
const bold = /\*\*([^*\n]{2,80})\*\*/g;
const number = /(?<![\p{L}\p{N}_.,-])\d+(?:[.,]\d+)*(?![\p{L}\p{N}_]|[.,]\d|-\d)/gu;
/** A line in bold, like "**Sources**": a heading, which is the same for many answers. */
const boldHeading = /^[ \t]*\*\*[^*\n]{2,80}\*\*:?[ \t]*$/gm;

/** The assertions that hold for an answered run; none for others. `run` is redacted, so that no secret gets into a test. */
export function suggestAssertions(run: AgentRun): SuggestedAssertion[] {
  const outcome = toOutcome(run);
  if (!outcome) return [];
  const steps = toToolSteps(outcome.toolCalls);
  const tools = [...new Set(steps.map(({ name }) => name))].filter(isLiteral);
  return [
    ...findValues(outcome.output).map((value, at): SuggestedAssertion => {
      return { type: "icontains", value, isLikely: at === 0 };
    }),
    ...tools.map((value): SuggestedAssertion => {
      return { type: "trajectory:tool-used", value, isLikely: true };
    }),
    ...(steps.length > 0
      ? [
          {
            type: "trajectory:step-count",
            value: { type: "tool", max: steps.length },
            isLikely: false,
          } as const,
        ]
      : []),
    { type: "latency", threshold: roundUp(outcome.latencyMs), isLikely: false },
  ];
}

/** Describes an assertion in words, such as `Contains “deposit”, ignoring case`. */
export function describeSuggestion({ type, value, threshold = 0 }: SuggestedAssertion): string {
  if (type === "latency") return l10n.t("Answered within {0} s", threshold / 1_000);
  if (typeof value === "object") {
    return value.max === 1
      ? l10n.t("At most 1 tool call")
      : l10n.t("At most {0} tool calls", value.max);
  }
  return type === "trajectory:tool-used"
    ? l10n.t("Uses the tool {0}", value ?? "")
    : l10n.t("Contains “{0}”, ignoring case", value ?? "");
}

/** Bold texts, then numbers, then a short answer itself, which is the least likely to come again. */
function findValues(answer: string): string[] {
  const read = answer.trim().slice(0, maxAnswerLength);
  const isShort = read.length <= maxValueLength && !/[\n|]/.test(read);
  const text = read.replace(boldHeading, (line) => (line.trim() === read ? line : ""));
  const found = [
    ...[...text.matchAll(bold)].map(([, inBold = ""]) => inBold.trim()),
    ...[...read.matchAll(number)].map(([text]) => text).filter((text) => text.length > 1),
    ...(isShort ? [read] : []),
  ];
  // A template would be replaced, and what stands for a secret is in no later answer.
  const isWritable = (text: string): boolean =>
    text !== "" && isLiteral(text) && !text.includes(mask);
  return [...new Set(found)].filter(isWritable).slice(0, maxValues);
}

/** Twice the time, in whole seconds: servers are not equally fast every day. */
function roundUp(ms: number): number {
  return Math.max(1, Math.ceil((2 * ms) / 1_000)) * 1_000;
}
