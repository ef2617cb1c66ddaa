// Where words begin and end. Other characters than ASCII letters, digits and underscores separate words: not every
// script uses spaces.

/**
 * Escapes that end in letters or digits: `\n`, `\x1b`, `\u000a`, `%20`, and the codes that color a terminal's text, plain
 * or escaped. A word can begin right after them.
 */
const escapeAtEnd =
  /(?:\\(?:[abefnrtv0]|x[\da-f]{2}|u[\da-f]{4})|%[\da-f]{2}|(?:\p{Cc}\[|\u009b|\\(?:x1b|u001b|e|033)\[)[\d;:]{0,20}[a-z])$/iu;
const maxEscape = 28;

export function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 48 && unit <= 57) ||
    (unit >= 65 && unit <= 90) ||
    unit === 95
  );
}

/** Whether the character before a position belongs to the same word as the one at it. */
export function endsInWord(text: string, place: number): boolean {
  if (!isWordUnit(text.charCodeAt(place - 1))) return false;
  return !escapeAtEnd.test(text.slice(Math.max(0, place - maxEscape), place));
}
