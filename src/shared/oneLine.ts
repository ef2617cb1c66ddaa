// Texts of any length and shape where there is one line for them.

/** The text in one line, of at most so many characters. */
export function oneLine(text: string, longest = Infinity): string {
  const line = text.trim().replace(/\s+/g, " ");
  if (line.length <= longest) return line;
  // Leaves no half of a surrogate pair.
  return `${line
    .slice(0, longest - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}
