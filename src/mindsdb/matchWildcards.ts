// Wildcard patterns, like the data patterns of agents (`*`, `?`).

/** Which characters of a pattern are wildcards: `any` is any number of characters, none included; `one` is exactly one. */
interface Wildcards {
  any: string;
  one: string;
}

/** Patterns of agents' data, as Python's fnmatch reads them. */
export const globWildcards: Wildcards = { any: "*", one: "?" };

/**
 * Longest part with `one` in it that is searched for. No linear search knows such wildcards, so this bounds the work for
 * each character of the text; names in databases have 255 characters at most.
 */
const maxSearchedLength = 256;

/** A text as characters: a string where each code unit is one, else its code points. */
type Characters = ArrayLike<string>;

/**
 * True if the whole text fits the pattern; case counts. Takes time in proportion to the lengths of both, whatever they
 * hold: a regular expression with several `.*` tries all ways to part the text. A part of more than 256 characters that
 * has wildcards for one character and stands between two for many fits nothing.
 */
export function matchesWildcards(text: string, pattern: string, { any, one }: Wildcards): boolean {
  const parts = pattern.split(any).map(splitCharacters);
  const characters = splitCharacters(text);
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  if (parts.length === 1) {
    return first.length === characters.length && fitsAt(characters, 0, first, one);
  }
  let position = first.length;
  const end = characters.length - last.length;
  if (position > end || !fitsAt(characters, 0, first, one)) return false;
  if (!fitsAt(characters, end, last, one)) return false;
  // Where a part can stand in several places, the leftmost leaves the most room for the others.
  for (const part of parts.slice(1, -1)) {
    const start = find(part, characters, position, end, one);
    if (start < 0) return false;
    position = start + part.length;
  }
  return true;
}

/** The most character comparisons that `String.includes`, which may compare each with each, is left to: some 50 ms. */
const maxComparisons = 20_000_000;

/** Like `text.includes(part)`, but in linear time: a repetitive part in a repetitive text can take that one minutes. */
export function holdsText(text: string, part: string): boolean {
  return text.length * part.length <= maxComparisons
    ? text.includes(part)
    : findExact(part, text, 0, text.length) >= 0;
}

function splitCharacters(text: string): Characters {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text) : text;
}

function fitsAt(text: Characters, start: number, part: Characters, one: string): boolean {
  for (let at = 0; at < part.length; at++) {
    if (part[at] !== one && part[at] !== text[start + at]) return false;
  }
  return true;
}

/** Where the part stands first between two positions of the text; -1 if it does not. */
function find(part: Characters, text: Characters, from: number, end: number, one: string): number {
  if (part.length === 0) return from;
  if (part.length > end - from) return -1;
  if (!Array.prototype.includes.call(part, one)) return findExact(part, text, from, end);
  if (part.length > maxSearchedLength) return -1;
  for (let start = from; start + part.length <= end; start++) {
    if (fitsAt(text, start, part, one)) return start;
  }
  return -1;
}

/** The algorithm of Knuth, Morris and Pratt: no character of the text is looked at again. */
function findExact(part: Characters, text: Characters, from: number, end: number): number {
  // How much of the part's beginning ends at each of its characters.
  const borders = new Int32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at++) {
    while (matched > 0 && part[at] !== part[matched]) matched = borders[matched - 1]!;
    if (part[at] === part[matched]) matched++;
    borders[at] = matched;
  }
  let matched = 0;
  for (let at = from; at < end; at++) {
    while (matched > 0 && text[at] !== part[matched]) matched = borders[matched - 1]!;
    if (text[at] === part[matched]) matched++;
    if (matched === part.length) return at + 1 - matched;
  }
  return -1;
}
