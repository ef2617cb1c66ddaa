// Removes secrets from everything that is shown, logged or saved: by field name and by known value.
// Real servers return agents' api_key unmasked and print it in error texts (also as a Python repr).
import * as l10n from "@vscode/l10n";
import { isObject, type JsonObject } from "../json.ts";
import { KnownSecrets } from "./knownSecrets.ts";
import { isSecretKey, mask } from "./secretNames.ts";

/** Replaces text that could not be searched for secrets, and values nested deeper than `maxDepth`. */
const withheldText = l10n.t("[This text was not searched for secrets and is not shown.]");

/** Removes unknown secrets from a text. Until it is loaded, texts are withheld. */
let redactPatterns: ((text: string) => string) | undefined;

/** Tells how unknown secrets are found. The code is too large for the start of the extension: see redact.ts. */
export function setRedactPatterns(redact: (text: string) => string): void {
  redactPatterns = redact;
}

/** Values nested deeper than this are not read. */
const maxDepth = 100;

/**
 * The secrets of one connection. Separate for each connection: a password on one server can be a normal
 * word on another. Never throws: a text that cannot be searched is withheld.
 */
export class Secrets {
  readonly #known = new KnownSecrets();

  /** Adds a credential of this machine, or a key that the user typed. */
  add(value: string | undefined): void {
    if (value !== undefined) this.#known.add(value, true);
  }

  /**
   * Learns the values of secret fields anywhere in a JSON value. For answers in which servers return credentials
   * (agents, models, knowledge bases, data sources, configuration), never for rows or agents' answers, whose content could
   * mask any word.
   */
  learn(answer: unknown): void {
    this.#learn(answer, false, 0);
  }

  /** The text without secrets: known values, values of secret fields, and tokens. */
  redact(text: string): string {
    return safely(text, () => redactUnknownOrThrow(this.#known.redact(text)));
  }

  /** The text without known secrets. For the user's own rows, where a column may be called `token`. */
  redactKnown(text: string): string {
    return safely(text, () => this.#known.redact(text));
  }

  /** A copy of a JSON value without secrets; values of secret fields are masked. */
  redactValue(value: unknown): unknown {
    return redactedCopy(value, (text) => this.redact(text), "mask");
  }

  /** A copy of a JSON value without known secrets; see `redactKnown`. Only texts change. */
  redactKnownValue<Value>(value: Value): Value {
    return redactedCopy(value, (text) => this.redactKnown(text), "keep") as Value;
  }

  /**
   * A copy of a JSON value without secret fields. For values that are sent back: a mask would replace
   * the server's value.
   */
  omitSecrets(value: unknown): unknown {
    return redactedCopy(value, (text) => this.redactKnown(text), "omit");
  }

  #learn(value: unknown, isSecret: boolean, depth: number): void {
    if (depth > maxDepth) return;
    if (typeof value === "string") {
      if (isSecret) this.#known.add(value, false);
    } else if (typeof value === "number") {
      if (isSecret && Number.isSafeInteger(value)) this.#known.add(String(value), false);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#learn(item, isSecret, depth + 1);
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        this.#learn(item, isSecretField(value, name), depth + 1);
      }
    }
  }
}

/** The text without values of secret fields and tokens, for text that belongs to no connection. Never throws. */
export function redactUnknown(text: string): string {
  return safely(text, () => redactUnknownOrThrow(text));
}

function redactUnknownOrThrow(text: string): string {
  if (!redactPatterns) throw new Error("redact.ts is not loaded");
  return redactPatterns(text);
}

function safely(text: string, redact: () => string): string {
  try {
    return redact();
  } catch {
    return text === "" ? "" : withheldText;
  }
}

/** A copy of a JSON value with redacted strings and names; `fields` says how secret fields are treated. */
function redactedCopy(
  value: unknown,
  redact: (text: string) => string,
  fields: "mask" | "omit" | "keep",
): unknown {
  const copy = (item: unknown, isSecret: boolean, depth: number): unknown => {
    if (typeof item === "string") return isSecret && item !== "" ? mask : redact(item);
    // Booleans say whether a secret exists, and fractions below 1 are column importances.
    if (typeof item === "number") return isSecret && Math.abs(item) >= 1 ? mask : item;
    if (typeof item !== "object" || item === null) return item;
    if (depth > maxDepth) return withheldText;
    if (Array.isArray(item)) return item.map((one) => copy(one, isSecret, depth + 1));
    let renamed = 0;
    return Object.fromEntries(
      Object.entries(item).flatMap(([name, field]) => {
        const isNamed = fields !== "keep" && isSecretField(item as JsonObject, name);
        const isSecretHere = isSecret || isNamed;
        if (
          fields === "omit" &&
          (isSecretHere ||
            redact(name) !== name ||
            (typeof field === "string" && redact(field) !== field))
        ) {
          return [];
        }
        const shown = redact(name);
        // Several names can become the same one.
        const unique = shown === name || ++renamed === 1 ? shown : `${shown} (${String(renamed)})`;
        return [[unique, copy(field, isSecretHere, depth + 1)]];
      }),
    );
  };
  return copy(value, false, 0);
}

/** Language model engines list their arguments, including keys, as rows `{key, value}` (seen on 26.1.0 and 25.14.1). */
function isSecretField(object: JsonObject, name: string): boolean {
  if (name !== "value") return isSecretKey(name);
  const { key } = object;
  return typeof key === "string" && isSecretKey(key);
}
