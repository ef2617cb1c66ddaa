// Sends rows in batches of their own bytes and gives the answers in the rows' order, through all that can go wrong.
import * as l10n from "@vscode/l10n";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../mindsdb/errors.ts";
import { isUntrained } from "../../mindsdb/predict.ts";
import type { AdaptiveConcurrency } from "./adaptiveConcurrency.ts";
import { responseRows, TooManyRowsError } from "./responseRows.ts";
import { RowsError } from "../rows/row.ts";
import type { Row } from "../rows/row.ts";

/** Where batches go. Rejects with AppError, or with the signal's reason. */
export interface PredictTransport {
  send(body: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** What was sent together, and where in it each row starts. */
interface Batch {
  rows: readonly Row[];
  body: Buffer;
  starts: readonly number[];
}

/** A batch whose answers, all or up to what ended the run, are on their way. */
interface SentBatch {
  rows: readonly Row[];
  answers: Promise<BatchResponse[]>;
}

/** What came of it: a reply for each row, or why this one row was refused. */
export type BatchResponse = Batch & ({ replies: readonly Row[] } | { refused: string });

/** Why nothing is sent for now. */
export interface Pause {
  error: AppError;
  /** Rows that were sent and whose status is unknown: going on sends them again. */
  unsureRows: number;
}

/** What a sender does at the moment. While it waits, it tries by itself to reach the server again. */
export type SenderState =
  { kind: "sending" } | { kind: "waiting"; error: AppError } | { kind: "paused"; pause: Pause };

export interface SenderOptions {
  transport: PredictTransport;
  /** A JSON object for the engine, as it is written. */
  params?: string | undefined;
  /** How many requests at once: 1 to 4, always or at most. */
  concurrency: number | AdaptiveConcurrency;
  signal: AbortSignal;
  /**
   * Called when only the user can say how to go on. Sending goes on when this resolves and ends when it rejects;
   * failures that come in between add to the pause there is.
   */
  onPause: (pause: Pause) => Promise<void>;
  onState?: (state: SenderState) => void;
  /** How long a server that cannot be reached is waited for before the user is asked, in ms. */
  patienceMs?: number;
}

/** So many refused rows make a run hopeless as long as none has been accepted. */
const fewRefused = 20;

/** With so many refused one after the other, or with so many in all and fewer accepted, a run is hopeless too. */
const manyRefused = 100;

const firstWaitMs = 250;
const maxWaitMs = 5_000;

/** What has happened to a batch and all that is made of it. */
interface History {
  isSplit: boolean;
  isSentAgain: boolean;
}

/**
 * Sends the batches of a run. A batch that the server refuses is sent again in halves until the guilty rows are found;
 * after any other failure its rows wait. So a row is sent twice only if the server refused it or the user said so.
 */
export class BatchSender {
  /** How many rows were sent again in smaller requests, because those they were in were refused. */
  splitRows = 0;
  /** How many rows were sent again though they may have been predicted before. */
  sentAgain = 0;
  readonly #options: SenderOptions;
  readonly #cancel = new AbortController();
  readonly #signal: AbortSignal;
  #state: SenderState = { kind: "sending" };
  #inFlight = 0;
  readonly #queue: (() => void)[] = [];
  #pause: { pause: Pause; over: Promise<void> } | undefined;
  #accepted = 0;
  #refused = 0;
  #refusedInARow = 0;
  /** Why nothing more is sent. */
  #end: { reason: unknown } | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#cancel.signal]);
  }

  /**
   * The answers, in the rows' order and as soon as they can be. Ends with the batches; before that it throws what makes
   * going on impossible or pointless, the batches' own failure or the signal's reason, each after the answers up to
   * then. Leaving the iteration stops what is in flight.
   */
  async *send(batches: AsyncIterable<Row[]>): AsyncGenerator<BatchResponse> {
    const source = batches[Symbol.asyncIterator]();
    let failure: { error: unknown } | undefined;
    const pull = async (): Promise<Row[] | undefined> => {
      try {
        const result = await source.next();
        return result.done ? undefined : result.value;
      } catch (error) {
        failure = { error };
        return undefined;
      }
    };
    const sent: SentBatch[] = [];
    // So many that the next ones are ready as soon as one comes back.
    const { concurrency } = this.#options;
    const ahead = 2 * (typeof concurrency === "number" ? concurrency : concurrency.max);
    let next: Promise<Row[] | undefined> | undefined = pull();
    try {
      while (next || sent.length > 0) {
        if (next && sent.length < ahead && (await isFirst(next, sent[0]?.answers))) {
          const rows: Row[] | undefined = await next;
          if (rows?.length) sent.push({ rows, answers: this.#answer(rows) });
          next = rows && pull();
        } else {
          yield* this.#inOrder(sent.shift()!);
        }
      }
      if (failure) throw failure.error;
    } finally {
      this.#cancel.abort();
      // Not awaited: the source may be in the middle of something that takes its time.
      source.return?.().catch(() => undefined);
    }
  }

  async *#inOrder({ rows, answers }: SentBatch): AsyncGenerator<BatchResponse> {
    let left = rows.length;
    for (const answer of await answers) {
      yield answer;
      left -= answer.rows.length;
    }
    if (left > 0) throw this.#end?.reason;
  }

  /** Never rejects: what goes wrong ends the run, and the answers that came before it count. */
  async #answer(rows: readonly Row[]): Promise<BatchResponse[]> {
    const answers: BatchResponse[] = [];
    try {
      await this.#collect(rows, answers, { isSplit: false, isSentAgain: false });
    } catch (reason) {
      this.#end ??= { reason };
    }
    return answers;
  }

  async #collect(rows: readonly Row[], answers: BatchResponse[], history: History): Promise<void> {
    const batch = { rows, ...writeBody(rows, this.#options.params) };
    const outcome = await this.#sendUntilAnswered(batch, history);
    if (Array.isArray(outcome)) {
      this.#adaptive?.answered(rows.length);
      this.#accepted += rows.length;
      this.#refusedInARow = 0;
      answers.push({ ...batch, replies: outcome });
      return;
    }
    if (rows.length === 1) {
      answers.push({ ...batch, refused: outcome.message });
      this.#countRefusal(outcome);
      return;
    }
    if (!history.isSplit) this.splitRows += rows.length;
    const half = Math.ceil(rows.length / 2);
    for (const part of [rows.slice(0, half), rows.slice(half)]) {
      await this.#collect(part, answers, { ...history, isSplit: true });
    }
  }

  #countRefusal({ message, detail }: AppError): void {
    this.#refused++;
    this.#refusedInARow++;
    const isHopeless =
      (this.#accepted === 0 && this.#refused >= fewRefused) ||
      this.#refusedInARow >= manyRefused ||
      (this.#refused >= manyRefused && this.#refused > this.#accepted);
    if (!isHopeless) return;
    const sentence = l10n.t(
      "{0} rows were refused, and most of the others would be. The last reason: {1}",
      this.#refused,
      message,
    );
    throw new AppError("refused", sentence, { detail });
  }

  /** The replies, or why the server does not take these rows together. */
  async #sendUntilAnswered({ rows, body }: Batch, history: History): Promise<Row[] | AppError> {
    const { transport, patienceMs = 60_000 } = this.#options;
    let waitMs = firstWaitMs;
    let patience = patienceMs;
    for (;;) {
      await this.#takeTurn();
      let error: AppError;
      try {
        const bytes = await transport.send(body, this.#signal);
        const replies = readReplies(bytes, rows.length);
        this.#resume();
        return replies;
      } catch (reason) {
        if (!(reason instanceof AppError)) throw reason;
        error = reason;
      } finally {
        this.#inFlight--;
        this.#wake();
      }
      const next = whatNext(error);
      if (next === "split") return error;
      if (next === "end") throw error;
      if (next === "wait" && patience > 0) {
        this.#setState({ kind: "waiting", error });
        await unlessAborted(this.#signal, () => sleep(waitMs));
        patience -= waitMs;
        waitMs = Math.min(2 * waitMs, maxWaitMs);
      } else {
        const unsureRows = next === "askUnsure" ? rows.length : 0;
        await this.#askUser(error, unsureRows);
        if (next === "askUnsure" && !history.isSentAgain) {
          history.isSentAgain = true;
          this.sentAgain += rows.length;
        }
        patience = patienceMs;
        waitMs = firstWaitMs;
      }
    }
  }

  /** Waits until fewer than `concurrency` requests are in flight and nothing is paused. */
  async #takeTurn(): Promise<void> {
    for (;;) {
      if (this.#pause) await this.#pause.over;
      else if (this.#inFlight < this.#maxInFlight) break;
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#signal.throwIfAborted();
    if (this.#end) throw this.#end.reason;
    this.#inFlight++;
  }

  /** Lets as many requests go on as there is room for. */
  #wake(): void {
    const room = this.#maxInFlight - this.#inFlight;
    for (const go of this.#queue.splice(0, Math.max(1, room))) go();
  }

  get #adaptive(): AdaptiveConcurrency | undefined {
    const { concurrency } = this.#options;
    return typeof concurrency === "number" ? undefined : concurrency;
  }

  get #maxInFlight(): number {
    const { concurrency } = this.#options;
    return typeof concurrency === "number" ? concurrency : concurrency.current;
  }

  /** Resolves when the user wants to go on. */
  async #askUser(error: AppError, unsureRows: number): Promise<void> {
    if (this.#pause) {
      this.#pause.pause.unsureRows += unsureRows;
    } else {
      const pause = { error, unsureRows };
      const over = unlessAborted(this.#signal, () => this.#options.onPause(pause));
      this.#pause = { pause, over };
    }
    const { pause, over } = this.#pause;
    this.#setState({ kind: "paused", pause });
    await over;
    if (this.#pause?.pause !== pause) return;
    this.#pause = undefined;
    this.#setState({ kind: "sending" });
  }

  #resume(): void {
    if (this.#state.kind === "waiting") this.#setState({ kind: "sending" });
  }

  #setState(state: SenderState): void {
    this.#state = state;
    this.#adaptive?.restart();
    this.#options.onState?.(state);
  }
}

const comma = 0x2c;

/** `{"data": [...]}` with the rows as they are written. */
function writeBody(rows: readonly Row[], params: string | undefined): Omit<Batch, "rows"> {
  const head = '{"data":[';
  const tail = params === undefined ? "]}" : `],"params":${params}}`;
  const rowsLength = rows.reduce((sum, { start, end }) => sum + end - start, rows.length - 1);
  const body = Buffer.allocUnsafe(head.length + rowsLength + Buffer.byteLength(tail));
  const starts: number[] = [];
  let position = body.write(head);
  for (let at = 0; at < rows.length;) {
    const next = endOfRun(rows, at);
    const { bytes, start } = rows[at]!;
    const last = rows[next - 1]!;
    bytes.copy(body, position, start, last.end);
    for (; at < next; at++) {
      const row = rows[at]!;
      const begin = position + row.start - start;
      starts.push(begin);
      body[begin + row.end - row.start] = comma;
    }
    position += last.end - start + 1;
  }
  // The last comma is one too many.
  position--;
  body.write(tail, position);
  return { body, starts };
}

/** Behind the rows from `from` on that lie side by side, one byte between them: they are copied in one go. */
function endOfRun(rows: readonly Row[], from: number): number {
  let last = rows[from]!;
  for (let at = from + 1; at < rows.length; at++) {
    const next = rows[at]!;
    if (next.bytes !== last.bytes || next.start !== last.end + 1) return at;
    last = next;
  }
  return rows.length;
}

/** The replies, or an error for another number of them than was asked for. */
function readReplies(answer: Uint8Array, rows: number): Row[] | AppError {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  try {
    const replies = responseRows(bytes, rows);
    return replies.length === rows ? replies : wrongCount(String(replies.length), rows);
  } catch (error) {
    if (error instanceof TooManyRowsError) return wrongCount(error.count, rows);
    if (!(error instanceof RowsError)) throw error;
    const message = l10n.t("The server answered with something other than a list of rows.");
    const detail = `${error.message}\n${bytes.toString("utf8", 0, 4_000)}`;
    throw new AppError("badAnswer", message, { detail });
  }
}

function wrongCount(replies: string, rows: number): AppError {
  const message =
    rows === 1
      ? l10n.t("The model answered 1 row with {0}.", replies)
      : l10n.t("The model answered {0} rows with {1}.", rows, replies);
  return new AppError("badAnswer", message);
}

/**
 * What a failure asks for. "split": the server says no to these rows. "wait": they never got there. "ask": they were
 * not looked at, and only the user can mend it; "askUnsure": nobody knows whether they were. "end": no rows will do.
 */
function whatNext(error: AppError): "split" | "wait" | "ask" | "askUnsure" | "end" {
  const { kind, status = 0 } = error;
  switch (kind) {
    case "serverFault":
      return isUntrained(error) ? "end" : "split";
    case "refused":
      if (status === 429) return "wait";
      return status === 400 || status === 413 || status === 422 ? "split" : "end";
    case "notMindsDB":
      return status === 413 ? "split" : "askUnsure";
    case "tooLarge":
      return "split";
    case "unreachable":
      return status === 0 ? "wait" : "askUnsure";
    case "timeout":
    case "cutOff":
    case "badAnswer":
      return "askUnsure";
    case "signInNeeded":
    case "signInRefused":
    case "certificate":
    case "proxy":
      return "ask";
    case "address":
    case "notFound":
    case "conflict":
    case "sql":
    case "agentFailed":
      return "end";
  }
}

/** Whether a promise is settled before, or together with, another. */
function isFirst(one: Promise<unknown>, other: Promise<unknown> | undefined): Promise<boolean> {
  const first = one.then(() => true);
  return other ? Promise.race([first, other.then(() => false)]) : first;
}

/** What `work` gives, or a rejection as soon as the signal is aborted. */
async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
