// The summary next to a step's label: a short description from the step's own data.
import type { AgentStep } from "../mindsdb/stream/stepEvents.ts";
import { oneLine } from "../shared/oneLine.ts";

const maxSummaryLength = 200;

/** Only the beginning of a text is read, in characters: it can be megabytes long. */
const maxCharactersRead = 2000;

/** The phrase that starts every thought of a language model with tools, without information about the step. */
const formula = /^\s*(?:Thought:)?\s*(?:Do I need to use a tool\?\s*(?:Yes|No)\b[.,!]?)?/i;

/** The rest of a thought that names the tool and its input, which are separate parts of the step. */
const call = /^[ \t]*Action(?: Input)?:[^]*/m;

interface StepSummary {
  text: string;
  isCode: boolean;
}

/**
 * Returns the server's description, or else the beginning of the step's first text. If a thought contains only the tool
 * call, its input is used instead.
 */
export function summarizeStep({
  kind,
  label,
  parts,
}: Pick<AgentStep, "kind" | "label" | "parts">): StepSummary {
  // A status already shows its text as its label, and the first line of a plan is not informative.
  if (kind === "status" || kind === "plan") return { text: "", isCode: false };
  if (label !== undefined) return { text: beginning(label), isCode: false };
  const [first, second] = parts;
  const thought = first?.kind === "thought" ? beginning(withoutCall(first.text)) : undefined;
  const isInput = second?.kind === "sql" || second?.kind === "input";
  if (thought !== undefined && (thought !== "" || !isInput)) {
    return { text: thought, isCode: false };
  }
  const shown = thought === undefined ? first : second;
  return { text: beginning(shown?.text ?? ""), isCode: !!shown && shown.kind !== "text" };
}

/** Returns a thought without the phrases and the call of the 25.x format. */
function withoutCall(thought: string): string {
  return thought.slice(0, maxCharactersRead).replace(call, "").replace(formula, "");
}

function beginning(text: string): string {
  return oneLine(text.slice(0, maxCharactersRead), maxSummaryLength);
}
