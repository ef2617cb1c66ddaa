// How many requests of a run are in flight: one, and more only where more are measurably faster.

/**
 * A run that is over sooner never tries more than one request at a time. MindsDB starts a second worker process for the
 * second request, and everything waits for it: 18 s where one at a time took 1.3 s (seen on 26.1.0).
 */
const minMeasuredMs = 10_000;

/** Answers at one concurrency before it is compared with another. */
const minAnswers = 6;

/** Answers that are not measured after a change: the server may start a process for the next request. */
const warmUpAnswers = 3;

/** What one more request at a time must gain to be kept: 15 % more rows a second. */
const minGain = 1.15;

/** Raises the number of requests at a time up to `max`, one by one, as long as each step makes the run faster. */
export class AdaptiveConcurrency {
  readonly max: number;
  #current = 1;
  readonly #now: () => number;
  #isSettled: boolean;
  /** Rows a second with one request less. */
  #speedBefore = 0;
  #warmUp = 0;
  #answers = 0;
  #rows = 0;
  #since: number;

  /** `now` is in ms. */
  constructor(max: number, now: () => number = () => performance.now()) {
    this.max = max;
    this.#isSettled = max <= 1;
    this.#now = now;
    this.#since = now();
  }

  /** How many requests may be in flight now. */
  get current(): number {
    return this.#current;
  }

  /** A request was answered, with so many rows. */
  answered(rows: number): void {
    if (this.#isSettled) return;
    if (this.#warmUp > 0) {
      this.#warmUp--;
      this.#since = this.#now();
      return;
    }
    this.#answers++;
    this.#rows += rows;
    const ms = this.#now() - this.#since;
    if (this.#answers < minAnswers || ms < minMeasuredMs / this.#current) return;
    const speed = this.#rows / ms;
    const isWorse = this.#current > 1 && speed < minGain * this.#speedBefore;
    if (isWorse) this.#current--;
    this.#isSettled = isWorse || this.#current === this.max;
    if (this.#isSettled) return;
    this.#speedBefore = speed;
    this.#current++;
    this.restart();
  }

  /** Measures anew: the run was paused or waited for the server. */
  restart(): void {
    this.#answers = 0;
    this.#rows = 0;
    this.#warmUp = this.#current > 1 ? warmUpAnswers : 0;
    this.#since = this.#now();
  }
}
