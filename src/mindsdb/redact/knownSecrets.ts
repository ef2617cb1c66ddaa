// The known secrets of one connection. secretFinder.ts finds them in texts.

/** Length limits of secrets, in characters: shorter values are common words, longer ones are not credentials. */
const minLength = 8;
const maxLength = 4_096;
/**
 * Maximum values kept (the newest): from servers, and from this machine's sign-ins. Each is searched for in up to 22
 * forms, which are made anew when a value is added: for a thousand keys that takes about 20 ms of the extension host.
 */
const maxReturned = 1_000;
const maxOwn = 50;

/** Placeholder keys that local providers accept; never treated as secrets. */
const placeholders = ["nvidia_nim", "lm-studio", "api-key-not-set"];

export class KnownSecrets {
  /** In the order in which they were added. */
  readonly #own = new Set<string>();
  readonly #returned = new Set<string>();
  #values: readonly string[] = [];

  /** The same list until another value is added. */
  get values(): readonly string[] {
    return this.#values;
  }

  /**
   * Adds a value; `isOwn` for one that this machine signs in with, which values from servers never displace. Ignores
   * values of less than 8 or more than 4,096 characters, and placeholder keys.
   */
  add(value: string, isOwn: boolean): void {
    if (value.length < minLength || value.length > maxLength) return;
    if (placeholders.includes(value.toLowerCase()) || /^\*+$/.test(value)) return;
    const values = isOwn ? this.#own : this.#returned;
    const isNew = !values.delete(value);
    values.add(value);
    if (values.size > (isOwn ? maxOwn : maxReturned)) {
      const [oldest = ""] = values;
      values.delete(oldest);
    }
    if (isNew) this.#values = [...this.#own, ...this.#returned];
  }
}
