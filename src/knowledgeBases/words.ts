// Which words of a chunk are words of the question: what the page marks.

/** Words that say nothing about what a text is about; English, like most embeddings' training texts. */
const small = new Set(
  "the and for are was were has have had may how can could does did what when where which who why with from that this there you your not but all any its out our".split(
    " ",
  ),
);

/** A piece of a text, and whether it is a word of the question. */
export interface Piece {
  text: string;
  isMatch: boolean;
}

const word = /[\p{L}\p{N}]+/gu;

/**
 * The text in pieces, in order and complete; words of the question are pieces of their own. Upper case, a final `s` and
 * words under three characters do not count.
 */
export function markWords(text: string, question: string): Piece[] {
  const wanted = new Set(
    [...question.matchAll(word)].map(([found]) => stem(found)).filter((found) => found !== ""),
  );
  const pieces: Piece[] = [];
  let end = 0;
  const add = (upTo: number, isMatch: boolean): void => {
    if (upTo > end) pieces.push({ text: text.slice(end, upTo), isMatch });
    end = upTo;
  };
  for (const match of text.matchAll(word)) {
    if (!wanted.has(stem(match[0]))) continue;
    add(match.index, false);
    add(match.index + match[0].length, true);
  }
  add(text.length, false);
  return pieces;
}

/** What two words have in common that mean the same; empty for words that mean nothing. */
function stem(text: string): string {
  const lower = text.toLowerCase();
  const isNumber = /^\p{N}+$/u.test(lower);
  if (isNumber) return lower;
  if (lower.length < 3 || small.has(lower)) return "";
  return lower.length > 3 ? lower.replace(/(?<=[^s])s$/, "") : lower;
}
