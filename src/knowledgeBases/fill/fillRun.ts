// Fills a knowledge base: sends documents in batches, one request at a time, and finds out afterwards what is stored.
import * as l10n from "@vscode/l10n";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { JsonObject } from "../../mindsdb/json.ts";
import { isAboutBusyIndex } from "../../mindsdb/sql/runSql.ts";
import type { FillDocument } from "./documentReader.ts";

/** The server's side of a run. All throw AppError. */
export interface FillServer {
  insert(rows: JsonObject[], signal: AbortSignal): Promise<void>;
  listIds(): Promise<Set<string>>;
  delete(ids: readonly string[]): Promise<void>;
}

/** Handling of documents whose ids are in the knowledge base before the run. */
type ExistingDocuments = "skip" | "replace";

/** Waiting times in ms. */
interface FillTimes {
  /** At least so long the server may work on after a lost connection. */
  settle: number;
  /** After a cancellation, the batch under way has so long to finish. */
  grace: number;
  /** Between attempts while the knowledge base is busy. */
  busy: number;
}

const defaultTimes: FillTimes = { settle: 5_000, grace: 15_000, busy: 500 };

/** State that a run keeps for the run that resumes it. */
export interface FillMemory {
  /** Ids whose documents this run has stored. */
  readonly written: Set<string>;
  /** Ids of documents that were sent; those whose connection broke may be stored. */
  readonly sent: Set<string>;
  /** Until then the server may still be storing a batch whose connection broke, in ms since 1970. */
  settledAt: number;
}

export function createFillMemory(): FillMemory {
  return { written: new Set(), sent: new Set(), settledAt: 0 };
}

/**
 * Makes the next run wait for a batch that another run, of a window that has closed, may have under way. A fixed time,
 * because the server cannot be asked: its list of queries has INSERT statements but no batch that is sent over HTTP,
 * and a batch is stored as a whole, so that a count shows nothing of it before.
 */
export function awaitLastBatch(memory: FillMemory, { settle } = defaultTimes): void {
  memory.settledAt = Math.max(memory.settledAt, Date.now() + settle);
}

export type FillPhase = "checking" | "sending" | "settling";

export interface FillProgress {
  phase: FillPhase;
  /** Documents that need no more work: stored by this run, or skipped. */
  done: number;
}

interface RefusedBatch {
  reason: string;
  ids: string[];
}

export interface FillResult {
  end: "complete" | "cancelled" | "interrupted";
  /** Why the run was interrupted. */
  error?: unknown;
  /** Documents that were sent, by this run and those it resumes. */
  sent: number;
  /** Documents that were there before and were left as they are. */
  skipped: number;
  /** Sent documents that the server has; undefined if it could not be asked. */
  stored: number | undefined;
  /** Ids of sent documents that the server does not have. */
  missing: string[];
  refused: RefusedBatch[];
}

export interface FillOptions {
  server: FillServer;
  /** The documents, each id once. */
  documents: AsyncIterable<FillDocument[]> | Iterable<FillDocument[]>;
  existing: ExistingDocuments;
  memory: FillMemory;
  /** Stops after the batch under way. */
  cancel: AbortSignal;
  onProgress: (progress: FillProgress) => void;
  batchRows?: number;
  times?: FillTimes;
}

const defaultBatchRows = 200;

/** A batch is not larger, unless one document is; the server embeds a batch as a whole. */
const maxBatchLength = 2 * 1024 * 1024;

const maxAttempts = 3;
const maxBusyAttempts = 20;

/** After so many refused batches in a row the rest would be refused too: a wrong key, a model that is gone. */
const maxRefusedInRow = 2;

/** Runs to the end, a cancellation or an error, and never throws what a server causes. */
export async function runFill(options: FillOptions): Promise<FillResult> {
  return new FillRun(options).run();
}

class FillRun {
  readonly #options: FillOptions;
  readonly #times: FillTimes;
  /** Ids that the server had when it was last asked, and those stored since. */
  #present = new Set<string>();
  readonly #refused: RefusedBatch[] = [];
  /** Ids whose old documents the server has not deleted. */
  readonly #kept = new Set<string>();
  #refusedInRow = 0;
  #skipped = 0;
  #longestMs = 0;
  /** Smaller after a proxy found a batch too large. */
  #maxLength = maxBatchLength;

  constructor(options: FillOptions) {
    this.#options = options;
    this.#times = options.times ?? defaultTimes;
  }

  async run(): Promise<FillResult> {
    const { cancel } = this.#options;
    let end: FillResult["end"] = "complete";
    let failure: unknown;
    try {
      await this.#settle();
      this.#report("checking");
      this.#present = await this.#options.server.listIds();
      await this.#sendAll();
      if (cancel.aborted) end = "cancelled";
    } catch (error) {
      failure = error;
      end = cancel.aborted ? "cancelled" : "interrupted";
    }
    return { ...(await this.#check(end, failure)), skipped: this.#skipped, refused: this.#refused };
  }

  async #sendAll(): Promise<void> {
    const { documents, batchRows = defaultBatchRows, cancel } = this.#options;
    let batch: FillDocument[] = [];
    let length = 0;
    for await (const some of documents) {
      for (const document of some) {
        if (this.#isDone(document)) continue;
        if (batch.length > 0 && length + document.length > this.#maxLength) {
          await this.#send(batch);
          [batch, length] = [[], 0];
        }
        batch.push(document);
        length += document.length;
        if (batch.length === batchRows) {
          await this.#send(batch);
          [batch, length] = [[], 0];
        }
        if (cancel.aborted) return;
      }
    }
    if (batch.length > 0) await this.#send(batch);
  }

  #isDone({ id }: FillDocument): boolean {
    const { existing, memory } = this.#options;
    if (memory.written.has(id)) return existing === "replace" || this.#present.has(id);
    if (existing === "replace" || !this.#present.has(id)) return false;
    if (memory.sent.has(id)) memory.written.add(id);
    else this.#skipped++;
    return true;
  }

  /** Sends a batch until it is known to be stored, or refused. Throws what ends the run. */
  async #send(batch: FillDocument[]): Promise<void> {
    if (this.#options.cancel.aborted) return;
    this.#report("sending");
    for (const { id } of batch) this.#options.memory.sent.add(id);
    let left = batch;
    let isOldGone = false;
    let busyAttempts = 0;
    for (let attempt = 1; ; attempt++) {
      const start = Date.now();
      try {
        // Servers up to 25.14.1 keep the old chunks of an id.
        if (!isOldGone) left = await this.#deleteOld(left);
        isOldGone = true;
        if (left.length === 0) return;
        await this.#insert(left);
        this.#longestMs = Math.max(this.#longestMs, Date.now() - start);
        this.#refusedInRow = 0;
        this.#confirm(left);
        return;
      } catch (error) {
        if (isBusy(error) && ++busyAttempts < maxBusyAttempts) {
          attempt--;
          await wait(this.#times.busy, this.#options.cancel);
          if (this.#options.cancel.aborted) throw error;
          continue;
        }
        if (isTooLarge(error)) return this.#splitTooLarge(left, error);
        if (isRefusal(error)) {
          this.#refuse(left, error);
          return;
        }
        if (!isLost(error)) throw error;
        const mayTake = Math.max(this.#times.settle, 2 * this.#longestMs, Date.now() - start);
        this.#options.memory.settledAt = Date.now() + mayTake;
        if (this.#options.cancel.aborted) throw error;
        await this.#settle();
        const present = await this.#options.server.listIds();
        if (isOldGone) {
          this.#confirm(left.filter(({ id }) => present.has(id)));
          left = left.filter(({ id }) => !present.has(id));
          if (left.length === 0) return;
        }
        if (attempt === maxAttempts) throw error;
      }
    }
  }

  /**
   * Deletes what the server has under the batch's ids and returns the documents that can be sent: servers report success
   * also for what they have not deleted.
   */
  async #deleteOld(batch: FillDocument[]): Promise<FillDocument[]> {
    const old = batch.map(({ id }) => id).filter((id) => this.#present.has(id));
    if (old.length === 0) return batch;
    await this.#options.server.delete(old);
    const present = await this.#options.server.listIds();
    const kept = old.filter((id) => present.has(id));
    for (const id of old) this.#present.delete(id);
    if (kept.length === 0) return batch;
    for (const id of kept) this.#kept.add(id);
    const reason = l10n.t("The server did not delete the documents to be replaced.");
    this.#refused.push({ reason, ids: kept });
    return batch.filter(({ id }) => !this.#kept.has(id));
  }

  /** The request is given up only when a cancellation has waited long enough for it. */
  async #insert(batch: readonly FillDocument[]): Promise<void> {
    const { server, cancel } = this.#options;
    const abandon = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const startGrace = (): void => {
      const lost = new AppError("cutOff", "The batch was given up after the cancellation.");
      timer = setTimeout(() => abandon.abort(lost), this.#times.grace);
    };
    if (cancel.aborted) startGrace();
    else cancel.addEventListener("abort", startGrace, { once: true });
    try {
      const rows = batch.map(({ row }) => row);
      await server.insert(rows, abandon.signal);
    } finally {
      clearTimeout(timer);
      cancel.removeEventListener("abort", startGrace);
    }
  }

  #confirm(batch: readonly FillDocument[]): void {
    for (const { id } of batch) {
      this.#options.memory.written.add(id);
      this.#present.add(id);
    }
    this.#report("sending");
  }

  #refuse(batch: readonly FillDocument[], error: AppError): void {
    this.#refused.push({ reason: error.message, ids: batch.map(({ id }) => id) });
    if (++this.#refusedInRow >= maxRefusedInRow) throw error;
  }

  /** Sends a batch in halves. A document that is too large by itself is no reason to expect the same of others. */
  async #splitTooLarge(batch: FillDocument[], error: AppError): Promise<void> {
    if (batch.length === 1) {
      this.#refused.push({ reason: error.message, ids: batch.map(({ id }) => id) });
      return;
    }
    const length = batch.reduce((sum, document) => sum + document.length, 0);
    this.#maxLength = Math.min(this.#maxLength, Math.floor(length / 2));
    const half = Math.ceil(batch.length / 2);
    await this.#send(batch.slice(0, half));
    await this.#send(batch.slice(half));
  }

  /** Waits until a batch whose connection broke is stored or never will be. */
  async #settle(): Promise<void> {
    const left = this.#options.memory.settledAt - Date.now();
    if (left <= 0) return;
    this.#report("settling");
    await wait(left, this.#options.cancel);
  }

  /** Asks the server which of the sent documents it has. */
  async #check(
    end: FillResult["end"],
    failure: unknown,
  ): Promise<Omit<FillResult, "skipped" | "refused">> {
    const { sent: sentIds } = this.#options.memory;
    const sent = sentIds.size;
    const error = failure === undefined ? {} : { error: failure };
    const unknown = { end, ...error, sent, stored: undefined, missing: [] };
    // A batch may be on its way into the store.
    if (this.#options.memory.settledAt > Date.now()) return unknown;
    this.#report("checking");
    try {
      const present = await this.#options.server.listIds();
      const missing = [...sentIds].filter((id) => !present.has(id) || this.#kept.has(id));
      // Missing documents do not count as written, so that a resumed run sends them.
      for (const id of missing) this.#options.memory.written.delete(id);
      return { end, ...error, sent, stored: sent - missing.length, missing };
    } catch (later) {
      if (end !== "complete") return unknown;
      return { ...unknown, end: "interrupted", error: later };
    }
  }

  #report(phase: FillPhase): void {
    const done = this.#options.memory.written.size + this.#skipped;
    this.#options.onProgress({ phase, done });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof AppError && isAboutBusyIndex(error.message);
}

/** A proxy takes no request of this size, or the server none. */
function isTooLarge(error: unknown): error is AppError {
  return isAppError(error, "tooLarge") && error.status === 413;
}

/** The server has understood the batch and stored nothing of it. */
function isRefusal(error: unknown): error is AppError {
  return isAppError(error, "refused", "sql", "serverFault", "conflict");
}

/** The batch may be stored: the connection, or something between here and the server, gave up. */
function isLost(error: unknown): boolean {
  return isAppError(error, "cutOff", "timeout", "unreachable", "badAnswer", "notMindsDB");
}

/** Waits, or ends at once when the run is cancelled. */
async function wait(ms: number, cancel: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: cancel }).catch(() => undefined);
}
