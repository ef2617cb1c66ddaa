// Which words of a chunk are words of the question: what the page marks.

/** Words that say nothing about what a text is about; English, like most embeddings' training texts. */
const small = new Set(
  "the and for are was were has have had may how can could does did what when where which who why with from that this there you your not but all any its out our".split(
    " ",
  ),
);

/** A piece of a text, and whether it is a word of the question. */
export interface HighlightSegment {
  text: string;
  isMatch: boolean;
}

/** Accents and vowel signs that stand after their letter belong to it. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Scripts that put nothing between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

function* wordsOf(text: string): Generator<{ found: string; at: number }> {
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
 * The text in pieces, in order and complete; words of the question are pieces of their own. Upper case, a final `s` and
 * words under three characters do not count (under two, where words are written without spaces).
 */
export function highlightWords(text: string, question: string): HighlightSegment[] {
  const wanted = new Set(
    [...wordsOf(question)].map(({ found }) => stem(found)).filter((found) => found !== ""),
  );
  const pieces: HighlightSegment[] = [];
  let end = 0;
  const add = (upTo: number, isMatch: boolean): void => {
    if (upTo > end) pieces.push({ text: text.slice(end, upTo), isMatch });
    end = upTo;
  };
  for (const { found, at } of wordsOf(text)) {
    if (!wanted.has(stem(found))) continue;
    add(at, false);
    add(at + found.length, true);
  }
  add(text.length, false);
  return pieces;
}

/** What two words have in common that mean the same; empty for words that mean nothing. */
function stem(text: string): string {
  const lower = text.normalize("NFC").toLowerCase();
  const isNumber = /^\p{N}+$/u.test(lower);
  if (isNumber) return lower;
  if (lower.length < (unspaced.test(lower) ? 2 : 3) || small.has(lower)) return "";
  return lower.length > 3 ? lower.replace(/(?<=[^s])s$/, "") : lower;
}
