// A conversation's runs: asks, times what comes, keeps it, and makes each run end in exactly one way. Without VS Code.
import { AppError, isAppError } from "../mindsdb/errors.ts";
import type { StepEvent } from "../mindsdb/stream/stepEvents.ts";
import { oneLine } from "../shared/oneLine.ts";
import type { AgentAccess, Explanation } from "./agentAccess.ts";
import { readModelFailure, type ModelFailure } from "./modelFailure.ts";
import {
  mapTexts,
  outcome,
  reduce,
  groupRunVersions,
  type ChatEvent,
  type EndState,
  type AgentRun,
  type Transcript,
  type RunVersions,
} from "./transcript.ts";

/** Sentences that only a conversation has. */
export interface ConversationWords {
  connectionRemoved: string;
  agentGone: (name: string, project: string) => string;
  timeLimit: (seconds: number) => string;
  agentFailed: (serverSays: string) => string;
  modelFailed: (failure: ModelFailure) => string;
  stepLimit: string;
  failedWithoutCause: string;
  failedEarly: string;
}

export interface ConversationOptions {
  transcript: Transcript;
  access: AgentAccess;
  words: ConversationWords;
  /** Epoch ms. */
  now: () => number;
  /** A run's id, higher than `last`; several windows may have one conversation open. */
  nextId?: (last: number) => number;
  /** Seconds an agent may take; 0 is no limit. */
  timeLimit: () => number;
  /** Something happened; it is in the transcript already. */
  happened: (event: ChatEvent) => void;
  /** The stream of a run has sent this, as it came; `redacted` gives it without secrets. */
  received: (run: number, redacted: () => string) => void;
  /** A failed run can be helped by this. */
  offered: (run: number, action: NonNullable<Explanation["action"]>) => void;
  /** A run failed: everything known of why, for the log. */
  failed: (what: string, error: unknown) => void;
}

interface Asking {
  run: number;
  startedAt: number;
  abort: AbortController;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Conversation {
  readonly transcript: Transcript;
  readonly #options: ConversationOptions;
  /**
   * What was typed and answered in this session, by run, where the transcript has it redacted. Follow-up questions carry
   * these: an agent cannot go on from its own answer with a mask in it, and a server learns nothing from what it said
   * itself. They are never stored, so after a reload follow-ups carry the redacted texts.
   */
  readonly #originals = new Map<number, Partial<RunVersions>>();
  /** The waiting questions as they were typed: those of the transcript are redacted. */
  #waiting: string[];
  #asking: Asking | undefined;

  constructor(options: ConversationOptions) {
    this.transcript = options.transcript;
    this.#options = options;
    this.#waiting = [...options.transcript.waiting];
  }

  get running(): boolean {
    return this.#asking !== undefined;
  }

  /** Starts a run; during another one the question waits for its end. Does nothing when there is nothing to ask. */
  ask(question: string): void {
    const typed = this.#asTyped(question.trim());
    if (typed === "") return;
    if (this.running) this.#setWaiting([...this.#waiting, typed]);
    else void this.#run(typed);
  }

  /** Takes back a question that waits, as the transcript has it. */
  removeWaiting(question: string): void {
    const index = this.transcript.waiting.indexOf(question);
    if (index >= 0) this.#setWaiting(this.#waiting.toSpliced(index, 1));
  }

  /** Asks a waiting question, as the transcript has it, now; does nothing during a run. */
  sendWaiting(question: string): void {
    const index = this.transcript.waiting.indexOf(question);
    const typed = this.#waiting[index];
    if (this.running || typed === undefined) return;
    this.#setWaiting(this.#waiting.toSpliced(index, 1));
    void this.#run(typed);
  }

  /** Asks a run's question again, in its place; the last one's if none is named. Does nothing during a run. */
  retry(run = this.transcript.runs.at(-1)?.id): void {
    const asked = this.transcript.runs.find(({ id }) => id === run);
    if (!asked || this.running) return;
    void this.#run(this.#originals.get(asked.id)?.question ?? asked.question, asked.id);
  }

  /** Stops listening. The server cannot be told and works on. */
  stop(): void {
    if (this.#asking) this.#end(this.#asking, "stopped");
  }

  /** The window goes away: stops listening and leaves the run without an end, which reads as cut off. */
  abandon(): void {
    const asking = this.#asking;
    this.#asking = undefined;
    clearTimeout(asking?.timer);
    asking?.abort.abort();
  }

  /** Somebody may send again what the page shows of a question, which is redacted. */
  #asTyped(question: string): string {
    const before = this.transcript.runs.findLast((run) => run.question === question);
    return (before && this.#originals.get(before.id)?.question) ?? question;
  }

  #setWaiting(questions: string[]): void {
    this.#waiting = questions;
    this.#happened({ type: "waiting", questions: questions.map((text) => this.#redact(text)) });
  }

  async #run(question: string, replaces?: number): Promise<void> {
    const { access, words, now, timeLimit, nextId } = this.#options;
    const { agent } = this.transcript;
    const last = Math.max(0, ...this.transcript.runs.map(({ id }) => id));
    const run = nextId?.(last) ?? last + 1;
    const startedAt = now();
    const asking: Asking = { run, startedAt, abort: new AbortController(), timer: undefined };
    this.#asking = asking;
    this.#originals.set(run, { question });
    this.#happened({
      type: "asked",
      run,
      question: this.#redact(question),
      startedAt,
      ...(replaces === undefined ? {} : { replaces }),
    });
    if (access.connectionName(agent.connectionId) === undefined) {
      this.#end(asking, "failed", words.connectionRemoved);
      return;
    }
    const limit = timeLimit();
    if (limit > 0) {
      const pass = (): void => this.#end(asking, "failed", words.timeLimit(limit));
      asking.timer = setTimeout(pass, limit * 1000);
    }
    try {
      const onFrame = (frame: string): void =>
        this.#options.received(run, () => this.#redact(frame));
      const messages = groupRunVersions(this.transcript, this.#originals, this.#runOf(asking));
      for await (const event of access.ask(agent, messages, asking.abort.signal, onFrame)) {
        if (this.#asking !== asking) return;
        this.#step(asking, event);
      }
      this.#finish(asking);
    } catch (error) {
      this.#finish(asking, error);
    }
  }

  #step(asking: Asking, event: StepEvent): void {
    const at = this.#options.now() - asking.startedAt;
    const said = this.#inWords(mapTexts(event, (text) => this.#redact(text)));
    if (event.type === "answer" && said.type === "answer") {
      const { question = "" } = this.#originals.get(asking.run) ?? {};
      const isMasked = said.text !== event.text;
      this.#originals.set(asking.run, { question, ...(isMasked ? { answer: event.text } : {}) });
    }
    this.#happened({ type: "stepped", run: asking.run, at, event: said });
  }

  /** A failure inside the stream as one sentence; all of the server's own words are the detail, and in the log. */
  #inWords(event: StepEvent): StepEvent {
    if (event.type !== "failed") return event;
    const { words, failed } = this.#options;
    if (event.stepLimit) return { ...event, message: words.stepLimit };
    const { message: said, early } = event;
    failed("An agent failed", new AppError("agentFailed", said));
    if (early) return { ...event, message: words.failedEarly };
    const model = readModelFailure(said);
    const cause = firstLine(said);
    const late = cause === "" ? words.failedWithoutCause : words.agentFailed(cause);
    const hasMore = model !== undefined || cause !== said.trim();
    return {
      ...event,
      message: model ? words.modelFailed(model) : late,
      ...(hasMore ? { detail: said } : {}),
    };
  }

  /** The stream is over: by itself, or by an error. */
  #finish(asking: Asking, error?: unknown): void {
    const run = this.#runOf(asking);
    if (this.#asking !== asking || !run) return;
    const { state, reason } = outcome(run, error);
    if (error === undefined || run.reason !== undefined) {
      this.#end(asking, state, reason);
      return;
    }
    const { access, words, failed, offered } = this.#options;
    const { agent } = this.transcript;
    failed(`Asking ${agent.name} failed`, error);
    const model = error instanceof AppError ? readModelFailure(error.message) : undefined;
    if (model && error instanceof AppError) {
      this.#end(asking, state, words.modelFailed(model), error.message);
      return;
    }
    const gone = isAppError(error, "notFound");
    const { message, action } = access.explain(error, agent);
    this.#end(asking, state, gone ? words.agentGone(agent.name, agent.project) : message);
    if (action) offered(asking.run, action);
  }

  #end(asking: Asking, state: EndState, reason?: string, detail?: string): void {
    if (this.#asking !== asking) return;
    this.#asking = undefined;
    clearTimeout(asking.timer);
    this.#happened({
      type: "ended",
      run: asking.run,
      at: this.#options.now() - asking.startedAt,
      state,
      ...(reason === undefined ? {} : { reason: this.#redact(reason) }),
      ...(detail === undefined ? {} : { detail: this.#redact(detail) }),
    });
    asking.abort.abort();
    // After a failure or Stop the user decides what becomes of the questions that wait.
    const [next] = this.transcript.waiting;
    const goesOn = state === "answered" || state === "noAnswer";
    if (goesOn && next !== undefined) this.sendWaiting(next);
  }

  #redact(text: string): string {
    return this.#options.access.redact(text, this.transcript.agent);
  }

  #runOf({ run }: Asking): AgentRun | undefined {
    return this.transcript.runs.find(({ id }) => id === run);
  }

  #happened(event: ChatEvent): void {
    reduce(this.transcript, event);
    this.#options.happened(event);
  }
}

const maxSentenceLength = 300;

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return oneLine(line, maxSentenceLength);
}
