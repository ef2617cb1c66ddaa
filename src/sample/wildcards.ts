// Names and texts with wildcards, as agents' data patterns and LIKE have them.

/**
 * True if the whole text fits the pattern, in which `any` stands for any characters and `one`, if given, for one. When
 * something does not fit, only what the last `any` stands for becomes longer: the ones before it need no second try.
 */
export function matchesWildcards(text: string, pattern: string, any: string, one = ""): boolean {
  const characters = Array.from(text);
  const wanted = Array.from(pattern);
  let at = 0;
  let lastAny = -1;
  let retryFrom = 0;
  for (let position = 0; position < characters.length;) {
    if (wanted[at] === any) {
      lastAny = at++;
      retryFrom = position;
    } else if (at < wanted.length && (wanted[at] === one || wanted[at] === characters[position])) {
      at++;
      position++;
    } else if (lastAny >= 0) {
      at = lastAny + 1;
      position = ++retryFrom;
    } else {
      return false;
    }
  }
  while (wanted[at] === any) at++;
  return at === wanted.length;
}
