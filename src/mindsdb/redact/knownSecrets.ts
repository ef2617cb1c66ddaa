// The values of secrets that are known, and where they stand in a text: as whole words, in time linear in the text.
import { formsOf } from "./secretForms.ts";
import { mask } from "./secretNames.ts";

/** Shorter values are words that texts are full of, longer ones no credentials. In characters. */
const minLength = 8;
const maxLength = 4_096;
/** How many values are kept: the newest, of what servers returned and of what this machine signs in with. */
const maxReturned = 200;
const maxOwn = 50;
/** So many characters of a secret are masked even where the rest of it is missing. */
const maxUnfinished = 64;

/** Written as a key for servers that want one and take any: words that texts are full of. */
const placeholders = ["nvidia_nim", "lm-studio", "api-key-not-set"];

export class KnownSecrets {
  /** In the order in which they were added. */
  readonly #own = new Set<string>();
  readonly #returned = new Set<string>();
  #finder: Finder | undefined;

  /**
   * Remembers a value; `isOwn` for one that this machine signs in with, which no number of others drives out. Not
   * remembered: values of less than 8 or more than 4,096 characters, and what people write where no key is needed.
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
    if (isNew) this.#finder = undefined;
  }

  /** The text with every known value masked that stands in it as a whole word. */
  redact(text: string): string {
    if (text.length < minLength || this.#own.size + this.#returned.size === 0) return text;
    this.#finder ??= new Finder([...this.#own, ...this.#returned]);
    return this.#finder.redact(text);
  }
}

/** Finds any of some values, in all their forms. */
class Finder {
  /** Sorted by code units, so that forms with the same beginning are neighbors. */
  readonly #forms: string[];
  /** Fits wherever a form can begin: a class of characters for each of the first eight places of all forms. */
  readonly #beginning: RegExp;

  constructor(values: readonly string[]) {
    this.#forms = [...new Set(values.flatMap(formsOf))].sort();
    const places = Array.from({ length: minLength }, (_, place) => {
      const units = new Set(this.#forms.map((form) => form.charCodeAt(place)));
      const escaped = [...units].map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`);
      return `[${escaped.join("")}]`;
    });
    this.#beginning = new RegExp(places.join(""), "g");
  }

  redact(text: string): string {
    const beginning = this.#beginning;
    const parts: string[] = [];
    let copied = 0;
    beginning.lastIndex = 0;
    for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
      const start = found.index;
      const length = this.#lengthAt(text, start);
      if (length > 0) {
        parts.push(text.slice(copied, start), mask);
        copied = start + length;
      }
      beginning.lastIndex = start + Math.max(1, length);
    }
    if (copied === 0) return text;
    parts.push(text.slice(copied));
    return parts.join("");
  }

  /** How many characters to mask from here on: the longest form that is a word, or the beginning of one that is cut off. */
  #lengthAt(text: string, start: number): number {
    if (isWordUnit(text.charCodeAt(start)) && endsInWord(text, start)) return 0;
    const forms = this.#forms;
    let from = 0;
    let to = forms.length;
    let whole = 0;
    for (let depth = 0; ; depth++) {
      // The shortest of several forms that have the same beginning comes first.
      if (forms[from]!.length === depth) {
        if (isWordEnd(text, start + depth)) whole = depth;
        from++;
      }
      const unit = text.charCodeAt(start + depth);
      [from, to] = narrowed(forms, from, to, depth, unit);
      if (from < to) continue;
      const isCutOff =
        depth >= minLength && /^(?:…|\.{3})/.test(text.slice(start + depth, start + depth + 3));
      return depth >= maxUnfinished || isCutOff ? depth : whole;
    }
  }
}

/** The forms of a sorted stretch that have this code unit in a place; all are longer than that. */
function narrowed(
  forms: readonly string[],
  from: number,
  to: number,
  place: number,
  unit: number,
): [number, number] {
  if (from >= to) return [from, from];
  const first = forms[from]!.charCodeAt(place);
  const last = forms[to - 1]!.charCodeAt(place);
  if (first === unit && last === unit) return [from, to];
  // NaN, at the text's end, is in no stretch.
  if (!(first <= unit && unit <= last)) return [from, from];
  return [
    firstNotBelow(forms, from, to, place, unit),
    firstNotBelow(forms, from, to, place, unit + 1),
  ];
}

function firstNotBelow(
  forms: readonly string[],
  from: number,
  to: number,
  place: number,
  unit: number,
): number {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (forms[middle]!.charCodeAt(place) < unit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Letters, digits and underscores of ASCII. Others part words: not every script writes spaces. */
function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 48 && unit <= 57) ||
    (unit >= 65 && unit <= 90) ||
    unit === 95
  );
}

/** Escapes that end in letters or digits: `\n`, `\x1b`, `\u000a`, `%20`. A word can begin right behind them. */
const escapeAtEnd = /(?:\\(?:[abfnrtv0]|x[\da-f]{2}|u[\da-f]{4})|%[\da-f]{2})$/i;

/** Whether what stands before a place is a part of the same word. */
function endsInWord(text: string, place: number): boolean {
  if (!isWordUnit(text.charCodeAt(place - 1))) return false;
  return !escapeAtEnd.test(text.slice(Math.max(0, place - 6), place));
}

function isWordEnd(text: string, place: number): boolean {
  return !isWordUnit(text.charCodeAt(place - 1)) || !isWordUnit(text.charCodeAt(place));
}
