const quote = 0x22;
const backslash = 0x5c;
/** Characters before each value of a list or object: a comma or an opening bracket. */
const separators = new Uint8Array(128);
for (const character of ",[{") separators[character.charCodeAt(0)] = 1;

/**
 * True if a JSON text holds more than so many values, empty lists and objects included; counted before anything is made
 * of them. Of a text that is no JSON it says something similar.
 */
export function hasMoreValues(text: string, max: number): boolean {
  // Each value has at least one character.
  return text.length > max && countValues(text, max) > max;
}

/** The number of values in a JSON text; the count ends above `max`. */
export function countValues(text: string, max: number): number {
  let count = 1;
  for (let at = 0; at < text.length && count <= max; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = findClosingQuote(text, at);
    else if (separators[code] === 1) count++;
  }
  return count;
}

/** The position of the quote that ends the string which starts at `start`; the text's length if there is none. */
export function findClosingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
