import * as l10n from "@vscode/l10n";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../mindsdb/errors.ts";
import { abortable } from "../../mindsdb/http/abortable.ts";
import type { AdaptiveConcurrency } from "./adaptiveConcurrency.ts";
import { chooseReaction } from "./failureReaction.ts";
import { writeRequestBody, type RequestBody } from "./requestBody.ts";
import { readResponseRows, TooManyRowsError } from "./responseRows.ts";
import { RowsError, type Row } from "../rows/row.ts";

/** The rows of one request. */
interface Batch extends RequestBody {
  rows: readonly Row[];
}

/** A batch in flight. `responses` has those up to the error that ended the run, if there is one. */
interface SentBatch {
  rows: readonly Row[];
  responses: Promise<BatchResponse[]>;
}

/** A batch with a reply for each row, or a single row with the reason of its refusal. */
export type BatchResponse = Batch & ({ replies: readonly Row[] } | { refused: string });

/** Why nothing is sent for now. */
export interface Pause {
  error: AppError;
  /** Rows that were sent and whose status is unknown: resuming sends them again. */
  unsureRows: number;
}

/** A waiting sender retries automatically; a paused one waits for the user. */
export type SenderState =
  { kind: "sending" } | { kind: "waiting"; error: AppError } | { kind: "paused"; pause: Pause };

export interface SenderOptions {
  transport: {
    /** Rejects with AppError, or with the signal's reason. */
    send(body: Uint8Array, signal: AbortSignal, rows: readonly Row[]): Promise<Uint8Array>;
  };
  /** A JSON object for the engine. */
  params?: string | undefined;
  concurrency: AdaptiveConcurrency;
  signal: AbortSignal;
  /**
   * Called when the user must decide how to continue. Sending resumes when this resolves and ends when it rejects;
   * failures in between are added to the same pause.
   */
  onPause: (pause: Pause) => Promise<void>;
  onState?: (state: SenderState) => void;
  /** Milliseconds to wait for a server that cannot be reached before the user is asked. */
  maxWaitForServerMs?: number;
}

/** A run ends after this many rejected rows if none has been accepted. */
const maxRefusedAtStart = 20;

/** A run ends after this many consecutive rejected rows, or in total if fewer have been accepted. */
const maxRefused = 100;

const firstRetryMs = 250;
const maxRetryMs = 5_000;

/** Earlier attempts to send the rows of a batch. */
interface History {
  isSentAgain: boolean;
}

/**
 * Sends the batches of a run. A batch that the server refuses is sent again in halves until the refused rows are found;
 * after any other failure its rows wait. A row is sent twice only if the server refused it or the user agreed.
 */
export class BatchSender {
  /** Rows that were sent again although they may have been predicted before. */
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
  /** The error after which nothing more is sent. */
  #failure: { reason: unknown } | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#signal = AbortSignal.any([options.signal, this.#cancel.signal]);
  }

  /**
   * Yields the responses in the order of the rows, as soon as they are there. Throws the error that ended the run, the
   * error of `batches`, or the signal's reason, each after the responses before it. Leaving the iteration aborts the
   * requests in flight.
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
    // Enough that the next body is ready as soon as a response is there.
    const maxAhead = 2 * this.#options.concurrency.max;
    let next: Promise<Row[] | undefined> | undefined = pull();
    try {
      while (next || sent.length > 0) {
        if (next && sent.length < maxAhead && (await isFirst(next, sent[0]?.responses))) {
          const rows: Row[] | undefined = await next;
          if (rows?.length) sent.push({ rows, responses: this.#sendBatch(rows) });
          next = rows && pull();
        } else {
          yield* this.#receive(sent.shift()!);
        }
      }
      if (failure) throw failure.error;
    } finally {
      this.#cancel.abort();
      // Not awaited: the source may be in the middle of a slow operation.
      source.return?.().catch(() => undefined);
    }
  }

  async *#receive({ rows, responses }: SentBatch): AsyncGenerator<BatchResponse> {
    let left = rows.length;
    for (const response of await responses) {
      yield response;
      left -= response.rows.length;
    }
    if (left > 0) throw this.#failure?.reason;
  }

  /** The responses up to the error that ended the run, if there is one. Never rejects. */
  async #sendBatch(rows: readonly Row[]): Promise<BatchResponse[]> {
    const responses: BatchResponse[] = [];
    try {
      await this.#collect(rows, responses, { isSentAgain: false });
    } catch (reason) {
      this.#failure ??= { reason };
    }
    return responses;
  }

  async #collect(
    rows: readonly Row[],
    responses: BatchResponse[],
    history: History,
  ): Promise<void> {
    const batch = { rows, ...writeRequestBody(rows, this.#options.params) };
    const outcome = await this.#sendUntilAnswered(batch, history);
    if (Array.isArray(outcome)) {
      this.#options.concurrency.answered(rows.length);
      this.#accepted += rows.length;
      this.#refusedInARow = 0;
      responses.push({ ...batch, replies: outcome });
      return;
    }
    if (rows.length === 1) {
      responses.push({ ...batch, refused: outcome.message });
      this.#countRefusal(outcome);
      return;
    }
    const half = Math.ceil(rows.length / 2);
    for (const part of [rows.slice(0, half), rows.slice(half)]) {
      await this.#collect(part, responses, { ...history });
    }
  }

  #countRefusal({ message, detail }: AppError): void {
    this.#refused++;
    this.#refusedInARow++;
    const isHopeless =
      (this.#accepted === 0 && this.#refused >= maxRefusedAtStart) ||
      this.#refusedInARow >= maxRefused ||
      (this.#refused >= maxRefused && this.#refused > this.#accepted);
    if (!isHopeless) return;
    const sentence = l10n.t(
      "{0} rows were refused, and most of the others would be too. Last reason: {1}",
      this.#refused,
      message,
    );
    throw new AppError("refused", sentence, { detail });
  }

  /** The replies, or the error with which the server refused these rows together. */
  async #sendUntilAnswered({ rows, body }: Batch, history: History): Promise<Row[] | AppError> {
    const { transport, maxWaitForServerMs = 60_000 } = this.#options;
    let retryMs = firstRetryMs;
    let waitLeftMs = maxWaitForServerMs;
    for (;;) {
      await this.#waitForSlot();
      let error: AppError;
      try {
        let response: Uint8Array;
        try {
          response = await transport.send(body, this.#signal, rows);
        } finally {
          this.#inFlight--;
          this.#wake();
        }
        // The next request goes out before this response is parsed and stored: otherwise the server waits meanwhile.
        // Two turns of the event loop, because undici looks in the first whether the socket has been closed.
        await setImmediate();
        await setImmediate();
        const replies = readReplies(response, rows.length);
        if (this.#state.kind === "waiting") this.#setState({ kind: "sending" });
        return replies;
      } catch (reason) {
        if (!(reason instanceof AppError)) throw reason;
        error = reason;
      }
      const reaction = chooseReaction(error);
      if (reaction === "split") return error;
      if (reaction === "end") throw error;
      if (reaction === "wait" && waitLeftMs > 0) {
        this.#setState({ kind: "waiting", error });
        await abortable(sleep(retryMs), this.#signal);
        waitLeftMs -= retryMs;
        retryMs = Math.min(2 * retryMs, maxRetryMs);
      } else {
        const unsureRows = reaction === "askUnsure" ? rows.length : 0;
        await this.#askUser(error, unsureRows);
        if (reaction === "askUnsure" && !history.isSentAgain) {
          history.isSentAgain = true;
          this.sentAgain += rows.length;
        }
        waitLeftMs = maxWaitForServerMs;
        retryMs = firstRetryMs;
      }
    }
  }

  /** Waits until one more request may be in flight and the run is not paused. */
  async #waitForSlot(): Promise<void> {
    for (;;) {
      if (this.#pause) await this.#pause.over;
      else if (this.#inFlight < this.#options.concurrency.current) break;
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
    }
    this.#signal.throwIfAborted();
    if (this.#failure) throw this.#failure.reason;
    this.#inFlight++;
  }

  /** Wakes as many waiting requests as may be in flight. */
  #wake(): void {
    const room = this.#options.concurrency.current - this.#inFlight;
    for (const resolve of this.#queue.splice(0, Math.max(1, room))) resolve();
  }

  /** Resolves when the user resumes the run. */
  async #askUser(error: AppError, unsureRows: number): Promise<void> {
    if (this.#pause) {
      this.#pause.pause.unsureRows += unsureRows;
    } else {
      this.#signal.throwIfAborted();
      const pause = { error, unsureRows };
      const over = abortable(this.#options.onPause(pause), this.#signal);
      this.#pause = { pause, over };
    }
    const { pause, over } = this.#pause;
    this.#setState({ kind: "paused", pause });
    await over;
    if (this.#pause?.pause !== pause) return;
    this.#pause = undefined;
    this.#setState({ kind: "sending" });
  }

  #setState(state: SenderState): void {
    this.#state = state;
    this.#options.concurrency.restart();
    this.#options.onState?.(state);
  }
}

/** The replies, or an error if there are more or fewer of them than rows. */
export function readReplies(response: Uint8Array, rows: number): Row[] | AppError {
  const bytes = Buffer.from(response.buffer, response.byteOffset, response.byteLength);
  try {
    const replies = readResponseRows(bytes, rows);
    return replies.length === rows ? replies : wrongCount(String(replies.length), rows);
  } catch (error) {
    if (error instanceof TooManyRowsError) return wrongCount(error.count, rows);
    if (!(error instanceof RowsError)) throw error;
    if (error.problem === "tooLong") throw new AppError("tooLarge", error.message);
    const message = l10n.t("The server sent an unexpected response.");
    const detail = `${error.message}\n${bytes.toString("utf8", 0, 4_000)}`;
    throw new AppError("badAnswer", message, { detail });
  }
}

function wrongCount(replies: string, rows: number): AppError {
  const message =
    rows === 1
      ? l10n.t("The model returned {0} for 1 row.", replies)
      : l10n.t("The model returned {1} for {0} rows.", rows, replies);
  return new AppError("badAnswer", message);
}

/** Whether a promise settles no later than another. */
function isFirst(one: Promise<unknown>, other: Promise<unknown> | undefined): Promise<boolean> {
  const first = one.then(() => true);
  return other ? Promise.race([first, other.then(() => false)]) : first;
}
