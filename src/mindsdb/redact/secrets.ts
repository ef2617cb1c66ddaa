// Removes secrets from everything that is shown, logged or saved: by field name and by known value.
// Real servers return agents' api_key unmasked and print it in error texts (also as a Python repr).
import { cutOff } from "../cutText.ts";
import { readInSlices } from "../readInSlices.ts";
import { KnownSecrets } from "./knownSecrets.ts";
import type { copyRedacted, listSecrets } from "./redactJson.ts";
import { withheldText } from "./withheldText.ts";

/** How secrets are found and masked. */
export interface Redaction {
  redactKnown: (text: string, values: readonly string[]) => string;
  redactUnknown: (text: string) => string;
  copyRedacted: typeof copyRedacted;
  listSecrets: typeof listSecrets;
}

/** Characters of a text that is shown or logged: more than any statement, error or instruction, and redacted in a moment. */
export const maxShownText = 100_000;
/** Characters of a JSON value that is shown: longer ones take the extension host seconds. */
const maxValue = 1_000_000;

/** Until it is loaded, texts are withheld. */
let loaded: Redaction | undefined;

/** Tells how secrets are found. The code is too large for the start of the extension: see redact.ts. */
export function setRedaction(redaction: Redaction): void {
  loaded = redaction;
}

function redaction(): Redaction {
  if (!loaded) throw new Error("redact.ts is not loaded");
  return loaded;
}

/**
 * The secrets of one connection. Separate for each connection: a password on one server can be a normal
 * word on another. A text that cannot be searched is withheld.
 */
export class Secrets {
  readonly #known = new KnownSecrets();

  /** Adds a key that the user typed. */
  add(value: string | undefined): void {
    if (value !== undefined) this.#known.add(value, "typed");
  }

  /** Adds what this machine signs in with. Nothing that a server returns, or the user types, displaces it. */
  addCredential(value: string | undefined): void {
    if (value !== undefined) this.#known.add(value, "signIn");
  }

  /** Adds a secret that the server has returned, where its name does not tell. */
  addReturned(value: string): void {
    this.#known.add(value, "server");
  }

  /**
   * Learns the values of secret fields anywhere in a JSON value. For answers in which servers return credentials
   * (agents, models, knowledge bases, data sources, configuration), never for rows or agents' answers, whose content could
   * mask any word.
   */
  learn(answer: unknown): void {
    for (const value of redaction().listSecrets(answer)) this.#known.add(value, "server");
  }

  /** Like `learn`, for an answer that may be a long list: other tasks run meanwhile. */
  async learnList(answer: unknown): Promise<void> {
    if (!Array.isArray(answer)) this.learn(answer);
    else await readInSlices(answer, (item) => this.learn(item));
  }

  /**
   * The text without secrets: known values, values of secret fields, and tokens. For texts that are shown or logged: of a
   * longer one the first 100,000 characters, as texts of servers and files may have any length.
   */
  redact(text: string): string {
    return this.redactWhole(cutOff(text, maxShownText));
  }

  /** Like `redact`, but never cut: for a text that is sent, saved or compared, and whose length is limited elsewhere. */
  redactWhole(text: string): string {
    return redactSafely(text, ({ redactKnown, redactUnknown }) =>
      redactUnknown(redactKnown(text, this.#known.values)),
    );
  }

  /** The text without known secrets. For the user's own rows, where a column may be called `token`. */
  redactKnown(text: string): string {
    return redactSafely(text, ({ redactKnown }) => redactKnown(text, this.#known.values));
  }

  /**
   * A copy of a JSON value without secrets, to be shown; values of secret fields are masked. Its texts are cut as by
   * `redact`, and after a million characters they are withheld.
   */
  redactValue(value: unknown): unknown {
    let left = maxValue;
    const redact = (text: string): string => {
      left -= Math.min(text.length, maxShownText);
      return left < 0 ? withheldText : this.redact(text);
    };
    return redaction().copyRedacted(value, redact, "mask");
  }

  /** Like `redactValue`, but whole, as `redactWhole`. */
  redactWholeValue(value: unknown): unknown {
    return redaction().copyRedacted(value, (text) => this.redactWhole(text), "mask");
  }

  /** A copy of a JSON value without known secrets; see `redactKnown`. Only texts change. */
  redactKnownValue<Value>(value: Value): Value {
    return redaction().copyRedacted(value, (text) => this.redactKnown(text), "keep") as Value;
  }

  /**
   * A copy of a JSON value without secret fields. For values that are sent back: a mask would replace
   * the server's value.
   */
  omitSecrets(value: unknown): unknown {
    return redaction().copyRedacted(value, (text) => this.redactKnown(text), "omit");
  }
}

/**
 * The first 100,000 characters of a text without values of secret fields and tokens, for text that belongs to no
 * connection. Never throws.
 */
export function redactUnknown(text: string): string {
  const shown = cutOff(text, maxShownText);
  return redactSafely(shown, (redaction) => redaction.redactUnknown(shown));
}

function redactSafely(text: string, redact: (redaction: Redaction) => string): string {
  try {
    return redact(redaction());
  } catch {
    return text === "" ? "" : withheldText;
  }
}
