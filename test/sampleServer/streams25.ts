// Formats an agent's events as the stream of a 25.x server.
import type { AgentEvent, Scope } from "../../src/sample/agents/agent.ts";
import type { Relation } from "../../src/sample/server/state.ts";
import type { StreamEvent } from "../../src/sample/agents/streams.ts";
import { pythonRepr } from "./pythonFormats.ts";

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
        if (pending) {
          yield toObservationEvent(pending, formatCsv(arrangeSearchColumns("25", event.relation)));
        }
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
  return scope.tables.map((table) => `files.\`${table.name}\``).join(", ");
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

/** Orders the columns of a search as real servers do, which differs between versions. */
export function arrangeSearchColumns(dialect: "25" | "26", relation: Relation): Relation {
  const { columns, rows } = relation;
  const isSearch = columns.slice(0, 5).join() === "id,chunk_id,chunk_content,relevance,distance";
  if (!isSearch || (rows[0]?.[3] ?? null) === null) return relation;
  const first = dialect === "25" ? [0, 1, 2, 4, 3] : [0, 4, 1, 2, 3];
  const order = [...first, ...[...columns.keys()].slice(5)];
  return {
    columns: order.map((at) => columns[at] ?? ""),
    rows: rows.map((row) => order.map((at) => row[at])),
  };
}
