// Formats an agent's events as the stream of a server, with one JSON object for each event.
import type { AgentEvent } from "./agent.ts";
import { formatValue } from "../server/state.ts";
import type { Relation } from "../server/state.ts";

/** An event of a stream. `works` marks events that take time on a real server. */
export interface StreamEvent {
  data: Record<string, unknown>;
  works: boolean;
}

/** Yields the events of a stream: `context` events, then `data`, then two `end` events. */
export function* streamEvents(events: Iterable<AgentEvent>): Generator<StreamEvent> {
  const context = (content: string, works = false) => ({
    data: { type: "context", content },
    works,
  });
  let queries = 0;
  yield context("Generating Data Catalog...");
  yield context("Creating execution plan...", true);
  for (const event of events) {
    switch (event.kind) {
      case "plan": {
        const steps = event.steps.map((step, i) => `Step ${i + 1}: ${step}`).join("\n");
        const count = event.steps.length;
        yield context(`Proposed Execution Plan:\n${steps}\n\nEstimated steps: ${count}\n\n`, true);
        break;
      }
      case "query":
        yield context("Generating agent response...");
        yield context(event.purpose, true);
        yield context(`Executing ${event.final ? "final" : "exploratory"} SQL query: ${event.sql}`);
        break;
      case "result":
        yield context(`Exploratory query ${++queries}/20 succeeded`, true);
        yield context(`Query result: ${formatPipeTable(event.relation)}`);
        break;
      case "failure":
        yield context(`Error executing SQL query: ${event.message}`, true);
        break;
      case "answer":
        yield context("Generating agent response...");
        yield context("Returning text response", true);
        yield { data: { type: "data", text: event.text, trace_id: "" }, works: true };
        break;
      case "table": {
        const content = event.relation.rows.length === 0 ? "" : formatPipeTable(event.relation);
        yield { data: { type: "data", content, trace_id: "" }, works: true };
        break;
      }
      case "gaveUp": {
        const content = `Agent streaming failed: ${event.message}`;
        yield { data: { type: "error", content, trace_id: "" }, works: false };
        yield { data: { type: "end" }, works: false };
        return;
      }
    }
  }
  yield { data: { type: "end", trace_id: "" }, works: false };
  yield { data: { type: "end" }, works: false };
}

/** Formats a result as servers do: a pipe table with padded cells and without escaping. */
function formatPipeTable(relation: Relation): string {
  const lines = [relation.columns, ...relation.rows].map((row) => row.map(formatValue));
  const widths = relation.columns.map((_, i) =>
    Math.max(2, ...lines.map((line) => line[i]?.length ?? 0)),
  );
  const show = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = show(widths.map((width) => "-".repeat(width)));
  return [show(lines[0] ?? []), rule, ...lines.slice(1).map(show)].join("\n");
}
