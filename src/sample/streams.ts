// Formats an agent's events as streams of 25.x and 26.x servers, with one JSON object for each event.
import type { AgentEvent, Scope } from "./agent.ts";
import { pythonRepr } from "./replies.ts";
import { textOf } from "./state.ts";
import type { Relation } from "./state.ts";

/** An event of a stream. `works` marks events that take time on a real server. */
export interface StreamEvent {
  data: Record<string, unknown>;
  works: boolean;
}

/** Yields the stream of 26.x: `context` events, then `data`, then two `end` events. */
export function* stream26(events: Iterable<AgentEvent>): Generator<StreamEvent> {
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

/** Yields the stream of 25.x: `start`, then `actions` and `steps` for each tool, `output`, `sql`, `end`. */
export function* stream25(
  events: Iterable<AgentEvent>,
  scope: Scope,
  question: string,
): Generator<StreamEvent> {
  yield { data: { type: "start", prompt: question, trace_id: "" }, works: false };
  const used = new Set<string>();
  let pending: { tool: string; tool_input: string; log: string } | undefined;
  let lastSql: string | undefined;
  for (const event of events) {
    switch (event.kind) {
      case "plan":
        break;
      case "query":
        if (!used.has(event.tool)) {
          const [tool, observation] =
            event.tool === "table"
              ? ["sql_db_list_tables", listTableNames(scope)]
              : ["kb_list_tool", listKnowledgeBaseNames(scope)];
          const listing = createAction(tool, "");
          yield toActionEvent(listing);
          yield toObservationEvent(listing, observation);
        }
        used.add(event.tool);
        pending = createAction(
          event.tool === "table" ? "sql_db_query" : "kb_query_tool",
          event.sql,
        );
        if (event.tool === "table") lastSql = event.sql;
        yield toActionEvent(pending);
        break;
      case "result":
      case "table":
        if (pending) yield toObservationEvent(pending, formatCsv(event.relation));
        if (event.kind === "table") yield toOutputEvent(event.text);
        break;
      case "failure":
        if (pending) yield toObservationEvent(pending, `Error: ${event.message}`);
        break;
      case "answer":
        yield toOutputEvent(event.text);
        break;
      case "gaveUp":
        yield toOutputEvent("The queries failed.");
        break;
    }
  }
  if (lastSql !== undefined) yield { data: { type: "sql", content: lastSql }, works: false };
  yield { data: { type: "end" }, works: false };
}

function createAction(
  tool: string,
  input: string,
): { tool: string; tool_input: string; log: string } {
  const log = `Thought: Do I need to use a tool? Yes\nAction: ${tool}\nAction Input: ${input}`;
  return { tool, tool_input: input, log };
}

function toActionEvent(tool: { log: string }): StreamEvent {
  const data = { actions: [tool], messages: [{ content: tool.log }], trace_id: "" };
  return { data, works: true };
}

function toObservationEvent(tool: object, observation: string): StreamEvent {
  const steps = [{ action: tool, observation }];
  return { data: { steps, messages: [{ content: observation }], trace_id: "" }, works: true };
}

function toOutputEvent(text: string): StreamEvent {
  const content = `Thought: Do I need to use a tool? No\nAI: ${text}`;
  return { data: { output: text, messages: [{ content }], trace_id: "" }, works: true };
}

function listTableNames(scope: Scope): string {
  return scope.tables.map((table) => `${table.source}.\`${table.name}\``).join(", ");
}

function listKnowledgeBaseNames(scope: Scope): string {
  const names = scope.knowledgeBases.map(({ kb }) => kb.row.name);
  return names.length === 0 ? "No knowledge bases found." : JSON.stringify(names);
}

/** Formats a result as agents of 25.x receive it: the columns, then CSV with objects in Python's `repr`. */
function formatCsv(relation: Relation): string {
  const cell = (value: unknown) => {
    const text = typeof value === "string" ? value : pythonRepr(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [relation.columns, ...relation.rows].map((row) => `${row.map(cell).join(",")}\r\n`);
  const names = relation.columns.map((column) => `'${column}'`).join(", ");
  return `Output columns: ${names}\nResult in CSV format (dialect is 'excel'):\n${lines.join("")}`;
}

/** Formats a result as 26.x does: a pipe table with padded cells and without escaping. */
function formatPipeTable(relation: Relation): string {
  const lines = [relation.columns, ...relation.rows].map((row) => row.map(textOf));
  const widths = relation.columns.map((_, i) =>
    Math.max(2, ...lines.map((line) => line[i]?.length ?? 0)),
  );
  const show = (cells: string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const rule = show(widths.map((width) => "-".repeat(width)));
  return [show(lines[0] ?? []), rule, ...lines.slice(1).map(show)].join("\n");
}
