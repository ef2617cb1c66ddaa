// The known secrets of one connection. secretFinder.ts finds them in texts.

/** Length limits of secrets, in characters: shorter values are common words, longer ones are not credentials. */
const minLength = 8;
const maxLength = 4_096;

/** Where a secret comes from. */
type SecretOrigin = "signIn" | "typed" | "server";

/**
 * Maximum values kept of each origin (the newest). Each is searched for in up to 22 forms, which are made anew when a value
 * is added: for a thousand keys that takes about 20 ms of the extension host.
 */
const maxValues: Record<SecretOrigin, number> = { signIn: 50, typed: 200, server: 1_000 };
/** Maximum characters of all values of one origin: of a thousand long ones the forms take seconds. */
const maxCharacters = 100_000;

/** Placeholder keys that local providers accept; never treated as secrets. */
const placeholders = ["nvidia_nim", "lm-studio", "api-key-not-set"];

export class KnownSecrets {
  /** In the order in which they were added. One origin never displaces values of another. */
  readonly #byOrigin = {
    signIn: new Set<string>(),
    typed: new Set<string>(),
    server: new Set<string>(),
  } satisfies Record<SecretOrigin, Set<string>>;
  readonly #characters: Record<SecretOrigin, number> = { signIn: 0, typed: 0, server: 0 };
  #values: readonly string[] | undefined;

  /** The same list until another value is added. */
  get values(): readonly string[] {
    return (this.#values ??= Object.values(this.#byOrigin).flatMap((all) => [...all]));
  }

  /**
   * Adds a value, also without the blanks around it, which servers may take off. Ignores values of less than 8 or more than
   * 4,096 characters, and placeholder keys.
   */
  add(value: string, origin: SecretOrigin): void {
    const trimmed = value.trim();
    if (trimmed !== value) this.#add(trimmed, origin);
    this.#add(value, origin);
  }

  #add(value: string, origin: SecretOrigin): void {
    if (value.length < minLength || value.length > maxLength) return;
    if (placeholders.includes(value.toLowerCase()) || /^\*+$/.test(value)) return;
    const values = this.#byOrigin[origin];
    const isNew = !values.delete(value);
    values.add(value);
    if (!isNew) return;
    this.#values = undefined;
    this.#characters[origin] += value.length;
    while (values.size > maxValues[origin] || this.#characters[origin] > maxCharacters) {
      const [oldest = ""] = values;
      values.delete(oldest);
      this.#characters[origin] -= oldest.length;
    }
  }
}
