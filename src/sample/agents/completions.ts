// Asks agents, and the handler that streams their answers.
import type { Answer, Call } from "../server/call.ts";
import { lookUpAgent } from "../server/lookup.ts";
import { formatValue } from "../server/state.ts";
import type { Agent, Relation, State } from "../server/state.ts";
import { runSql } from "../sql/database.ts";
import { answer, defaultProject, findScope } from "./agent.ts";
import type { AgentEvent, Turn } from "./agent.ts";
import { streamEvents } from "./streams.ts";

/** `POST …/completions/stream`. Messages that are no list are an error in the stream, as on MindsDB 26. */
export function completeStream(call: Call): Answer {
  const { agent } = lookUpAgent(call);
  const { messages } = call.json() as { messages?: unknown };
  if (!Array.isArray(messages)) {
    const events = [{ error: "Error in completion event generator" }, { type: "end" }];
    return { events: events.map((data) => ({ data, works: false })) };
  }
  const { question, history } = readConversation(messages);
  return { events: streamEvents(askAgent(call.state, agent, question, history)) };
}

/** Asks an agent. Its queries run in the default project. */
export function askAgent(
  state: State,
  agent: Agent,
  question: string,
  history: Turn[],
): Iterable<AgentEvent> {
  const context = { state, database: defaultProject(state).name };
  const run = (sql: string): Relation => runSql(context, sql) ?? { columns: [], rows: [] };
  return answer(findScope(state, agent.data), question, history, run);
}

type EndEvent = Extract<AgentEvent, { kind: "answer" | "table" | "gaveUp" }>;

export function findEndEvent(events: Iterable<AgentEvent>): EndEvent {
  let end: EndEvent = { kind: "answer", text: "" };
  for (const event of events) {
    if (event.kind === "answer" || event.kind === "table" || event.kind === "gaveUp") end = event;
  }
  return end;
}

/** Reads the last question of a request's messages and the turns before it. */
export function readConversation(messages: unknown[]): { question: string; history: Turn[] } {
  const turns = (messages as Record<keyof Turn, unknown>[]).map((turn) => ({
    question: formatValue(turn.question),
    answer: formatValue(turn.answer),
  }));
  return { question: turns.at(-1)?.question ?? "", history: turns.slice(0, -1) };
}
