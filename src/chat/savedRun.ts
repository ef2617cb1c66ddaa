// A run in a file of its own: the redacted events of its stream with their times, and what was made of them.
// docs/saved-runs.md describes the format.
import * as l10n from "@vscode/l10n";
import * as v from "valibot";
import { hasMoreValues } from "../mindsdb/hasMoreValues.ts";
import { tryParseJson } from "../mindsdb/json.ts";
import { StepNormalizer } from "../mindsdb/stream/stepNormalizer.ts";
import type { StepEvent } from "../mindsdb/stream/stepEvents.ts";
import type { TimedFrame } from "./rawEvents.ts";
import type { AgentRun, ChatAgent, ChatEvent, EndState, TimedStep } from "./transcript.ts";

/** In bytes. The stored events of a run have 4 MB at most, and what was made of them is about as long. */
export const maxSavedRunSize = 32_000_000;

/**
 * In ms since the run started, at most what a timer can wait (24 days): a longer wait would end at once, again and
 * again.
 */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(2 ** 31 - 1));
/** From 1970 on, so that the nanoseconds of a trace fit into 64 bits. */
const startTime = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((text) => Date.parse(text) >= 0 && Date.parse(text) < Date.UTC(2500)),
);
const length = v.optional(v.number());

const savedStep = v.object({
  kind: v.picklist([
    "status",
    "plan",
    "thinking",
    "tool",
    "sql",
    "documents",
    "notStreamed",
    "unknown",
  ]),
  state: v.picklist(["done", "failed", "unfinished"]),
  tool: v.optional(v.string()),
  label: v.optional(v.string()),
  query: v.optional(
    v.object({ k: v.optional(v.number()), of: v.optional(v.number()), final: v.boolean() }),
  ),
  parts: v.array(
    v.object({
      kind: v.picklist(["thought", "input", "sql", "observation", "text", "error", "raw"]),
      text: v.string(),
      length,
    }),
  ),
  at: time,
});

/** Of a run: real ones have hundreds, and each takes time to read. */
const maxEvents = 50_000;

const savedRun = v.object({
  format: v.literal("mindsdb-workbench-run"),
  version: v.literal(1),
  question: v.string(),
  agent: v.object({ project: v.string(), name: v.string() }),
  server: v.object({ connection: v.string(), version: v.optional(v.string()) }),
  startedAt: startTime,
  /** Absent if the server does not stream, or not all events are stored. */
  frames: v.optional(
    v.pipe(v.array(v.object({ at: time, data: v.string() })), v.maxLength(maxEvents)),
  ),
  steps: v.pipe(v.array(savedStep), v.maxLength(maxEvents)),
  answer: v.optional(
    v.object({ format: v.picklist(["markdown", "table"]), text: v.string(), at: time, length }),
  ),
  outcome: v.object({
    state: v.picklist(["answered", "stopped", "failed", "cutOff", "noAnswer"]),
    at: time,
    reason: v.optional(v.string()),
    detail: v.optional(v.string()),
  }),
});
export type SavedRun = v.InferOutput<typeof savedRun>;

export interface RunToSave {
  run: AgentRun;
  agent: ChatAgent;
  serverVersion: string | undefined;
  frames: TimedFrame[] | undefined;
}

/** Returns an ended run as the text of a file; every text in it went through `redact`. */
export function formatSavedRun(
  { run, agent, serverVersion, frames }: RunToSave,
  redact: (text: string) => string,
): string {
  const { answer, answeredAt, took = 0, reason, detail } = run;
  const saved: SavedRun = {
    format: "mindsdb-workbench-run",
    version: 1,
    question: run.question,
    agent: { project: agent.project, name: agent.name },
    server: { connection: agent.connection, version: serverVersion },
    startedAt: new Date(run.startedAt).toISOString(),
    outcome: { state: run.state as EndState, at: took, reason, detail },
    answer: answer && { ...answer, at: answeredAt ?? took },
    steps: run.steps.map(saveStep),
    frames,
  };
  const replacer = (_key: string, value: unknown): unknown =>
    typeof value === "string" ? redact(value) : value;
  return JSON.stringify(saved, replacer, 1);
}

function saveStep({ kind, state, tool, label, query, parts, at }: TimedStep): SavedRun["steps"][0] {
  return { kind, state: state === "running" ? "unfinished" : state, tool, label, query, parts, at };
}

/** JSON values of a saved run: in memory they are far larger than in the file, and parsing millions takes seconds. */
const maxValues = 2_000_000;

/** Returns the run, or in one sentence why the text is none. */
export function parseSavedRun(text: string): SavedRun | string {
  const value = hasMoreValues(text, maxValues) ? undefined : tryParseJson(text);
  if (value === undefined) {
    return l10n.t("This file is not a saved run: it is not JSON, or it is incomplete.");
  }
  const header = v.safeParse(
    v.object({ format: savedRun.entries.format, version: v.number() }),
    value,
  );
  if (!header.success) return l10n.t("This file is not a saved run of Workbench for MindsDB.");
  if (header.output.version > 1) {
    return l10n.t(
      "This run was saved by a newer version of Workbench for MindsDB. Update the extension to open it.",
    );
  }
  const read = v.safeParse(savedRun, value, { abortEarly: true });
  if (read.success) return read.output;
  const where = v.getDotPath(read.issues[0]) ?? "";
  return l10n.t("This saved run is damaged at “{0}”.", where.slice(0, 100));
}

/** Returns the conversation that the run is shown in, without the run. */
export function savedRunHead({ agent, server }: SavedRun): ChatAgent {
  return { connectionId: "", connection: server.connection, ...agent };
}

/** Yields the events that rebuild the run, from the stream's events if they are all there. */
export function* replaySavedRun(saved: SavedRun): Generator<ChatEvent> {
  const { question, startedAt, outcome } = saved;
  yield { type: "asked", run: 1, question, startedAt: Date.parse(startedAt) };
  for (const { at, event } of saved.frames ? readFrames(saved.frames) : readSteps(saved)) {
    yield { type: "stepped", run: 1, at, event };
  }
  // Has the chat's own sentence about a failure; the stream has only the server's text.
  yield { type: "ended", run: 1, ...outcome };
}

interface TimedEvent {
  at: number;
  event: StepEvent;
}

function* readFrames(frames: readonly TimedFrame[]): Generator<TimedEvent> {
  const normalizer = new StepNormalizer();
  let left = maxEvents;
  for (const { at, data } of frames) {
    for (const event of normalizer.read(data)) {
      if (left-- <= 0) return;
      yield { at, event };
    }
  }
}

function* readSteps({ steps, answer }: SavedRun): Generator<TimedEvent> {
  for (const [index, { at, ...step }] of steps.entries()) {
    yield { at, event: { type: "step", step: { ...step, n: index + 1 } } };
  }
  if (answer) {
    const { at, ...text } = answer;
    yield { at, event: { type: "answer", ...text } };
  }
}
