/** Milliseconds for which an answer is used. */
const maxAgeMs = 30_000;

interface KeptAnswer<T> {
  /** When it was requested, in ms since 1970. */
  at: number;
  answer: Promise<T | undefined>;
}

/** Answers of servers that are needed again within a short time, by connection and key. Undefined if a request failed. */
export class AnswerCache<T> {
  readonly #isTrusted: () => boolean;
  readonly #answers = new Map<string, Map<string, KeptAnswer<T>>>();

  /** Requests nothing while the workspace is not trusted: its files must not reach a server. */
  constructor(isTrusted: () => boolean) {
    this.#isTrusted = isTrusted;
  }

  /** The answer for a key, requested again if it is old. */
  get(connectionId: string, key: string, load: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isTrusted()) return Promise.resolve(undefined);
    const answers = this.#answers.get(connectionId) ?? new Map<string, KeptAnswer<T>>();
    this.#answers.set(connectionId, answers);
    const kept = answers.get(key);
    if (kept && Date.now() - kept.at < maxAgeMs) return kept.answer;
    const answer = load().catch(() => undefined);
    answers.set(key, { at: Date.now(), answer });
    return answer;
  }

  /** The answer that is there, however old it is. */
  peek(connectionId: string, key: string): Promise<T | undefined> | undefined {
    return this.#answers.get(connectionId)?.get(key)?.answer;
  }

  /** Forgets the answers of a connection, or of all connections. */
  forget(connectionId?: string): void {
    if (connectionId === undefined) this.#answers.clear();
    else this.#answers.delete(connectionId);
  }
}
