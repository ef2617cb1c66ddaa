// Texts of any length and shape where there is little room for them.

/** The text in one line, of at most so many characters. */
export function oneLine(text: string, longest = Infinity): string {
  return truncate(text.trim().replace(/\s+/g, " "), longest);
}

/** The text in at most so many characters. */
export function truncate(text: string, longest: number): string {
  if (text.length <= longest) return text;
  // Leaves no half of a surrogate pair.
  return `${text
    .slice(0, longest - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}
