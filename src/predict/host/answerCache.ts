/** Milliseconds for which an answer is used. */
const maxAgeMs = 30_000;

interface KeptAnswer<T> {
  /** When it was requested, in ms since 1970. */
  at: number;
  answer: Promise<T | undefined>;
  /** The answer, or an older one until it is there. */
  known?: T | undefined;
  /** When it arrived, in ms since 1970. */
  knownAt: number;
  isPending: boolean;
}

/** The value known now, without waiting. */
export interface Known<T> {
  value?: T | undefined;
  /** When it arrived, in ms since 1970. */
  at: number;
  /** Resolves when there is a newer value. */
  pending?: Promise<unknown> | undefined;
}

/** Answers of servers that are needed again within a short time, by connection and key. Undefined if a request failed. */
export class AnswerCache<T> {
  readonly #isTrusted: () => boolean;
  readonly #answers = new Map<string, Map<string, KeptAnswer<T>>>();

  readonly #onLearn: () => void;

  /**
   * Requests nothing while the workspace is not trusted: its files must not reach a server. `onLearn` is called after each
   * answer.
   */
  constructor(isTrusted: () => boolean, onLearn: () => void = () => undefined) {
    this.#isTrusted = isTrusted;
    this.#onLearn = onLearn;
  }

  /** The answer for a key, requested again if it is older than `maxAge` in ms. */
  get(
    connectionId: string,
    key: string,
    load: () => Promise<T>,
    maxAge = maxAgeMs,
  ): Promise<T | undefined> {
    if (!this.#isTrusted()) return Promise.resolve(undefined);
    const answers = this.#answers.get(connectionId) ?? new Map<string, KeptAnswer<T>>();
    this.#answers.set(connectionId, answers);
    const kept = answers.get(key);
    if (kept && (kept.isPending || Date.now() - kept.at < maxAge)) return kept.answer;
    const answer = load().catch(() => undefined);
    const { known, knownAt = 0 } = kept ?? {};
    const asked: KeptAnswer<T> = { at: Date.now(), answer, known, knownAt, isPending: true };
    answers.set(key, asked);
    void answer.then((value) => {
      if (value !== undefined) Object.assign(asked, { known: value, knownAt: Date.now() });
      asked.isPending = false;
      if (value !== undefined) this.#onLearn();
    });
    return answer;
  }

  /** Returns the value known for a key. Requests it in the background if it is old or unknown. */
  know(connectionId: string, key: string, load: () => Promise<T>, maxAge?: number): Known<T> {
    void this.get(connectionId, key, load, maxAge);
    const kept = this.#answers.get(connectionId)?.get(key);
    const pending = kept?.isPending ? kept.answer : undefined;
    return { value: kept?.known, at: kept?.knownAt ?? 0, pending };
  }

  /** The answer that is there, however old it is. */
  peek(connectionId: string, key: string): Promise<T | undefined> | undefined {
    return this.#answers.get(connectionId)?.get(key)?.answer;
  }

  /** The value that is there, however old it is. */
  peekValue(connectionId: string, key: string): T | undefined {
    return this.#answers.get(connectionId)?.get(key)?.known;
  }

  /** Forgets the answers of a connection, or of all connections. */
  forget(connectionId?: string): void {
    if (connectionId === undefined) this.#answers.clear();
    else this.#answers.delete(connectionId);
  }
}
