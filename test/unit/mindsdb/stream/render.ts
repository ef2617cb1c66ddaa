// Formats a run as readable text for the golden files in test/fixtures/transcripts.
import type { AgentRun } from "../../../../src/chat/transcript.ts";
import type { StepPart } from "../../../../src/mindsdb/stream/stepEvents.ts";

/** Formats everything in a run except its times. */
export function renderRun({ question, state, reason, steps, answer }: AgentRun): string {
  const lines = [`Question: ${JSON.stringify(question)}`, ""];
  for (const { n, kind, state, tool, label, query, parts } of steps) {
    const details = [kind, tool && `tool ${tool}`, label && `"${label}"`, query && which(query)];
    lines.push(`${String(n)}. ${details.filter(Boolean).join(", ")}: ${state}`);
    lines.push(...parts.flatMap(renderPart), "");
  }
  lines.push(`Ended: ${state}`);
  if (reason !== undefined) lines.push(...formatBlock(reason));
  if (answer) lines.push("", `Answer, ${answer.format}:`, ...formatBlock(answer.text));
  return lines.join("\n") + "\n";
}

function which({ k, of, final }: { k?: number; of?: number; final: boolean }): string {
  if (final) return "final query";
  return k === undefined ? "exploratory query" : `exploratory query ${String(k)} of ${String(of)}`;
}

function renderPart({ kind, text }: StepPart): string[] {
  return [`   ${kind}`, ...formatBlock(text)];
}

/** Indents a text and makes carriage returns and tabs visible. */
function formatBlock(text: string): string[] {
  const visible = text.replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return visible.split("\n").map((line) => `   | ${line}`);
}
