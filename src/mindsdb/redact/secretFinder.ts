// Finds known secrets in text, as whole words and in linear time.
import { encodeSecret } from "./secretEncodings.ts";
import { mask } from "./secretNames.ts";
import { endsInWord, isWordUnit } from "./wordBoundaries.ts";

/** Characters that decide where a value can begin; no known secret is shorter. */
const minLength = 8;
/** A truncated secret at the end of a text is masked if at most this many characters are left. */
const maxUnfinished = 64;

/** For each list of values: a list is replaced when it changes. */
const finders = new WeakMap<readonly string[], SecretFinder>();

/** The text with these values masked where they are whole words. */
export function redactKnown(text: string, values: readonly string[]): string {
  if (text.length < minLength || values.length === 0) return text;
  let finder = finders.get(values);
  if (!finder) {
    finder = new SecretFinder(values);
    finders.set(values, finder);
  }
  return finder.redact(text);
}

/** Finds any of several values, in all their encoded forms. */
class SecretFinder {
  /** Sorted by code units, so that forms with the same beginning are neighbors. */
  readonly #forms: string[];
  /** Matches where a form can begin: a character class for each of the first eight positions. */
  readonly #beginning: RegExp;

  constructor(values: readonly string[]) {
    this.#forms = [...new Set(values.flatMap(encodeSecret))].sort();
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

  /** Number of characters to mask from here: the longest form that is a word, or the beginning of a truncated one. */
  #lengthAt(text: string, start: number): number {
    if (isWordUnit(text.charCodeAt(start)) && endsInWord(text, start)) return 0;
    const forms = this.#forms;
    let from = 0;
    let to = forms.length;
    let whole = 0;
    for (let depth = 0; ; depth++) {
      // The shortest form comes first among those with the same beginning.
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

/** The range of sorted forms that have this code unit at a position; all forms are longer. */
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
  // False for NaN, at the end of the text.
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

function isWordEnd(text: string, place: number): boolean {
  return !isWordUnit(text.charCodeAt(place - 1)) || !isWordUnit(text.charCodeAt(place));
}
