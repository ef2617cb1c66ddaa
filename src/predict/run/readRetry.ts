import { setTimeout as sleep } from "node:timers/promises";
import { AppError, isAppError } from "../../mindsdb/errors.ts";
import type { SenderState } from "./batchSender.ts";
import { chooseReaction } from "./failureReaction.ts";

interface ReadRetryOptions {
  signal: AbortSignal;
  onState: (state: SenderState) => void;
  /** Resolves when the user resumes; rejects when the run is stopped. */
  onPause: () => Promise<void>;
  /** Milliseconds to wait for a server that cannot be reached before the user is asked. */
  maxWaitForServerMs?: number;
}

const retryMs = 1_000;

/** Lets a run that reads its rows from the server outlive a restart of it: what was predicted so far is kept. */
export class ReadRetry {
  readonly #options: ReadRetryOptions;
  /** When the server was first gone; undefined while it answers. In ms since 1970. */
  #failingSince: number | undefined;

  constructor(options: ReadRetryOptions) {
    this.#options = options;
  }

  /** Waits, or asks the user; true if the rows are to be read again. Reading twice changes nothing. */
  async waitAfter(error: unknown): Promise<boolean> {
    if (!(error instanceof AppError)) return false;
    const reaction = chooseReaction(error);
    if (reaction === "split" || reaction === "end") return false;
    const { signal, onState, onPause, maxWaitForServerMs = 60_000 } = this.#options;
    this.#failingSince ??= Date.now();
    // A gateway without a server, or a broken connection: no row is in doubt where nothing is predicted.
    const isAway = reaction === "wait" || isAppError(error, "unreachable", "cutOff");
    if (isAway && Date.now() - this.#failingSince < maxWaitForServerMs) {
      onState({ kind: "waiting", error });
      await sleep(retryMs, undefined, { signal });
    } else {
      onState({ kind: "paused", pause: { error, unsureRows: 0 } });
      await onPause();
      this.succeeded();
    }
    return true;
  }

  /** Rows were read. */
  succeeded(): void {
    if (this.#failingSince === undefined) return;
    this.#failingSince = undefined;
    this.#options.onState({ kind: "sending" });
  }
}
