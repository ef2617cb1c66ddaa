// A conversation with an agent as plain data, and the one reducer that host and page use unchanged.
import { isAppError, isCancelled } from "../mindsdb/errors.ts";
import type { AgentStep, StepEvent } from "../mindsdb/stream/stepEvents.ts";

/** Where a run stands. Exactly one of the last five is how every run ends. */
export type RunState = "running" | "answered" | "stopped" | "failed" | "cutOff" | "noAnswer";

/** How a run ends. */
export type EndState = Exclude<RunState, "running">;

/** A step with the times the host gave it, in ms since the run began. */
export interface TimedStep extends AgentStep {
  at: number;
  /** When the next step (or the end) came; absent while it is the last one. */
  until?: number;
}

export interface RunAnswer {
  format: "markdown" | "table";
  text: string;
  /** The whole text's length, where `text` is only its beginning. */
  length?: number;
}

/** One question and what came of it. */
export interface AgentRun {
  id: number;
  question: string;
  /** Epoch ms. */
  startedAt: number;
  state: RunState;
  /** Step `n` is `steps[n - 1]`. */
  steps: TimedStep[];
  answer?: RunAnswer;
  /** When the answer came, in ms since the run began. */
  answeredAt?: number;
  /** Why it failed or was cut off: one sentence, redacted. */
  reason?: string;
  /** The server's full error text, redacted, where it says more than the sentence. */
  detail?: string;
  /** ms from start to end, once ended. */
  took?: number;
  /** The runs that this one took the place of, the oldest first; none of them has such. */
  former?: AgentRun[];
}

/** Whom the conversation is with. */
export interface ChatHead {
  chatId: string;
  agent: { connectionId: string; connection: string; project: string; name: string };
}

export interface Transcript extends ChatHead {
  runs: AgentRun[];
  /** Questions that wait for the run under way to end, the next one first. */
  waiting: string[];
}

/**
 * Everything that can happen to a transcript; `at` is ms since the run began (the clock is the host's). A question that is
 * asked again takes the place of the run that it `replaces`.
 */
export type ChatEvent =
  | { type: "asked"; run: number; question: string; startedAt: number; replaces?: number }
  /** All questions that wait now. */
  | { type: "waiting"; questions: string[] }
  | { type: "stepped"; run: number; at: number; event: StepEvent }
  | { type: "ended"; run: number; at: number; state: EndState; reason?: string; detail?: string };

/** A conversation in which nothing has been asked. */
export function emptyTranscript({ chatId, agent }: ChatHead): Transcript {
  return { chatId, agent, runs: [], waiting: [] };
}

/**
 * Applies one event, changes `transcript` in place and returns it: the cost of an event does not grow with the
 * conversation. What concerns an unknown run or one that has ended changes nothing, so a run ends once.
 */
export function reduce(transcript: Transcript, event: ChatEvent): Transcript {
  if (event.type === "asked") {
    ask(transcript.runs, event);
    return transcript;
  }
  if (event.type === "waiting") {
    transcript.waiting = [...event.questions];
    return transcript;
  }
  const run = transcript.runs.findLast(({ id }) => id === event.run);
  if (run?.state !== "running") return transcript;
  switch (event.type) {
    case "stepped":
      applyStep(run, event.event, event.at);
      break;
    case "ended":
      end(run, event);
      break;
  }
  return transcript;
}

function ask(runs: AgentRun[], event: Extract<ChatEvent, { type: "asked" }>): void {
  const { run: id, question, startedAt, replaces } = event;
  const run: AgentRun = { id, question, startedAt, state: "running", steps: [] };
  const place = replaces === undefined ? -1 : runs.findLastIndex((one) => one.id === replaces);
  const replaced = runs[place];
  if (!replaced) {
    runs.push(run);
    return;
  }
  const { former = [], ...last } = replaced;
  runs[place] = { ...run, former: [...former, last] };
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

function end(run: AgentRun, { state, reason, detail, at }: End): void {
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
 * How a run ends: from what came and from what reading it threw (nothing, an AppError, the reason of an abort).
 * A failure the server told counts more than the connection that broke after it.
 */
export function outcome(
  run: Pick<AgentRun, "answer" | "reason">,
  error?: unknown,
): { state: EndState; reason?: string } {
  if (isCancelled(error)) return { state: "stopped" };
  if (run.reason !== undefined) return { state: "failed", reason: run.reason };
  if (error === undefined) return { state: run.answer ? "answered" : "noAnswer" };
  const state = isAppError(error, "cutOff") ? "cutOff" : "failed";
  return { state, ...(error instanceof Error ? { reason: error.message } : {}) };
}

/** One turn as the server takes it. */
export interface RunVersions {
  question: string;
  answer: string;
}

/** How many answered turns a follow-up carries. */
const maxTurns = 10;

/**
 * What to send for a run: the answered turns before it (the last ten), then its question with an empty answer. A turn whose
 * answer is empty is left out: the server would read its question as asked again. Of a question that was asked several
 * times the last answer counts. `originals` has, by run, texts that the transcript has redacted.
 */
export function groupRunVersions(
  { runs }: Transcript,
  originals: ReadonlyMap<number, Partial<RunVersions>> = new Map(),
  asked = runs.at(-1),
): RunVersions[] {
  if (!asked) return [];
  const answered = runs
    .slice(0, runs.indexOf(asked))
    .flatMap((run) => [run, ...(run.former ?? []).toReversed()].find(isAnswered) ?? [])
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

/** All runs with an id, those that were replaced among them. */
export function findRun({ runs }: Transcript, id: number): AgentRun | undefined {
  return runs.flatMap((run) => [run, ...(run.former ?? [])]).find((run) => run.id === id);
}

/** The events that make this transcript: what a page gets that has nothing yet. */
export function* replay({ runs, waiting }: Transcript): Generator<ChatEvent> {
  for (const { former = [], ...last } of runs) {
    let replaces: number | undefined;
    for (const run of [...former, last]) {
      yield* replayRun(run, replaces);
      replaces = run.id;
    }
  }
  if (waiting.length > 0) yield { type: "waiting", questions: [...waiting] };
}

function* replayRun(run: AgentRun, replaces: number | undefined): Generator<ChatEvent> {
  const { id, question, startedAt, steps, answer, reason, state, took = 0 } = run;
  const detail = run.detail === undefined ? {} : { detail: run.detail };
  const stepped = (at: number, event: StepEvent): ChatEvent => {
    return { type: "stepped", run: id, at, event };
  };
  yield {
    type: "asked",
    run: id,
    question,
    startedAt,
    ...(replaces === undefined ? {} : { replaces }),
  };
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

/** A line of a stored conversation: its head first, then every event as it came. */
export type ChatLine = ({ type: "chat" } & ChatHead) | ChatEvent;

/** One line of JSON. Its line end comes first, so that a line torn by a crash does not spoil the one after it. */
export function serialize(line: ChatLine): string {
  return "\n" + JSON.stringify(line);
}

/** What a line says; undefined if it is empty or not whole. */
export function parseLine(line: string): ChatLine | undefined {
  try {
    return JSON.parse(line) as ChatLine;
  } catch {
    return undefined;
  }
}

/**
 * A stored conversation, from its lines; undefined without a head. A run that has no end was cut off. Lines that are
 * not whole are left out.
 */
export function parse(text: string): Transcript | undefined {
  let transcript: Transcript | undefined;
  for (const line of text.split("\n")) {
    const value = parseLine(line);
    try {
      if (value?.type === "chat") transcript ??= emptyTranscript(value);
      else if (transcript && value) reduce(transcript, value);
    } catch {
      // JSON, but no event.
      continue;
    }
  }
  for (const run of transcript?.runs.flatMap((last) => [...(last.former ?? []), last]) ?? []) {
    if (run.state === "running") end(run, { state: "cutOff", at: run.steps.at(-1)?.at ?? 0 });
  }
  return transcript;
}

/** The most a page gets of the texts of one event, in characters. */
export const maxPageText = 200_000;

/** An event as a page gets it: long texts are cut, and tell how long they really are. */
export function forPage(event: ChatEvent): ChatEvent {
  switch (event.type) {
    case "asked":
    case "waiting":
      return event;
    case "ended":
      return cutReasons(event);
    case "stepped":
      return { ...event, event: cutTexts(event.event) };
  }
}

/** The bodies of one event share `maxPageText`. */
function cutTexts(event: StepEvent): StepEvent {
  let left = maxPageText;
  return mapTexts(
    event,
    (text) => cut(text),
    (body) => {
      const isWhole = body.text.length <= left;
      const kept = isWhole
        ? body
        : { ...body, text: cut(body.text, left), length: body.text.length };
      left -= kept.text.length;
      return kept;
    },
  );
}

/** A text of any size: a part of a step, or an answer. */
interface Body {
  text: string;
  /** The whole text's length, where `text` is only its beginning. */
  length?: number;
}

/** Returns the event with all its texts replaced by what `mapText` returns, or `mapBody` for bodies. */
export function mapTexts(
  event: StepEvent,
  mapText: (text: string) => string,
  mapBody = <T extends Body>(body: T): T => ({ ...body, text: mapText(body.text) }),
): StepEvent {
  switch (event.type) {
    case "step": {
      const step = { ...event.step, parts: event.step.parts.map((part) => mapBody(part)) };
      if (step.tool !== undefined) step.tool = mapText(step.tool);
      if (step.label !== undefined) step.label = mapText(step.label);
      return { type: "step", step };
    }
    case "add":
      return { ...event, parts: event.parts.map((part) => mapBody(part)) };
    case "answer":
      return mapBody(event);
    case "failed": {
      const failed = { ...event, message: mapText(event.message) };
      if (failed.detail !== undefined) failed.detail = mapText(failed.detail);
      return failed;
    }
    case "end":
      return event;
  }
}

function cutReasons(event: Extract<ChatEvent, { type: "ended" }>): ChatEvent {
  const ended = { ...event };
  if (ended.reason !== undefined) ended.reason = cut(ended.reason);
  if (ended.detail !== undefined) ended.detail = cut(ended.detail);
  return ended;
}

/** Leaves no half of a surrogate pair. */
function cut(text: string, limit = maxPageText): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
}

/** How much text an event holds, in characters. */
export function textLength(event: ChatEvent): number {
  switch (event.type) {
    case "asked":
      return event.question.length;
    case "waiting":
      return event.questions.reduce((sum, { length }) => sum + length, 0);
    case "ended":
      return (event.reason?.length ?? 0) + (event.detail?.length ?? 0);
    case "stepped": {
      let sum = 0;
      mapTexts(event.event, (text) => {
        sum += text.length;
        return text;
      });
      return sum;
    }
  }
}
