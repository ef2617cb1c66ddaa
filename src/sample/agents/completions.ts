// Asks agents, and the handler that streams their answers.
import type { Answer, Call } from "../server/call.ts";
import { lookUpAgent } from "../server/lookup.ts";
import { problem } from "../server/replies.ts";
import { formatValue } from "../server/state.ts";
import type { Agent, Relation, State } from "../server/state.ts";
import { runSql } from "../sql/database.ts";
import { answer, defaultProject, findScope } from "./agent.ts";
import type { AgentEvent, Turn } from "./agent.ts";
import { streamEvents } from "./streams.ts";

/** `POST …/completions/stream`. Messages that are no list are an error in the stream, as on MindsDB 26. */
export function completeStream(call: Call): Answer {
  const { messages } = call.json() as { messages?: unknown };
  if (messages !== undefined && !Array.isArray(messages)) {
    lookUpAgent(call);
    const events = [{ error: "Error in completion event generator" }, { type: "end" }];
    return { events: events.map((data) => ({ data, works: false })) };
  }
  const { question, history } = readConversation(call);
  const { agent } = lookUpAgent(call);
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

/** Reads the last question of a request and the turns before it. */
export function readConversation(call: Call): { question: string; history: Turn[] } {
  const { messages } = call.json() as { messages?: unknown };
  if (!Array.isArray(messages)) {
    throw problem(400, "Missing parameter", 'Must provide "messages" parameter in POST body');
  }
  const turns = (messages as Record<string, unknown>[]).map(
    ({ question, answer: given, role, content }) => ({
      question: formatValue(question ?? (role === "user" ? content : "")),
      answer: formatValue(given),
    }),
  );
  const history = turns.slice(0, -1).filter((turn) => turn.question !== "");
  return { question: turns.at(-1)?.question ?? "", history };
}
