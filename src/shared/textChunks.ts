// Splits long text into pieces that a page can lay out one at a time.
import { sliceText } from "../mindsdb/cutText.ts";

/** The lines of a text without line ends; those over `maxLength` characters are split, but never inside a character. */
export function* splitLines(text: string, maxLength: number): Generator<string> {
  for (const line of text.split(/\r\n|\n|\r/)) {
    let rest = line;
    while (rest.length > maxLength) {
      const start = sliceText(rest, maxLength);
      yield start;
      rest = rest.slice(start.length);
    }
    yield rest;
  }
}

/**
 * Splits a text into pieces of whole lines of about `length` characters, to be shown below each other. Laying out a long
 * text at once can take seconds, for example right-to-left text without spaces.
 */
export function* textPieces(text: string, length = 4_000): Generator<string> {
  let piece: string[] = [];
  let size = 0;
  for (const line of splitLines(text, length)) {
    if (size > 0 && size + line.length > length) {
      yield piece.join("\n");
      piece = [];
      size = 0;
    }
    piece.push(line);
    size += line.length + 1;
  }
  yield piece.join("\n");
}
