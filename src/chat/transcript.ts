// A conversation as plain data, and the reducer that host and page share.
import { isAppError, isCancelled } from "../mindsdb/errors.ts";
import type { Turn } from "../mindsdb/conversationTurn.ts";
import type { AgentRef } from "../mindsdb/references.ts";
import type { AgentStep, StepEvent } from "../mindsdb/stream/stepEvents.ts";

/** The state of a run. Every run ends in exactly one of the last five. */
type RunState = "running" | "answered" | "stopped" | "failed" | "cutOff" | "noAnswer";

export type EndState = Exclude<RunState, "running">;

/** A step with times, in ms since the run started. */
export interface TimedStep extends AgentStep {
  at: number;
  /** The time of the next step or the end; absent for the last step. */
  until?: number;
}

interface RunAnswer {
  format: "markdown" | "table";
  text: string;
  /** The length of the whole text, if `text` is cut. */
  length?: number;
}

/** The execution of one question. */
export interface AgentRun {
  id: number;
  question: string;
  /** Epoch ms. */
  startedAt: number;
  state: RunState;
  /** Step `n` is `steps[n - 1]`. */
  steps: TimedStep[];
  answer?: RunAnswer;
  /** The time of the answer, in ms since the run started. */
  answeredAt?: number;
  /** Why the run failed or was cut off, in one redacted sentence. */
  reason?: string;
  /** The server's whole error text, redacted, if it is longer than the reason. */
  detail?: string;
  /** Duration in ms, if ended. */
  took?: number;
  /** The runs that this one replaced, the oldest first. They have no `former` and no `branches`. */
  former?: AgentRun[];
  /** Present if the question has been edited. */
  branches?: Branches;
}

/** The hidden parts of a conversation: other versions of a question, each with the runs that follow it. */
interface Branches {
  earlier: AgentRun[][];
  later: AgentRun[][];
}

/** An agent, with the name that its connection had. */
export interface ChatAgent extends AgentRef {
  connection: string;
}

/** Identifies the conversation and its agent. */
export interface ChatHead {
  chatId: string;
  agent: ChatAgent;
}

export interface Transcript extends ChatHead {
  /** The name that the user has given the conversation. */
  title?: string | undefined;
  /** The shown branch. */
  runs: AgentRun[];
  /** Questions that wait for the running run to end, the next one first. */
  waiting: string[];
}

/**
 * A change of a transcript. `at` is in ms since the run started, by the host's clock. A question that is asked again
 * replaces the run `replaces`. An edited question begins a new branch in place of the run `edits`.
 */
export type ChatEvent =
  | {
      type: "asked";
      run: number;
      question: string;
      startedAt: number;
      replaces?: number;
      edits?: number;
    }
  /** Shows the branch that begins with this run. */
  | { type: "switched"; run: number }
  /** All waiting questions. */
  | { type: "waiting"; questions: string[] }
  | { type: "stepped"; run: number; at: number; event: StepEvent }
  | { type: "ended"; run: number; at: number; state: EndState; reason?: string; detail?: string };

type Asked = Extract<ChatEvent, { type: "asked" }>;

/** Returns a conversation without runs. */
export function emptyTranscript({ chatId, agent }: ChatHead): Transcript {
  return { chatId, agent, runs: [], waiting: [] };
}

/**
 * Applies one event to `transcript` in place and returns it, so the cost does not grow with the conversation. Events of
 * unknown or ended runs are ignored, so a run ends once.
 */
export function reduce(transcript: Transcript, event: ChatEvent): Transcript {
  switch (event.type) {
    case "asked":
      addRun(transcript.runs, event);
      break;
    case "waiting":
      transcript.waiting = [...event.questions];
      break;
    case "switched":
      showBranch(transcript.runs, event.run);
      break;
    case "stepped":
    case "ended": {
      // The running run is nearly always the last one that is shown.
      const run =
        transcript.runs.findLast(({ id }) => id === event.run) ?? findRun(transcript, event.run);
      if (run?.state !== "running") break;
      if (event.type === "stepped") applyStep(run, event.event, event.at);
      else endRun(run, event);
      break;
    }
  }
  return transcript;
}

function addRun(runs: AgentRun[], event: Asked): void {
  const { run: id, question, startedAt, replaces, edits } = event;
  const run: AgentRun = { id, question, startedAt, state: "running", steps: [] };
  const place = runs.findLastIndex((one) => one.id === (replaces ?? edits));
  const [before, ...following] = place < 0 ? [] : runs.slice(place);
  if (!before) {
    runs.push(run);
    return;
  }
  const { former = [], branches, ...last } = before;
  if (replaces === undefined) {
    const earlier = listBranches(before, following);
    runs.splice(place, Infinity, { ...run, branches: { earlier, later: [] } });
  } else {
    runs[place] = { ...run, former: [...former, last], ...(branches && { branches }) };
  }
}

/** Returns all versions of a question, each with the runs that follow it, the oldest first. */
function listBranches({ branches, ...shown }: AgentRun, following: AgentRun[]): AgentRun[][] {
  return [...(branches?.earlier ?? []), [shown, ...following], ...(branches?.later ?? [])];
}

/** Shows the branch that begins with the run `id` in place of another version of its question. */
function showBranch(runs: AgentRun[], id: number): void {
  const beginsHere = ([first]: AgentRun[]): boolean => first?.id === id;
  const place = runs.findIndex(({ branches }) =>
    [...(branches?.earlier ?? []), ...(branches?.later ?? [])].some(beginsHere),
  );
  const [before, ...hidden] = place < 0 ? [] : runs.slice(place);
  if (!before) return;
  const all = listBranches(before, hidden);
  const shown = all.findIndex(beginsHere);
  const [first, ...following] = all[shown] ?? [];
  if (!first) return;
  const branches = { earlier: all.slice(0, shown), later: all.slice(shown + 1) };
  runs.splice(place, Infinity, { ...first, branches }, ...following);
}

function applyStep(run: AgentRun, event: StepEvent, at: number): void {
  switch (event.type) {
    case "step": {
      closeLastStep(run, at);
      run.steps.push({ ...event.step, parts: [...event.step.parts], at });
      break;
    }
    case "add": {
      const step = run.steps[event.n - 1];
      if (!step) break;
      for (const part of event.parts) step.parts.push(part);
      step.state = event.state;
      if (event.query) step.query = event.query;
      break;
    }
    case "answer": {
      const { format, text, length } = event;
      run.answer = { format, text, ...(length === undefined ? {} : { length }) };
      run.answeredAt = at;
      break;
    }
    case "failed":
      if (run.reason !== undefined) break;
      run.reason = event.message;
      if (event.detail !== undefined) run.detail = event.detail;
      break;
    case "end":
      break;
  }
}

type End = Omit<Extract<ChatEvent, { type: "ended" }>, "type" | "run">;

function endRun(run: AgentRun, { state, reason, detail, at }: End): void {
  closeLastStep(run, at);
  for (const step of run.steps) {
    if (step.state === "running") step.state = "unfinished";
  }
  run.state = state;
  run.took = at;
  if (reason !== undefined) run.reason = reason;
  if (detail !== undefined) run.detail = detail;
}

function closeLastStep(run: AgentRun, at: number): void {
  const last = run.steps.at(-1);
  if (last) last.until = at;
}

/**
 * Returns how a run ends, from its data and the error of the stream (none, an AppError, or the abort reason). A failure
 * that the server reported takes precedence over a connection that broke after it.
 */
export function findOutcome(
  run: Pick<AgentRun, "answer" | "reason">,
  error?: unknown,
): { state: EndState; reason?: string } {
  if (isCancelled(error)) return { state: "stopped" };
  if (run.reason !== undefined) return { state: "failed", reason: run.reason };
  if (error === undefined) return { state: run.answer ? "answered" : "noAnswer" };
  const state = isAppError(error, "cutOff") ? "cutOff" : "failed";
  return { state, ...(error instanceof Error ? { reason: error.message } : {}) };
}

/** The most answered turns that are sent with a question. */
const maxTurns = 10;

/**
 * Returns the messages to send for a run: the last answered turns, then its question with an empty answer. Turns with an
 * empty answer are left out, because the server would treat them as new questions. For a question that was asked several
 * times, the last answer counts. `originals` has the unredacted texts by run.
 */
export function buildTurns(
  { runs }: Transcript,
  originals: ReadonlyMap<number, Partial<Turn>> = new Map(),
  asked = runs.at(-1),
): Turn[] {
  if (!asked) return [];
  const answered = runs
    .slice(0, runs.indexOf(asked))
    .flatMap((run) => listVersions(run).findLast(isAnswered) ?? [])
    .slice(-maxTurns)
    .map(({ id, question, answer }) => ({
      question,
      answer: answer?.text ?? "",
      ...originals.get(id),
    }));
  const { question = asked.question } = originals.get(asked.id) ?? {};
  return [...answered, { question, answer: "" }];
}

function isAnswered({ state, answer }: AgentRun): boolean {
  return state === "answered" && !!answer?.text;
}

/** Returns the runs of a question that was asked again: those that were replaced, the oldest first, then the run. */
export function listVersions(run: AgentRun): AgentRun[] {
  return [...(run.former ?? []), run];
}

/** Yields every run: also the replaced ones, and those of branches that are not shown. */
export function* allRuns(runs: readonly AgentRun[]): Generator<AgentRun> {
  for (const run of runs) {
    yield* listVersions(run);
    const { earlier = [], later = [] } = run.branches ?? {};
    for (const branch of [...earlier, ...later]) yield* allRuns(branch);
  }
}

export function findRun({ runs }: Transcript, id: number): AgentRun | undefined {
  for (const run of allRuns(runs)) if (run.id === id) return run;
  return undefined;
}

/** Yields the events that rebuild the transcript, for a new page. */
export function* replay({ runs, waiting }: Transcript): Generator<ChatEvent> {
  yield* replayRuns(runs);
  if (waiting.length > 0) yield { type: "waiting", questions: [...waiting] };
}

function* replayRuns(runs: readonly AgentRun[]): Generator<ChatEvent> {
  for (const [index, run] of runs.entries()) {
    if (run.branches) {
      yield* replayBranches(run, runs.slice(index + 1));
      return;
    }
    yield* replayVersions(run);
  }
}

/** Each branch begins as an edit of the one before; the shown one is shown at last. */
function* replayBranches(shown: AgentRun, rest: AgentRun[]): Generator<ChatEvent> {
  let edits: number | undefined;
  for (const [first, ...following] of listBranches(shown, rest)) {
    if (!first) continue;
    yield* replayVersions(first, edits);
    yield* replayRuns(following);
    edits = first.id;
  }
  if (edits !== shown.id) yield { type: "switched", run: shown.id };
}

function* replayVersions({ former = [], ...last }: AgentRun, edits?: number): Generator<ChatEvent> {
  let place: Pick<Asked, "replaces" | "edits"> = edits === undefined ? {} : { edits };
  for (const run of [...former, last]) {
    yield* replayRun(run, place);
    place = { replaces: run.id };
  }
}

function* replayRun(run: AgentRun, place: Pick<Asked, "replaces" | "edits">): Generator<ChatEvent> {
  const { id, question, startedAt, steps, answer, reason, state, took = 0 } = run;
  const detail = run.detail === undefined ? {} : { detail: run.detail };
  const stepped = (at: number, event: StepEvent): ChatEvent => {
    return { type: "stepped", run: id, at, event };
  };
  yield { type: "asked", run: id, question, startedAt, ...place };
  for (const step of steps) yield stepped(step.at, { type: "step", step });
  if (answer) yield stepped(run.answeredAt ?? took, { type: "answer", ...answer });
  if (state !== "running") {
    yield {
      type: "ended",
      run: id,
      at: took,
      state,
      ...(reason === undefined ? {} : { reason }),
      ...detail,
    };
  } else if (reason !== undefined) {
    yield stepped(took, { type: "failed", message: reason, early: false, ...detail });
  }
}

/** A line of a stored conversation: first its head, then its events. */
type ChatLine = ({ type: "chat" } & ChatHead) | ChatEvent;

/** Returns one line of JSON. Starts with the line break, so that a line torn by a crash does not damage the next one. */
export function serialize(line: ChatLine): string {
  return "\n" + JSON.stringify(line);
}

/** Parses a line; undefined if it is empty, incomplete, or lacks a text that lists of conversations show. */
export function parseLine(line: string): ChatLine | undefined {
  try {
    const value = JSON.parse(line) as ChatLine;
    return listShownTexts(value).every((text) => typeof text === "string") ? value : undefined;
  } catch {
    return undefined;
  }
}

function listShownTexts(line: ChatLine): unknown[] {
  if (line.type === "asked") return [line.question];
  if (line.type !== "chat") return [];
  const { connectionId, project, name } = line.agent;
  return [line.chatId, connectionId, project, name];
}

/**
 * Parses a stored conversation; undefined without a head. A run without an end was cut off. Incomplete lines are
 * skipped.
 */
export function parse(text: string): Transcript | undefined {
  let transcript: Transcript | undefined;
  for (const line of text.split("\n")) {
    const value = parseLine(line);
    try {
      if (value?.type === "chat") transcript ??= emptyTranscript(value);
      else if (transcript && value) reduce(transcript, value);
    } catch {
      // Valid JSON, but not an event.
      continue;
    }
  }
  for (const run of allRuns(transcript?.runs ?? [])) {
    if (run.state === "running") endRun(run, { state: "cutOff", at: run.steps.at(-1)?.at ?? 0 });
  }
  return transcript;
}
