// Finds the words of the question in a chunk, to be highlighted.

const stopWords = new Set(
  "the and for are was were has have had may how can could does did what when where which who why with from that this there you your not but all any its out our".split(
    " ",
  ),
);

/** A part of a text, and whether it is a word of the question. */
interface HighlightSegment {
  text: string;
  isMatch: boolean;
}

/** Includes combining accents and vowel signs. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function* findWords(text: string): Generator<{ found: string; at: number }> {
  for (const { 0: found, index } of text.matchAll(word)) {
    if (!unspaced.test(found)) yield { found, at: index };
    else {
      for (const part of segmenter.segment(found)) {
        yield { found: part.segment, at: index + part.index };
      }
    }
  }
}

/**
 * Splits the text into segments; each word of the question is a segment. Ignores case, a final `s`, and words under three
 * characters (under two in scripts without spaces).
 */
export function highlightWords(text: string, question: string): HighlightSegment[] {
  const wanted = new Set(
    [...findWords(question)].map(({ found }) => stem(found)).filter((found) => found !== ""),
  );
  const pieces: HighlightSegment[] = [];
  let end = 0;
  const add = (upTo: number, isMatch: boolean): void => {
    if (upTo > end) pieces.push({ text: text.slice(end, upTo), isMatch });
    end = upTo;
  };
  for (const { found, at } of findWords(text)) {
    if (!wanted.has(stem(found))) continue;
    add(at, false);
    add(at + found.length, true);
  }
  add(text.length, false);
  return pieces;
}

/** Returns the stem that words are compared by; empty for stop words and short words. */
function stem(text: string): string {
  const lower = text.normalize("NFC").toLowerCase();
  const isNumber = /^\p{N}+$/u.test(lower);
  if (isNumber) return lower;
  if (lower.length < (unspaced.test(lower) ? 2 : 3) || stopWords.has(lower)) return "";
  return lower.length > 3 ? lower.replace(/(?<=[^s])s$/, "") : lower;
}
