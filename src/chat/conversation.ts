// Runs the questions of a conversation and makes each run end exactly once. Independent of VS Code.
import * as l10n from "@vscode/l10n";
import { AppError, isAppError } from "../mindsdb/errors.ts";
import type { Turn } from "../mindsdb/conversationTurn.ts";
import type { StepEvent } from "../mindsdb/stream/stepEvents.ts";
import { oneLine } from "../shared/oneLine.ts";
import { createAgain } from "../agents/createAgain.ts";
import type { ErrorAction } from "../shared/errorExplanation.ts";
import type { AgentAccess } from "./agentAccess.ts";
import { readModelFailure } from "../shared/modelFailure.ts";
import { mapTexts } from "./trimEvents.ts";
import { formatModelFailure } from "./modelFailureText.ts";
import {
  allRuns,
  findOutcome,
  listVersions,
  reduce,
  buildTurns,
  type ChatEvent,
  type EndState,
  type AgentRun,
  type Transcript,
} from "./transcript.ts";

export interface ConversationOptions {
  transcript: Transcript;
  access: AgentAccess;
  /** Epoch ms. */
  now: () => number;
  /** Returns a new run's id, higher than `last`. Several windows may have the conversation open. */
  nextId?: (last: number) => number;
  /** Seconds an agent may take; 0 is no limit. */
  timeLimit: () => number;
  /** An event was applied to the transcript. */
  onEvent: (event: ChatEvent) => void;
  /** The stream of a run has sent an event; `redacted` returns it without secrets, `at` is in ms since the run started. */
  onFrame: (run: number, redacted: () => string, at: number) => void;
  /** An action can help with a failed run. */
  onOffer: (run: number, action: ErrorAction) => void;
  /** A run failed; for the log. */
  onError: (what: string, error: unknown) => void;
}

interface ActiveRun {
  run: number;
  startedAt: number;
  abort: AbortController;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Conversation {
  readonly transcript: Transcript;
  readonly #options: ConversationOptions;
  /**
   * Unredacted questions and answers of this session, by run. Follow-up questions send them, because an agent cannot
   * continue from an answer with masks in it, and the server knows them already. They are never stored: after a reload,
   * follow-ups send the redacted texts.
   */
  readonly #originals = new Map<number, Partial<Turn>>();
  /** The waiting questions as typed; the transcript has them redacted. */
  #waiting: string[];
  #active: ActiveRun | undefined;

  constructor(options: ConversationOptions) {
    this.transcript = options.transcript;
    this.#options = options;
    this.#waiting = [...options.transcript.waiting];
  }

  get running(): boolean {
    return this.#active !== undefined;
  }

  /** Starts a run, or queues the question during another run. Ignores an empty question. */
  ask(question: string): void {
    const typed = this.#findOriginal(question.trim());
    if (typed === "") return;
    if (this.running) this.#setWaiting([...this.#waiting, typed]);
    else void this.#run(typed);
  }

  /** Removes a waiting question, given as in the transcript. */
  removeWaiting(question: string): void {
    const index = this.transcript.waiting.indexOf(question);
    if (index >= 0) this.#setWaiting(this.#waiting.toSpliced(index, 1));
  }

  /** Asks a waiting question, given as in the transcript; does nothing during a run. */
  sendWaiting(question: string): void {
    const index = this.transcript.waiting.indexOf(question);
    const typed = this.#waiting[index];
    if (this.running || typed === undefined) return;
    this.#setWaiting(this.#waiting.toSpliced(index, 1));
    void this.#run(typed);
  }

  /** Asks a run's question again and replaces the run; by default the last one. Does nothing during a run. */
  retry(run = this.transcript.runs.at(-1)?.id): void {
    const asked = this.transcript.runs.find(({ id }) => id === run);
    if (!asked || this.running) return;
    void this.#run(this.#originals.get(asked.id)?.question ?? asked.question, {
      replaces: asked.id,
    });
  }

  /** Begins a branch in place of a run, with another question. Does nothing during a run. */
  editAndAsk(run: number, question: string): void {
    const typed = this.#findOriginal(question.trim());
    const edited = this.transcript.runs.find((one) =>
      listVersions(one).some(({ id }) => id === run),
    );
    if (!edited || this.running || typed === "") return;
    void this.#run(typed, { edits: edited.id });
  }

  /** Shows the branch that begins with this run. Does nothing during a run. */
  showBranch(run: number): void {
    if (!this.running) this.#emit({ type: "switched", run });
  }

  /** Stops the run. The server cannot be told and may continue. */
  stop(): void {
    if (this.#active) this.#end(this.#active, "stopped");
  }

  /** The window closes: aborts the run without an end, so that it is read as cut off. */
  abandon(): void {
    const active = this.#active;
    this.#active = undefined;
    clearTimeout(active?.timer);
    active?.abort.abort();
  }

  /** Returns the unredacted question: the user may send again what the page shows. */
  #findOriginal(question: string): string {
    const before = this.transcript.runs.findLast((run) => run.question === question);
    return (before && this.#originals.get(before.id)?.question) ?? question;
  }

  #setWaiting(questions: string[]): void {
    this.#waiting = questions;
    this.#emit({ type: "waiting", questions: questions.map((text) => this.#redact(text)) });
  }

  async #run(question: string, place: { replaces?: number; edits?: number } = {}): Promise<void> {
    const { access, now, timeLimit, nextId } = this.#options;
    const { agent } = this.transcript;
    let last = 0;
    for (const { id } of allRuns(this.transcript.runs)) last = Math.max(last, id);
    const run = nextId?.(last) ?? last + 1;
    const startedAt = now();
    const active: ActiveRun = { run, startedAt, abort: new AbortController(), timer: undefined };
    this.#active = active;
    this.#originals.set(run, { question });
    this.#emit({ type: "asked", run, question: this.#redact(question), startedAt, ...place });
    if (access.connectionName(agent.connectionId) === undefined) {
      this.#end(active, "failed", l10n.t("The connection of this conversation has been removed."));
      return;
    }
    const limit = timeLimit();
    if (limit > 0) {
      const onTimeout = (): void => this.#end(active, "failed", formatTimeLimit(limit));
      active.timer = setTimeout(onTimeout, limit * 1000);
    }
    try {
      const onFrame = (frame: string): void =>
        this.#options.onFrame(run, () => this.#redact(frame), now() - startedAt);
      const messages = buildTurns(this.transcript, this.#originals, this.#findRun(active));
      for await (const event of access.ask(agent, messages, active.abort.signal, onFrame)) {
        if (this.#active !== active) return;
        this.#step(active, event);
      }
      this.#finish(active);
    } catch (error) {
      this.#finish(active, error);
    }
  }

  #step(active: ActiveRun, event: StepEvent): void {
    const at = this.#options.now() - active.startedAt;
    const explained = this.#explainFailure(mapTexts(event, (text) => this.#redact(text)));
    if (event.type === "answer" && explained.type === "answer") {
      const { question } = this.#originals.get(active.run) ?? {};
      const isMasked = explained.text !== event.text;
      this.#originals.set(active.run, isMasked ? { question, answer: event.text } : { question });
    }
    this.#emit({ type: "stepped", run: active.run, at, event: explained });
  }

  /** Shortens a failure in the stream to one sentence; detail and log have the server's whole text. */
  #explainFailure(event: StepEvent): StepEvent {
    if (event.type !== "failed") return event;
    if (event.stepLimit) return { ...event, message: formatStepLimit() };
    const { message, early } = event;
    this.#options.onError("An agent failed", new AppError("agentFailed", message));
    if (early) return { ...event, message: formatEarlyFailure() };
    const model = readModelFailure(message);
    const cause = firstLine(message);
    const late =
      cause === ""
        ? l10n.t("The agent failed. The server gave no reason.")
        : l10n.t("The agent failed: {0}", cause);
    const hasMore = model !== undefined || cause !== message.trim();
    return {
      ...event,
      message: model ? formatModelFailure(model) : late,
      ...(hasMore ? { detail: message } : {}),
    };
  }

  /** The stream has ended, or failed with an error. */
  #finish(active: ActiveRun, error?: unknown): void {
    const run = this.#findRun(active);
    if (this.#active !== active || !run) return;
    const { state, reason } = findOutcome(run, error);
    if (error === undefined || run.reason !== undefined) {
      this.#end(active, state, reason);
      return;
    }
    const { access, onError, onOffer } = this.#options;
    const { agent } = this.transcript;
    onError(`Asking ${agent.name} failed`, error);
    if (error instanceof AppError) {
      const model = readModelFailure(error.message);
      if (model) {
        this.#end(active, state, formatModelFailure(model), error.message);
        return;
      }
    }
    const { message, action } = access.explain(error, agent);
    const isGone = isAppError(error, "notFound");
    const gone = l10n.t("The agent {0} no longer exists in {1}.", agent.name, agent.project);
    const offer = isGone ? createAgain(agent) : action;
    // Before the run ends, so that its first drawing has the button.
    if (offer) onOffer(active.run, offer);
    this.#end(active, state, isGone ? gone : message);
  }

  #end(active: ActiveRun, state: EndState, reason?: string, detail?: string): void {
    if (this.#active !== active) return;
    this.#active = undefined;
    clearTimeout(active.timer);
    this.#emit({
      type: "ended",
      run: active.run,
      at: this.#options.now() - active.startedAt,
      state,
      ...(reason === undefined ? {} : { reason: this.#redact(reason) }),
      ...(detail === undefined ? {} : { detail: this.#redact(detail) }),
    });
    active.abort.abort();
    // After a failure or Stop, waiting questions are not sent automatically.
    const [next] = this.transcript.waiting;
    const hasFinished = state === "answered" || state === "noAnswer";
    if (hasFinished && next !== undefined) this.sendWaiting(next);
  }

  #redact(text: string): string {
    return this.#options.access.redact(text, this.transcript.agent);
  }

  #findRun({ run }: ActiveRun): AgentRun | undefined {
    return this.transcript.runs.find(({ id }) => id === run);
  }

  #emit(event: ChatEvent): void {
    reduce(this.transcript, event);
    this.#options.onEvent(event);
  }
}

function formatTimeLimit(seconds: number): string {
  return l10n.t(
    "No answer within {0} s, the limit set by the setting mindsdbWorkbench.agent.timeLimit.",
    seconds,
  );
}

function formatStepLimit(): string {
  return l10n.t(
    "The agent reached the server's step limit before it had an answer. A narrower question may help.",
  );
}

function formatEarlyFailure(): string {
  return l10n.t(
    "The server failed before the agent started and gave no reason. Check the server's log. A wrong key or model name can cause this too. Asking again may help.",
  );
}

const maxSentenceLength = 300;

function firstLine(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return oneLine(line, maxSentenceLength);
}
