// What stands beside a step's words: a short description of what it does, from what the server said.
import type { AgentStep } from "../mindsdb/stream/stepEvents.ts";
import { oneLine } from "../shared/oneLine.ts";

const maxSummaryLength = 200;

/** Of a text no more is looked at, in characters: it can be megabytes. */
const maxCharactersRead = 2000;

/** How a language model begins to say that it wants a tool, and whether it does: said of every step, so of no use. */
const formula = /^\s*(?:Thought:)?\s*(?:Do I need to use a tool\?\s*(?:Yes|No)\b[.,!]?)?/i;

/** From here on a thought says the tool and its input, which the step has by themselves. */
const call = /^[ \t]*Action(?: Input)?:[^]*/m;

export interface StepSummary {
  text: string;
  isCode: boolean;
}

/**
 * The server's own description, else how the step's first text begins. A thought of nothing but its form gives way to
 * the input that it decided on.
 */
export function summarizeStep({
  kind,
  label,
  parts,
}: Pick<AgentStep, "kind" | "label" | "parts">): StepSummary {
  // A status says its label as its words, a plan is long and has no first line worth reading.
  if (kind === "status" || kind === "plan") return { text: "", isCode: false };
  if (label !== undefined) return { text: beginning(label), isCode: false };
  const [first, second] = parts;
  const words = first?.kind === "thought" ? beginning(ownWords(first.text)) : undefined;
  const isInput = second?.kind === "sql" || second?.kind === "input";
  if (words !== undefined && (words !== "" || !isInput)) return { text: words, isCode: false };
  const shown = words === undefined ? first : second;
  return { text: beginning(shown?.text ?? ""), isCode: !!shown && shown.kind !== "text" };
}

/** A thought without the form that agents of 25.x give it. */
function ownWords(thought: string): string {
  return thought.slice(0, maxCharactersRead).replace(call, "").replace(formula, "");
}

function beginning(text: string): string {
  return oneLine(text.slice(0, maxCharactersRead), maxSummaryLength);
}
