/**
 * Runs that end sooner never have more than one request in flight. MindsDB starts a second worker process for the second
 * request, and all requests wait for it: 18 s where one at a time took 1.3 s (seen on 26.1.0).
 */
const minMeasuredMs = 10_000;

/** Responses at one concurrency before it is compared with another. */
const minResponses = 6;

/** Responses that are not measured after a change: the server may start a process for the next request. */
const warmUpResponses = 3;

/** The gain in rows per second that justifies one more request in flight. */
const minGain = 1.15;

/**
 * How many requests of a run may be in flight: one, then one more at a time up to `max` while that makes the run
 * faster.
 */
export class AdaptiveConcurrency {
  readonly max: number;
  #current: number;
  readonly #now: () => number;
  #isSettled: boolean;
  /** Rows per ms with one request less. */
  #speedBefore = 0;
  #warmUp = 0;
  #responses = 0;
  #rows = 0;
  #since: number;

  /** `now` is in ms. */
  constructor(max: number, { initial = 1, now = () => performance.now() } = {}) {
    this.max = max;
    this.#current = initial;
    this.#isSettled = initial >= max;
    this.#now = now;
    this.#since = now();
  }

  /** The number of requests that may be in flight now. */
  get current(): number {
    return this.#current;
  }

  /** Counts a response with its rows. */
  answered(rows: number): void {
    if (this.#isSettled) return;
    if (this.#warmUp > 0) {
      this.#warmUp--;
      this.#since = this.#now();
      return;
    }
    this.#responses++;
    this.#rows += rows;
    const ms = this.#now() - this.#since;
    if (this.#responses < minResponses || ms < minMeasuredMs / this.#current) return;
    const speed = this.#rows / ms;
    const isWorse = this.#current > 1 && speed < minGain * this.#speedBefore;
    if (isWorse) this.#current--;
    this.#isSettled = isWorse || this.#current === this.max;
    if (this.#isSettled) return;
    this.#speedBefore = speed;
    this.#current++;
    this.restart();
  }

  /** Starts a new measurement, because the run was paused or waited for the server. */
  restart(): void {
    this.#responses = 0;
    this.#rows = 0;
    this.#warmUp = this.#current > 1 ? warmUpResponses : 0;
    this.#since = this.#now();
  }
}
